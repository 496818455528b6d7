/** The ownership of dashboards: stacks with the same settings, at the same time or one after the other, and a renamed stack. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/run";
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

const adopt = (stack: TestStack, name: string, ...args: string[]) =>
  run("npm", ["run", "--silent", "adopt", "--", "--stack", name, ...args], { cwd: stack.folder, env: stack.environment });

beforeAll(async () => {
  sandbox = await Sandbox.start();
  first = await create("first", sandbox.config());
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
    expect(output).toContain(`Stack ${project}/first manages the dashboard "GenAI Observability" (uid genai-observability)`);
    expect(output).toContain(
      `Stack ${project}/first manages the dashboard "GenAI Observability (OpenTelemetry)" (uid genai-observability-otel)`,
    );
    expect(output).toContain(`Stack ${project}/first manages the dashboard "llmobs - LLM Monitoring" (uid llmobs-llm-monitoring)`);
    expect(output).toContain("npx pulumi config set managedResources none --stack third");
    expect(output.match(/^ {4}error: /gm)).toHaveLength(1);
  }
  expect(sandbox.grafana()).toEqual(before);
  expect(sandbox.registrations).toBe(1);
});

it("a renamed stack adopts its dashboards with its former name", async () => {
  await first.rename("renamed");
  const problem = await first.failing("preview");
  expect(problem).toContain(`Stack ${project}/first manages`);
  expect(problem).toContain(`npm run adopt -- --stack renamed --from ${project}/first`);
  const before = sandbox.grafana();
  for (const from of [[], ["--from", `${project}/other`]]) {
    await expect(adopt(first, "renamed", "--yes", ...from)).rejects.toThrow(`genai-observability: managed by stack ${project}/first`);
  }
  await expect(adopt(first, "renamed", "--from", `${project}/first`)).rejects.toThrow("The confirmation requires a terminal");
  expect(sandbox.grafana()).toEqual(before);

  const output = await adopt(first, "renamed", "--from", `${project}/first`, "--yes");
  expect(output).toContain(
    `Marked in Grafana as managed by ${project}/renamed: genai-observability,genai-observability-otel,llm-monitoring`,
  );
  expect(await first.up()).toEqual(["update genai-observability", "update genai-observability-otel", "update service-llm-monitoring"]);
  expect(await first.preview("--refresh")).toEqual([]);
});

it("destroy leaves an empty Grafana", async () => {
  await first.destroy();
  expect(sandbox.grafana()).toMatchObject({ datasources: [], folders: [], dashboards: [] });
});
