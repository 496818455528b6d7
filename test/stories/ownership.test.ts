/** The ownership of dashboards: stacks with the same settings, at the same time, or with the same name. A renamed one: see adoption.test.ts. */
import { expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { createStack, stack as first, sandbox, setUp } from "../support/set-up";
import { project, type TestStack } from "../support/stack";

setUp(() => ({ ...sandbox.config(), alerts: "on" }), "first");

const adopt = (stack: TestStack, ...args: string[]) => stack.npm("adopt", "--stack", "first", "--yes", ...args);

/** The owner in the mark of a dashboard. */
async function ownerInGrafana(): Promise<string> {
  const { dashboard } = await sandbox.do("/api/dashboards/uid/genai-observability");
  return /Managed by Pulumi \((\S+)\)/.exec(dashboard.description)?.[1] ?? "";
}

// Only the stand-in holds a request.
it.skipIf(isGenuine)("a stack fails without a registration if another one creates the dashboards at the same time", async () => {
  const { prometheusUrl, lokiUrl, tempoUrl } = sandbox.config();
  const urls = Object.entries({ prometheusUrl, lokiUrl, tempoUrl }).map(([key, url]) => [key, `${url}/second`]);
  const second = await createStack({ ...sandbox.config(), ...Object.fromEntries(urls), folderTitle: "Second" }, "second");
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

it("a stack of the same name in another backend takes nothing without the owner in the mark, and the first one is told", async () => {
  const twin = await createStack({ ...sandbox.config(), alerts: "on" }, "first");
  if (isGenuine) await first.up();
  const [owner, before] = [await ownerInGrafana(), await sandbox.contents()];
  expect(owner).toMatch(new RegExp(`^${project}/first@[0-9a-f]{8}$`));
  expect(await twin.failing("preview")).toContain(`Stack ${owner} manages the dashboard "GenAI Observability"`);
  for (const from of [[], ["--from", `${project}/first`]])
    await expect(adopt(twin, ...from)).rejects.toThrow(`npm run adopt -- --stack first --from ${owner}`);
  expect(await sandbox.contents()).toEqual(before);

  expect(await adopt(twin, "--from", owner)).toMatch(
    /The next up creates them again: llmobs: [\s\S]*Marked in Grafana as managed by \S+: genai-observability,genai-observability-otel,llm-monitoring/,
  );
  await twin.up();
  await adopt(twin);
  await twin.up();
  const taken = await ownerInGrafana();
  expect([taken, taken.split("@")[0]]).not.toContain(owner);
  expect(await first.failing("up", "--yes")).toContain(`Stack ${taken} manages the dashboard "GenAI Observability"`);
  await adopt(first, "--from", taken);
  expect(await first.up("--refresh")).toEqual([]);
});

it("destroy leaves an empty Grafana, with a warning of the preflight if it runs the program", async () => {
  await first.set({ alertContactPoint: "removed" });
  expect(await first.failing("preview")).toMatch(/no contact point with the name "removed".* 1 errored/s);
  const output = await first.pulumi("destroy", "--yes", "--skip-preview", "--run-program");
  expect(output).toMatch(/warning: alertContactPoint: Grafana has no contact point with the name "removed"/);
  expect(await sandbox.contents()).toEqual({ folders: [], dashboards: [], datasources: [], rules: [] });
});
