/** The Pulumi CLI of this project. A file of its own: the report of a preview loads neither the settings nor Pulumi's SDK. */
import { spawnSync } from "node:child_process";
import { shell } from "../text/sanitize";

const start = (...args: string[]) =>
  spawnSync(process.execPath, [require.resolve("pulumi/run.js"), ...args], { encoding: "utf8", maxBuffer: Number.POSITIVE_INFINITY });

/** Runs a command, whatever its exit code. If it cannot decrypt the config of its stack, its standard error also says what to do. */
export function runPulumi(...args: string[]) {
  const result = start(...args);
  const stack = args[args.indexOf("--stack") + 1] ?? "";
  if (!result.stderr.includes("cipher: message authentication failed")) return result;
  return { ...result, stderr: `${result.stderr.trim()}\n${adviceFor(stack)}\n` };
}

/** How to set secrets again that cannot be decrypted. The engine does not name them: each is read on its own. */
function adviceFor(stack: string): string {
  const config = JSON.parse(start("config", "--json", "--stack", stack).stdout || "{}") as Record<string, { secret?: boolean }>;
  const secrets = Object.keys(config).filter((key) => config[key]?.secret);
  const lost = secrets.filter((key) => start("config", "get", key, "--stack", stack).status !== 0);
  const all = "Restore that line from Git: if it was lost, the CLI has written another one. Without it, set the settings again:";
  const file = `Pulumi.${stack}.yaml`;
  return [
    `These settings were encrypted with another salt than the line encryptionsalt of ${file}, as after a merge: ${lost.join(", ")}.`,
    lost.length < secrets.length ? "Set them again:" : all,
    ...lost.map((key) => shell`  npx pulumi config set --secret ${key} --stack ${stack}`),
  ].join("\n");
}
