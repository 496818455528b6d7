/** The options of the npm scripts: each has help, and what a command does not know is refused before it does anything. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder";

const root = resolve(__dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const own = Object.entries(scripts).filter(([, script]) => /^node (-r @pulumi\/pulumi )?-r tsx\/cjs \S+\.ts$/.test(script));

function start(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...script.split(" ").slice(1), ...args], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}

it("all commands are known", () => {
  const commands = "adopt backtest bench dashboards demo docs doctor local pictures preview-report prices rules toolchain";
  expect(own.map(([name]) => name).sort()).toEqual(commands.split(" "));
});

it.each(own)("npm run %s has help, before it does anything", (name, script) => {
  const text = new RegExp(`^Usage: npm run ${name}\\b[^]*\\n\\n[^]*\\n  -h, --help +print this text\\n[^]*\\nExit codes: 0 `);
  expect(start(script, "--help")).toEqual({ status: 0, stdout: expect.stringMatching(text), stderr: "" });
});

// The same function reads the options of each command. Each exit code, and the hint of the commands that work on one stack.
it.each([
  ["prices", "--nonsense", 1, "Unknown option '--nonsense'."],
  ["rules", "dev", 1, "Unknown argument dev. Did you mean --stack dev?"],
  ["doctor", "dev", 2, "Unknown argument dev. Did you mean --stack dev?"],
])("npm run %s refuses %s", (name, argument, status, reason) => {
  const stderr = `${reason} Help: npm run ${name} -- --help\n`;
  expect(start(String(scripts[name]), argument)).toEqual({ status, stdout: "", stderr });
});

it.each(["local", "toolchain", "demo", "pictures"])("npm run %s without the development packages says what to install", (name) => {
  const hook = join(temporaryFolder(), "hook.cjs");
  writeFileSync(
    hook,
    `const Module = require("node:module");
    const { _resolveFilename } = Module;
    Module._resolveFilename = function (name, ...others) {
      if (/^(proper-lockfile|fflate)$/.test(name)) throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
      return _resolveFilename.call(this, name, ...others);
    };`,
  );
  const found = start(String(scripts[name]).replace("tsx/cjs", `$& -r ${hook}`), "--help");
  expect(found).toEqual({ status: 1, stdout: "", stderr: "This command needs the development packages: npm ci\n" });
});
