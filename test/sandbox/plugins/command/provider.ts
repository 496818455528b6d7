/** The stand-in for the command plugin: `command:local:Command` with the properties that the program sets. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { version } from "@pulumi/command/package.json";
import type { Provider } from "../operations";
import type { Call, Resource } from "../resource";
import type { Values } from "../values";

const localCommand: Resource<object> = {
  properties: { create: { required: true }, delete: {}, environment: {}, addPreviousOutputInEnv: { default: true } },
  computed: ["stdout", "stderr"],
  volatile: true,
  async create(call, { create, environment }, name) {
    return { id: `${name}${randomBytes(4).toString("hex")}`, outputs: await run(call, String(create), environment as NodeJS.ProcessEnv) };
  },
  read: async (_call, id, state) => ({ id, outputs: state }),
  async update(call, id, state, { create, environment }) {
    return { id, outputs: await run(call, String(create), { ...(environment as NodeJS.ProcessEnv), ...previous(state) }) };
  },
  async delete(call, _id, state) {
    if (state.delete) await run(call, String(state.delete), { ...(state.environment as NodeJS.ProcessEnv), ...previous(state) });
  },
};

/** What the last run said. */
function previous({ stdout, stderr }: Values): NodeJS.ProcessEnv {
  const said = { PULUMI_COMMAND_STDOUT: stdout, PULUMI_COMMAND_STDERR: stderr };
  return Object.fromEntries(Object.entries(said).filter(([, text]) => text)) as NodeJS.ProcessEnv;
}

/** Runs a command in the folder of the program. Its lines are shown as they come. */
async function run(call: Call<object>, command: string, environment: NodeJS.ProcessEnv) {
  const child = spawn("/bin/sh", ["-c", command], {
    env: { ...process.env, ...environment },
    signal: call.signal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "", both: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      said.both += text;
    });
    createInterface(child[name]).on("line", call.log);
  }
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
};
