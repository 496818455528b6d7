/** The stand-in for the command plugin: `command:local:Command` with the properties that the program sets. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { version } from "@pulumi/command/package.json";
import type { Provider } from "../operations";
import type { Call, Resource } from "../resource";
import type { Values } from "../values";

const isLogging = (value: unknown) => (value === "none" ? undefined : 'the stand-in knows only "none"');

const localCommand: Resource<object> = {
  properties: {
    ...{ create: { required: true }, delete: {}, environment: {}, addPreviousOutputInEnv: { default: true } },
    logging: { validate: isLogging },
  },
  computed: ["stdout", "stderr"],
  volatile: true,
  async create(call, inputs, name) {
    return { id: `${name}${randomBytes(4).toString("hex")}`, outputs: await run(call, inputs.create, inputs) };
  },
  read: async (_call, id, state) => ({ id, outputs: state }),
  update: async (call, id, state, inputs) => ({ id, outputs: await run(call, inputs.create, inputs, state) }),
  async delete(call, _id, state) {
    if (state.delete) await run(call, state.delete, state, state);
  },
};

/**
 * Runs a command in the folder of the program. Its lines are shown as they come.
 *
 * @param last the state, with what the last run said
 */
async function run(call: Call<object>, command: unknown, { environment, logging }: Values, { stdout, stderr }: Values = {}) {
  const previous = { PULUMI_COMMAND_STDOUT: stdout, PULUMI_COMMAND_STDERR: stderr };
  const present = Object.fromEntries(Object.entries(previous).filter(([, text]) => text)) as NodeJS.ProcessEnv;
  const child = spawn("/bin/sh", ["-c", String(command)], {
    env: { ...process.env, ...(environment as NodeJS.ProcessEnv), ...present },
    signal: call.signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "", both: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      said.both += text;
    });
    if (logging !== "none") createInterface(child[name]).on("line", call.log);
  }
  const end = await once(child, "close").catch((error: Error) => [error.message]);
  if (end[0] !== 0) {
    const reason = typeof end[0] === "number" ? `exit status ${end[0]}` : (end[0] ?? `signal: ${end[1]}`);
    throw new Error(`${reason}: running ${JSON.stringify(command)}:\n${said.both}`);
  }
  return { stdout: said.stdout.replace(/\n$/, ""), stderr: said.stderr.replace(/\n$/, "") };
}

const resources = { "command:local:Command": localCommand };
export const command: Provider<object> = { name: "command", version, config: {}, configure: () => ({}), resources };
