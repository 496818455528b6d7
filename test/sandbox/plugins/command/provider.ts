/** The stand-in for the command plugin: `command:local:Command`. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { version } from "@pulumi/command/package.json";
import type { Call, Resource } from "../resource";
import type { Provider } from "../server";
import { isZero, type Values } from "../values";

/** Inputs and outputs of a command that concern its run. */
interface Inputs extends Values {
  create?: string;
  update?: string;
  delete?: string;
  dir?: string;
  environment?: Record<string, string>;
  interpreter?: string[];
  logging?: string;
  stdin?: string;
  addPreviousOutputInEnv?: boolean;
  stdout?: string;
  stderr?: string;
}

const notServed = (value: unknown): string | undefined =>
  isZero(value) ? undefined : "the stand-in for the command plugin collects no files: no assetPaths, no archivePaths";

const loggings = ["stdout", "stderr", "stdoutAndStderr", "none"];
const isLogging = (value: unknown): string | undefined =>
  loggings.includes(String(value)) ? undefined : `${value} is none of ${loggings.join(", ")}`;

const localCommand: Resource<object> = {
  properties: {
    create: {},
    update: {},
    delete: {},
    triggers: { replace: true },
    dir: {},
    environment: {},
    interpreter: {},
    logging: { validate: isLogging },
    stdin: {},
    addPreviousOutputInEnv: { default: true },
    archivePaths: { validate: notServed },
    assetPaths: { validate: notServed },
  },
  computed: ["stdout", "stderr", "archive", "assets"],
  volatile: true,
  async create(call, inputs: Inputs, name) {
    return { id: `${name}${randomBytes(4).toString("hex")}`, outputs: await run(call, inputs.create, inputs, {}) };
  },
  read: async (_call, id, state) => ({ id, outputs: state }),
  async update(call, id, state: Inputs, inputs: Inputs) {
    return { id, outputs: await run(call, inputs.update ?? inputs.create, inputs, state) };
  },
  async delete(call, _id, state: Inputs) {
    await run(call, state.delete, state, state);
  },
};

/** Passes the previous output in environment variables. Without a command nothing runs, and the output stays. */
async function run(
  call: Call<object>,
  command: string | undefined,
  inputs: Inputs,
  { stdout: lastOut = "", stderr: lastErr = "" }: Inputs,
) {
  if (command === undefined) return { stdout: lastOut, stderr: lastErr };
  const { interpreter, dir = process.cwd(), environment, addPreviousOutputInEnv = true, stdin, logging = "stdoutAndStderr" } = inputs;
  const previous = addPreviousOutputInEnv
    ? { ...(lastOut && { PULUMI_COMMAND_STDOUT: lastOut }), ...(lastErr && { PULUMI_COMMAND_STDERR: lastErr }) }
    : {};
  const [program = "", ...args] = [...(interpreter?.length ? interpreter : ["/bin/sh", "-c"]), command];
  const child = spawn(program, args, { cwd: dir, env: { ...process.env, ...environment, ...previous }, signal: call.signal });
  const said = { stdout: "", stderr: "", both: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      said.both += text;
    });
    if (logging === name || logging === "stdoutAndStderr") createInterface(child[name]).on("line", call.log);
  }
  child.stdin.on("error", () => undefined).end(stdin); // A command need not read its input.
  const end = await once(child, "close").catch((error: Error) => [error.message]);
  if (end[0] !== 0) {
    const reason = typeof end[0] === "number" ? `exit status ${end[0]}` : (end[0] ?? `signal: ${end[1]}`);
    throw new Error(`${reason}: running ${JSON.stringify(command)}:\n${said.both}`);
  }
  return { stdout: said.stdout.replace(/\n$/, ""), stderr: said.stderr.replace(/\n$/, "") };
}

export const command: Provider<object> = {
  name: "command",
  version,
  config: {},
  configure: () => ({}),
  resources: { "command:local:Command": localCommand },
  lookups: {},
};
