/** The ownership of dashboards: stacks with the same settings, at the same time or one after the other, with the same name, and a renamed stack. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Sandbox } from "../support/sandbox";
import { project, TestStack } from "../support/stack";

let sandbox: Sandbox;
let first: TestStack;
const stacks: TestStack[] = [];

async function create(name: string, config: Record<string, string>): Promise<TestStack> {
  const stack = await TestStack.create(config, name);
  stacks.push(stack);
  return stack;
}

const adopt = (stack: TestStack, name: string, ...args: string[]) => stack.npm("adopt", "--stack", name, ...args);

/** The owner in the mark of a dashboard. */
async function ownerInGrafana(): Promise<string> {
  const { body } = await sandbox.ask("/api/dashboards/uid/genai-observability");
  return /Managed by Pulumi \((\S+)\)/.exec((body.dashboard as { description: string }).description)?.[1] ?? "";
}

beforeAll(async () => {
  sandbox = await Sandbox.start();
  first = await create("first", { ...sandbox.config(), alerts: "on" });
});

afterAll(async () => {
  for (const stack of stacks) stack.remove();
  await sandbox?.stop();
});

it("a stack fails without a registration if another one creates the dashboards at the same time", async () => {
  const { prometheusUrl, lokiUrl, tempoUrl } = sandbox.config();
  const urls = Object.entries({ prometheusUrl, lokiUrl, tempoUrl }).map(([key, url]) => [key, `${url}/second`]);
  const second = await create("second", { ...sandbox.config(), ...Object.fromEntries(urls), folderTitle: "Second" });
  let firstUp: Promise<unknown> | undefined;
  // The first stack deploys after the preflight of the second one.
  sandbox.observe = async ({ method, body }, phase) => {
    if (method !== "POST" || phase !== "arrived" || !/\/second"|"Second"/.test(body)) return;
    firstUp ??= first.up();
    await firstUp;
  };
  const output = await second.failing("up", "--yes", "--skip-preview");
  sandbox.observe = undefined;
  expect(await firstUp).toContain("create service-connection");
  expect(output).toMatch(/409|412/);
  expect(sandbox.registrations).toBe(1);
  expect((await second.resources()).map(({ type }) => type).filter((type) => type.endsWith(":Connection"))).toEqual([]);
});

it("the preview of a stack with the uids of another one fails with that stack's name", async () => {
  const third = await create("third", { ...sandbox.config(), folderUid: "third" });
  const before = sandbox.grafana();
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const output = await third.failing(...command);
    const manages = `Stack ${await ownerInGrafana()} manages the dashboard`;
    expect(output).toContain(`${manages} "GenAI Observability" (uid genai-observability)`);
    expect(output).toContain(`${manages} "GenAI Observability (OpenTelemetry)" (uid genai-observability-otel)`);
    expect(output).toContain(`${manages} "llmobs - LLM Monitoring" (uid llmobs-llm-monitoring)`);
    expect(output).toContain("npx pulumi config set managedResources none --stack third");
    expect(output.match(/^ {4}error: /gm)).toHaveLength(1);
  }
  expect(sandbox.grafana()).toEqual(before);
  expect(sandbox.registrations).toBe(1);
});

it("a stack of the same name in another backend takes nothing without the owner in the mark, and the first one is told", async () => {
  const twin = await create("first", { ...sandbox.config(), alerts: "on" });
  const [owner, before] = [await ownerInGrafana(), sandbox.grafana()];
  expect(owner).toMatch(new RegExp(`^${project}/first@[0-9a-f]{8}$`));
  expect(await twin.failing("preview")).toContain(`Stack ${owner} manages the dashboard "GenAI Observability"`);
  for (const from of [[], ["--from", `${project}/first`]])
    await expect(adopt(twin, "first", "--yes", ...from)).rejects.toThrow(`npm run adopt -- --stack first --from ${owner}`);
  expect(sandbox.grafana()).toEqual(before);

  expect(await adopt(twin, "first", "--yes", "--from", owner)).toContain("The next up creates them again: llmobs: ");
  await twin.up();
  await adopt(twin, "first", "--yes");
  await twin.up();
  const taken = await ownerInGrafana();
  expect([taken, taken.split("@")[0]]).not.toContain(owner);
  expect(await first.failing("up", "--yes")).toContain(`Stack ${taken} manages the dashboard "GenAI Observability"`);
  await adopt(first, "first", "--yes", "--from", taken);
  expect(await first.up("--refresh")).toEqual([]);
});

it("a renamed stack adopts its dashboards with its former name", async () => {
  const owner = await ownerInGrafana();
  await first.rename("renamed");
  const problem = await first.failing("preview");
  expect(problem).toContain(`Stack ${owner} manages`);
  expect(problem).toContain(`npm run adopt -- --stack renamed --from ${owner}`);
  const before = sandbox.grafana();
  for (const from of [[], ["--from", `${project}/other`]])
    await expect(adopt(first, "renamed", "--yes", ...from)).rejects.toThrow(`Stack ${owner} manages the dashboard "GenAI Observability"`);
  await expect(adopt(first, "renamed", "--from", owner)).rejects.toThrow("The confirmation requires a terminal");
  expect(sandbox.grafana()).toEqual(before);

  const output = await adopt(first, "renamed", "--from", owner, "--yes");
  const renamed = owner.replace("/first@", "/renamed@");
  expect(output).toContain(`Marked in Grafana as managed by ${renamed}: genai-observability,genai-observability-otel,llm-monitoring`);
  const operations = await first.up();
  expect(operations.filter((operation) => !operation.includes("alert-"))).toEqual([
    "update genai-observability",
    "update genai-observability-otel",
    "update service-llm-monitoring",
  ]);
  expect(operations.filter((operation) => operation.includes("alert-"))).toHaveLength(before.rules.length);
  expect(await first.preview("--refresh")).toEqual([]);
});

it("destroy leaves an empty Grafana, with a warning of the preflight if it runs the program", async () => {
  await first.set({ alertContactPoint: "removed" });
  expect(await first.failing("preview")).toMatch(/no contact point with the name "removed".* 1 errored/s);
  const output = await first.pulumi("destroy", "--yes", "--skip-preview", "--run-program");
  expect(output).toMatch(/warning: alertContactPoint: Grafana has no contact point with the name "removed"/);
  expect(sandbox.grafana()).toMatchObject({ datasources: [], folders: [], dashboards: [] });
});
