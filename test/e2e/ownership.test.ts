/** Which stack a dashboard belongs to: two stacks with the same settings, one that is faster, and one that gets another name. */
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

const adopt = (stack: TestStack, ...args: string[]) =>
  run("npm", ["run", "--silent", "adopt", "--", ...args], { cwd: stack.folder, env: stack.environment });

beforeAll(async () => {
  sandbox = await Sandbox.start();
  first = await create("first", sandbox.config());
});

afterAll(async () => {
  for (const stack of stacks) stack.remove();
  await sandbox?.stop();
});

it("a stack that finds its dashboards taken meanwhile fails, and registers no connection", async () => {
  const { prometheusUrl, lokiUrl, tempoUrl } = sandbox.config();
  const urls = Object.entries({ prometheusUrl, lokiUrl, tempoUrl }).map(([key, url]) => [key, `${url}/second`]);
  const second = await create("second", { ...sandbox.config(), ...Object.fromEntries(urls), folderTitle: "Second" });
  let isFirstUp: Promise<unknown> | undefined;
  // The second one has asked whether all is free, and is about to create it, when the first one deploys.
  sandbox.observe = async ({ method, body }, phase) => {
    if (method !== "POST" || phase !== "arrived" || !/second/i.test(body)) return;
    isFirstUp ??= first.up();
    await isFirstUp;
  };
  const said = await second.failing("up", "--yes", "--skip-preview");
  sandbox.observe = undefined;
  expect(await isFirstUp).toContain("create service-connection");
  expect(said).toMatch(/409|412/);
  expect(sandbox.registrations).toBe(1);
  expect((await second.resources()).map(({ type }) => type).filter((type) => type.endsWith(":Connection"))).toEqual([]);
});

it("a stack with the uids of another one is stopped in the preview, with that one's name, and nothing is saved", async () => {
  const third = await create("third", { ...sandbox.config(), folderUid: "third" });
  const before = sandbox.grafana();
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const said = await third.failing(...command);
    expect(said).toContain(`Stack ${project}/first manages the dashboard "GenAI Observability", uid genai-observability`);
    expect(said).toContain(`Stack ${project}/first manages the dashboard "llmobs - LLM Monitoring", uid llmobs-llm-monitoring`);
    expect(said).toContain("npx pulumi config set managedResources service-dashboard --stack third");
    expect(said.match(/^ {4}error: /gm)).toHaveLength(1);
  }
  expect(sandbox.grafana()).toEqual(before);
  expect(sandbox.registrations).toBe(1);
});

it("a stack that was renamed is told to take its dashboards over, and does so by name only", async () => {
  await first.rename("renamed");
  const said = await first.failing("preview");
  expect(said).toContain(`Stack ${project}/first manages`);
  expect(said).toContain(`npm run adopt -- renamed --from ${project}/first`);
  const before = sandbox.grafana();
  for (const from of [[], ["--from", `${project}/other`]]) {
    await expect(adopt(first, "renamed", "--yes", ...from)).rejects.toThrow(`genai-observability: managed by stack ${project}/first`);
  }
  await expect(adopt(first, "renamed", "--from", `${project}/first`)).rejects.toThrow("There is no terminal to ask at");
  expect(sandbox.grafana()).toEqual(before);

  const done = await adopt(first, "renamed", "--from", `${project}/first`, "--yes");
  expect(done).toContain(`Marked in Grafana as managed by ${project}/renamed: genai-observability,llm-monitoring`);
  expect(await first.up()).toEqual(["update genai-observability", "update service-llm-monitoring"]);
  expect(await first.preview("--refresh")).toEqual([]);
});

it("and in the end Grafana is empty", async () => {
  await first.destroy();
  expect(sandbox.grafana()).toMatchObject({ datasources: [], folders: [], dashboards: [] });
});
