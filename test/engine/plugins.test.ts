/** The stand-in plugins under the real engine, also where the genuine ones are installed: the whole program, with a stand-in for Grafana. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { standInPlugins } from "../sandbox/plugin-environment";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";

let sandbox: Sandbox;
let stack: TestStack;

beforeAll(async () => {
  sandbox = await Sandbox.start();
  stack = await TestStack.create(sandbox.config(), "test", standInPlugins());
});

afterAll(async () => {
  stack?.remove();
  await sandbox?.stop();
});

it("deploy, name themselves, and find nothing to change after that", async () => {
  const text = await stack.pulumi("up", "--yes", "--skip-preview");
  const lines = text.split("\n").filter((line) => line.startsWith("    Sandbox: "));
  expect(lines.sort()).toEqual([
    expect.stringContaining("of the Grafana plugin 2.40.0"),
    expect.stringContaining("of the command plugin 1.2.1"),
  ]);
  expect(await stack.up("--refresh")).toEqual([]);
  expect(stack.stored()).not.toContain("canary");
});

it("destroy everything", async () => {
  await stack.destroy();
  expect(sandbox.grafana()).toMatchObject({ datasources: [], folders: [], dashboards: [] });
});
