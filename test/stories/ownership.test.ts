/** Stacks at one Grafana: two environments, at the same time, with the same name, or renamed; datasources that another stack reads. */
import { expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { createStack, stack as first, sandbox, setUp } from "../support/set-up";
import { project, type TestStack } from "../support/stack";

setUp(undefined, "first");

const adopt = (stack: TestStack, ...args: string[]) => stack.npm("adopt", "--stack", "first", ...args);

/** The owner in the mark of a dashboard. */
async function ownerInGrafana(): Promise<string> {
  const { dashboard } = await sandbox.do("/api/dashboards/uid/genai-observability");
  return /Managed by Pulumi \((\S+)\)/.exec(dashboard.description)?.[1] ?? "";
}

const referring = { datasources: "managed", managedResources: "service-dashboard" };
let environment: TestStack;

it("the second of two environments at one Grafana cannot be deployed before the first one", async () => {
  environment = await createStack({ ...sandbox.existingConfig(), ...referring, service: "llmobs_dev" });
  expect(await environment.failing("preview")).toMatch(
    /datasources that Grafana does not have|has no folder with the uid llm-observability/,
  );
});

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

it("then it can, refers to what the first one created, and leaves it there", async () => {
  if (isGenuine) await first.up();
  const before = await sandbox.contents();
  const connection = ["create checks", "create grafana", "create platform", "create service", "create service-connection"];
  expect(await environment.up()).toEqual([...connection, "create service-llm-monitoring"]);
  expect((await environment.outputs()).links).toMatchObject({
    genaiObservability: `${sandbox.grafanaUrl}/d/genai-observability`,
    genaiObservabilityOtel: `${sandbox.grafanaUrl}/d/genai-observability-otel`,
  });
  await environment.destroy();
  expect(await sandbox.contents()).toEqual(before);
  expect(await first.preview("--refresh")).toEqual([]);
});

it("a stack of the same name in another backend takes nothing without the owner in the mark, and the first one can take it back", async () => {
  const twin = await createStack(sandbox.config(), "first");
  const [owner, before] = [await ownerInGrafana(), await sandbox.contents()];
  expect(owner).toMatch(new RegExp(`^${project}/first@[0-9a-f]{8}$`));
  expect(await twin.failing("preview")).toContain(`Stack ${owner} manages these resources`);
  expect(await sandbox.contents()).toEqual(before);

  expect(await adopt(twin, "--from", owner)).toMatch(
    /Marked in Grafana as managed by \S+: genai-observability\n[\s\S]*service-llm-monitoring/,
  );
  await twin.pulumi("import", "--file", "adopt.first.json", "--generate-code=false", "--yes");
  await twin.up();
  const taken = await ownerInGrafana();
  expect([taken, taken.split("@")[0]]).not.toContain(owner);
  // The first stack has the resources in its state: the command only changes the marks.
  expect(await adopt(first, "--from", taken)).toContain("Nothing to import");
  await first.up("--refresh");
  expect(await ownerInGrafana()).toBe(owner);
});

it("a rename of the stack, and its state in another project, change the marks and nothing else", async () => {
  const id = (await ownerInGrafana()).split("@")[1];
  await first.rename("renamed");
  await first.renameProject("other");
  expect((await first.up()).filter((operation) => !operation.startsWith("update"))).toEqual([]);
  expect(await ownerInGrafana()).toBe(`other/renamed@${id}`);
  // A refresh reads the connection with the key of this name.
  const connection = (await first.resources()).find(({ type }) => type.endsWith(":Connection"));
  expect(connection?.outputs.serviceApiKeyConfig).toBe("other:serviceApiKey");
  expect(sandbox.registrations).toBe(3);
});

it("a resource is replaced, tainted, or targeted as Pulumi documents it", async () => {
  const { urn = "" } = (await first.resources()).find(({ urn }) => urn.endsWith("::platform-genai-observability")) ?? {};
  expect(await first.up("--replace", urn)).toEqual(["replace platform-genai-observability"]);
  await first.pulumi("state", "taint", urn);
  await first.set({ folderTitle: "Other" });
  expect(await first.up("--target", urn)).toEqual(["replace platform-genai-observability"]);
});

it("a second stack is told whose datasources Grafana has, creates its own, and leaves them as the preview says", async () => {
  const others = { genaiDashboardUid: "second-genai", otelDashboardUid: "second-otel", service: "second" };
  const second = await createStack({ ...sandbox.config(), ...others, alerts: "on" }, "second");
  const owner = await ownerInGrafana();
  // An alert rule with the title of one of the second stack.
  const [folderUid, title] = ["llm-observability", "GenAIErrors"];
  const always = { refId: "A", datasourceUid: "__expr__", model: { refId: "A", type: "math", expression: "1" } };
  const states = { condition: "A", for: "1m", noDataState: "OK", execErrState: "Error", labels: { stack: owner.split("@")[0] } };
  const rule = { orgID: 1, folderUID: folderUid, ruleGroup: title, title, ...states, data: [always] };
  const group = `/api/v1/provisioning/folder/${folderUid}/rule-groups/${title}`;
  await sandbox.do(group, "PUT", { title, folderUid, interval: 60, rules: [rule] });
  expect(await second.failing("preview")).toMatch(
    new RegExp(`Stack ${owner} manages these .*\\n *datasource llm-observability-loki\\n[^]*  folder llm-observability\\n`),
  );
  const before = await sandbox.contents();
  await expect(second.npm("adopt", "--stack", "second", "--from", "other/renamed")).rejects.toThrow(
    new RegExp(`\\n *alert rule ${folderUid}:${title}\\n[^]*npm run adopt -- --stack second --from ${owner}\\n*$`),
  );
  expect(await sandbox.contents()).toEqual(before);
  await sandbox.do(`/api/v1/provisioning/alert-rules/${(await sandbox.do(group)).rules[0].uid}`, "DELETE");

  const uids = Object.fromEntries(["prometheus", "loki", "tempo"].map((type) => [`${type}Uid`, `second-${type}`]));
  await second.set({ ...uids, folderUid: "second", alerts: "off" });
  expect(await second.up()).toContain("create platform-prometheus");
  const { name } = await sandbox.do("/api/datasources/uid/second-prometheus");
  expect(name).toBe("LLM Observability second-prometheus");
  // A uid with the same name: the plugin deletes the former datasource first.
  await second.set({ prometheusUid: "llm-observability-second-prometheus" });
  expect(await second.up()).toContain("replace platform-prometheus");

  await second.set({ managedResources: "service-dashboard" });
  const problem = await second.failing("preview");
  expect(problem).toMatch(
    /managedResources is service-dashboard, but this stack created .*\n *second-loki\n *llm-observability-second-prom/,
  );
  const [keep = "", refer = ""] = problem.match(/npx pulumi config set.*--stack second$/gm) ?? [];
  await second.follow(keep);
  expect(problem).toContain("Set folderUid, genaiDashboardUid and otelDashboardUid to those of another stack");
  await second.set({
    folderUid: "llm-observability",
    genaiDashboardUid: "genai-observability",
    otelDashboardUid: "genai-observability-otel",
  });
  await second.follow(refer);
  const { datasources, dashboards, folders } = await sandbox.contents();
  expect(datasources).toEqual([...before.datasources, "llm-observability-second-prometheus", "second-loki", "second-tempo"].sort());
  expect(dashboards).toEqual([...before.dashboards, "llm-observability/second-llm-monitoring"].sort());
  expect(folders).toEqual(before.folders);
  await second.destroy();
});

it("datasources are handed over as the preview says; a stack that reads another's is told whose they are, and when they are gone", async () => {
  const uids = Object.fromEntries(["prometheus", "loki", "tempo"].map((type) => [`${type}Uid`, `llm-observability-${type}`]));
  const reader = await createStack({ ...sandbox.existingConfig(), managedResources: "none", ...uids }, "reader");
  expect(await reader.pulumi("preview")).toMatch(/llm-observability-loki {2}other\/renamed@\w+\n[\s\S]*If such a stack is destroyed/);

  first.unset("prometheusUrl", "prometheusAuth", "lokiUrl", "tempoUrl");
  await first.set({ datasources: "existing", ...uids });
  const problem = await first.failing("preview");
  for (const text of ["llm-observability-tempo", "datasources=kept --stack renamed && npx pulumi up"]) expect(problem).toContain(text);
  await first.set({ ...sandbox.config(), datasources: "kept" });
  await first.up();
  first.unset("prometheusUrl", "prometheusAuth", "lokiUrl", "tempoUrl");
  await first.set({ datasources: "existing" });
  const before = (await sandbox.contents()).datasources;
  expect(await first.up()).toEqual(expect.arrayContaining(["delete platform-loki", "delete platform-prometheus", "delete platform-tempo"]));
  expect((await sandbox.contents()).datasources).toEqual(before);

  await sandbox.do("/api/datasources/uid/llm-observability-loki", "DELETE");
  expect(await reader.failing("preview")).toMatch(
    /lokiUid: no datasource has the uid llm-observability-loki\n[\s\S]*npx pulumi config set datasources managed --stack reader\n/,
  );
});

it("destroy leaves Grafana without a resource of the stack", async () => {
  await first.destroy();
  expect(await sandbox.contents()).toMatchObject({ folders: [], dashboards: [], rules: [] });
});
