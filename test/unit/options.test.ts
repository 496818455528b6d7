/** The options of the npm scripts: each has help, and refuses what it does not know before it does anything. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder";

const root = resolve(__dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const own = Object.entries(scripts).filter(([, script]) => /^node -r tsx\/cjs \S+\.ts$/.test(script));

function start(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...script.split(" ").slice(1), ...args], { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}

it("all commands are known", () => {
  const commands = "adopt backtest bench dashboards demo docs doctor local pictures preview-report prices rules toolchain";
  expect(own.map(([name]) => name).sort()).toEqual(commands.split(" "));
});

it.each(own)("npm run %s", (name, script) => {
  const text = new RegExp(`^Usage: npm run ${name}\\b[^]*\\n\\n[^]*\\n  -h, --help +print this text\\n[^]*\\nExit codes: 0 `);
  expect(start(script, "--help")).toEqual({ status: 0, stdout: expect.stringMatching(text), stderr: "" });
  const status = name === "doctor" ? 2 : 1;
  const stderr = `Unknown option '--nonsense'. Help: npm run ${name} -- --help\n`;
  expect(start(script, "--nonsense")).toEqual({ status, stdout: "", stderr });
  if (!/^(adopt|doctor|rules)$/.test(name)) return;
  expect(start(script, "dev").stderr).toBe(`Unknown argument dev. Did you mean --stack dev? Help: npm run ${name} -- --help\n`);
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
