/** The stand-in for the command plugin, as its documentation and source describe the real one. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { command } from "../../sandbox/plugins/command/provider";
import { Operations } from "../../sandbox/plugins/operations";
import { secret, unknown, type Values } from "../../sandbox/plugins/values";
import { Deployment, urnOf } from "./deployment";

const type = "command:local:Command";
const trace = join(mkdtempSync(join(tmpdir(), "command-")), "trace");
const plugin = new Operations(command, () => undefined);
plugin.configure({});

afterAll(() => rmSync(join(trace, ".."), { recursive: true }));

it("runs the command if an input changed, passes the previous output, and runs a failed one again", async () => {
  const stack = new Deployment(plugin);
  const create = `echo "$WORD after $PULUMI_COMMAND_STDOUT/$PULUMI_COMMAND_STDERR" >> ${trace}; echo $WORD; echo err >&2; exit $STATUS`;
  const up = (WORD: string, STATUS = "0") =>
    stack.up([{ type, name: "c", inputs: { create, environment: { WORD: secret(WORD), STATUS } } }]);
  expect((await up("one")).steps.c).toBe("create");
  await stack.refresh();
  expect((await up("one")).steps.c).toBe("same");
  expect((await up("two", "3")).errors.c).toMatch(/^exit status 3: running "echo .*":\n(two\nerr|err\ntwo)\n$/);
  expect(stack.plain("c").outputs).toMatchObject({ stdout: "one", stderr: "err" });
  expect((await up("two")).steps.c).toBe("update");
  expect(readFileSync(trace, "utf8")).toBe("one after /\ntwo after one/err\ntwo after one/err\n");
  expect(stack.state.get("c")?.outputs).toMatchObject({ environment: secret({ WORD: "two", STATUS: "0" }), stdout: "two" });
});

it("does not run in a preview, which has no output", async () => {
  const inputs = { create: `echo preview >> ${trace}`, environment: { A: secret("x") } };
  expect((await plugin.create(urnOf(type, "name"), inputs, true)).outputs).toMatchObject({ stdout: unknown, stderr: unknown });
  expect(readFileSync(trace, "utf8")).not.toContain("preview");
});

it.each<[Values, RegExp]>([
  [{ craete: "x" }, /^Invalid or unknown key "craete"/],
  [{ delete: "x" }, /^Invalid or unknown key "delete"/],
])("refuses %j", (inputs, reason) => {
  const { failures } = plugin.check(urnOf(type, "name"), {}, { create: "x", ...inputs });
  expect(failures).toMatchObject([{ reason: expect.stringMatching(reason) }]);
});
