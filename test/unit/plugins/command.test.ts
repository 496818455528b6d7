/** The stand-in for the command plugin, as its documentation and source describe the real one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { command } from "../../sandbox/plugins/command/provider";
import { secret, unknown, type Values } from "../../sandbox/plugins/values";
import { Deployment } from "./deployment";
import { Plugin } from "./plugin";

const type = "command:local:Command";

let plugin: Plugin;
/** Where commands leave traces. */
let dir: string;

beforeAll(async () => {
  plugin = await Plugin.start(command);
  expect(plugin.lines).toEqual([`: Sandbox: a stand-in takes the place of the command plugin ${command.version}`]);
});
afterAll(() => plugin.stop());

beforeEach(() => {
  plugin.lines.length = 0;
  dir = mkdtempSync(join(tmpdir(), "command-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
});

const run = (inputs: Values) => plugin.create(type, "name", { dir, ...inputs });
const traces = () => readFileSync(join(dir, "trace"), "utf8").trim().split("\n");

describe("create", () => {
  it("runs the command with the variables of the process and of the resource", async () => {
    vi.stubEnv("FROM_PROCESS", "process");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { id, outputs } = await run({ create: 'echo "$FROM_PROCESS $OWN"; echo wrong >&2', environment: { OWN: secret("own") } });
    expect(id).toMatch(/^name[0-9a-f]{8}$/);
    expect(outputs).toMatchObject({ stdout: "process own", stderr: "wrong", dir });
  });

  it("runs in the folder of the program", async () => {
    const folder = realpathSync(dir);
    const launched = await Plugin.launch("pulumi-resource-command", folder);
    onTestFinished(() => launched.stop());
    const { outputs } = await launched.create(type, "name", { create: "pwd; env | grep TS_NODE || echo clean" });
    expect(outputs).toMatchObject({ stdout: `${folder}\nclean` });
  });

  it("ends when the engine closes its standard input", async () => {
    const child = spawn(join(__dirname, "../../sandbox/plugins/bin/pulumi-resource-command"), ["127.0.0.1:1"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("removes one line end of the output", async () => {
    expect((await run({ create: "printf 'a\\n\\n'; printf b >&2" })).outputs).toMatchObject({ stdout: "a\n", stderr: "b" });
  });

  it("runs nothing without a command", async () => {
    expect((await run({ delete: "echo x" })).outputs).toMatchObject({ stdout: "", stderr: "" });
  });

  it("supports another interpreter and standard input", async () => {
    const inputs = { interpreter: [process.execPath, "-e"], create: "process.stdin.pipe(process.stdout)", stdin: secret("in") };
    expect((await run(inputs)).outputs).toMatchObject({ stdout: "in", stdin: secret("in") });
  });

  it.each([
    [undefined, ["err", "out"]],
    ["stdoutAndStderr", ["err", "out"]],
    ["stdout", ["out"]],
    ["stderr", ["err"]],
    ["none", []],
  ])("logging %s: shows %j under the resource", async (logging, lines) => {
    const { outputs } = await run({ create: "echo out; echo err >&2", ...(logging && { logging }) });
    expect([...plugin.lines].sort()).toEqual(lines.map((line) => `name: ${line}`));
    expect(outputs).toMatchObject({ stdout: "out", stderr: "err" });
  });
});

describe("a program over several deployments", () => {
  it("runs a command if an input changed, and passes the previous output", async () => {
    const stack = new Deployment(plugin);
    const said = 'echo "$WORD after $PULUMI_COMMAND_STDOUT/$PULUMI_COMMAND_STDERR" >> trace; echo $WORD; echo $WORD-err >&2';
    const up = async (inputs: Values) => (await stack.up([{ type, name: "c", inputs: { dir, create: said, ...inputs } }])).steps.c;
    expect(await up({ environment: { WORD: "one" } })).toBe("create");
    expect(await up({ environment: { WORD: "one" } })).toBe("same");
    await stack.refresh();
    expect(await up({ environment: { WORD: "one" } })).toBe("same");
    expect(await up({ environment: { WORD: "two" } })).toBe("update");
    expect(await up({ environment: { WORD: "two" }, update: "echo updated >> trace; echo three" })).toBe("update");
    expect(await up({ environment: { WORD: "four" } })).toBe("update");
    expect(traces()).toEqual(["one after /", "two after one/one-err", "updated", "four after three/"]);
    expect(await up({ environment: { WORD: "five" }, addPreviousOutputInEnv: false })).toBe("update");
    expect(traces().at(-1)).toBe("five after /");
  });

  it("runs `delete` on destroy, if it is set", async () => {
    const stack = new Deployment(plugin);
    await stack.up([
      { type, name: "with", inputs: { dir, create: "echo made", delete: 'echo "deleted $PULUMI_COMMAND_STDOUT" >> trace' } },
      { type, name: "without", inputs: { dir, create: "echo made" } },
    ]);
    await stack.destroy();
    expect(traces()).toEqual(["deleted made"]);
  });

  it("a failed update keeps the old state, so that the next up runs it again", async () => {
    const stack = new Deployment(plugin);
    const up = (create: string) => stack.up([{ type, name: "c", inputs: { dir, create } }]);
    await up("echo one");
    expect((await up("exit 3")).errors.c).toBe('exit status 3: running "exit 3":\n');
    expect(stack.plain("c").outputs).toMatchObject({ create: "echo one", stdout: "one" });
    writeFileSync(join(dir, "ready"), "");
    expect((await up("exit 3")).errors).toHaveProperty("c");
    expect((await up("test -f ready")).steps).toEqual({ c: "update" });
  });
});

describe("a change of", () => {
  const olds = { create: "a", triggers: ["1", { deep: 2 }], environment: { A: "1" }, stdout: "", stderr: "" };
  it.each<[string, string, Values]>([
    ["nothing", "same", {}],
    ["create", "update", { create: "b" }],
    ["update", "update", { update: "b" }],
    ["delete", "update", { delete: "b" }],
    ["environment", "update", { environment: { A: "2" } }],
    ["environment that is not known yet", "update", { environment: { A: unknown } }],
    ["stdin", "update", { stdin: "b" }],
    ["triggers", "replace", { triggers: ["1", { deep: 3 }] }],
    ["triggers that are not known yet", "replace", { triggers: ["1", unknown] }],
  ])("%s: %s", async (_name, op, news) => {
    const { stdout: _o, stderr: _e, ...inputs } = olds;
    expect((await plugin.diff(type, olds, { ...inputs, ...news })).op).toBe(op);
  });
});

describe("a failure", () => {
  it("contains status, command and output", async () => {
    const failing = run({ create: 'echo "out"; echo err >&2; exit 3' });
    await expect(failing).rejects.toThrow(/^exit status 3: running "echo \\"out\\"; echo err >&2; exit 3":\n(out\nerr|err\nout)\n$/);
  });

  it.each([
    [{ create: "kill -9 $$" }, /^signal: SIGKILL: running/],
    [{ create: "x", interpreter: ["/no/such/program"] }, /ENOENT.*: running "x"/],
    [{ create: "x", dir: "/no/such/folder" }, /ENOENT.*: running "x"/],
  ])("%j", async (inputs, message) => {
    await expect(run(inputs)).rejects.toThrow(message);
  });
});

describe("a preview", () => {
  it("does not run the command, and has no output", async () => {
    const inputs = { dir, create: "touch trace", environment: { A: secret("x") } };
    const { outputs } = await plugin.create(type, "name", inputs, true);
    expect(outputs).toMatchObject({ create: "touch trace", stdout: unknown, stderr: unknown });
    const updated = await plugin.update(type, "id", { ...inputs, stdout: "old" }, { ...inputs, update: "touch trace" }, true);
    expect(updated).toMatchObject({ update: "touch trace", stdout: unknown });
    expect(() => traces()).toThrow("ENOENT");
  });
});

describe("secrets", () => {
  it("stay secret as inputs; the output is plain", async () => {
    const { outputs } = await run({ create: secret("echo $TOKEN"), environment: { TOKEN: secret("t0ken") } });
    expect(outputs).toMatchObject({ create: secret("echo $TOKEN"), environment: secret({ TOKEN: "t0ken" }), stdout: "t0ken" });
  });
});

describe("check", () => {
  it.each<[Values, RegExp]>([
    [{ craete: "x" }, /^craete: Invalid or unknown key "craete"/],
    [{ logging: "all" }, /^logging: all is none of stdout, stderr/],
    [{ assetPaths: ["*"] }, /^assetPaths: the stand-in for the command plugin collects no files/],
    [{ archivePaths: ["*"] }, /^archivePaths: the stand-in for the command plugin collects no files/],
  ])("refuses %j", async (inputs, reason) => {
    expect((await plugin.check(type, "name", inputs)).failures).toEqual([expect.stringMatching(reason)]);
  });

  it("refuses unknown resources and functions by name", async () => {
    await expect(plugin.check("command:remote:Command", "name", {})).rejects.toThrow("has no resource command:remote:Command");
    await expect(plugin.invoke("command:local:run", {})).rejects.toThrow("has no function command:local:run");
  });
});
