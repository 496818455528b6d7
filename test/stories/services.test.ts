/** Several services in one stack: the program in the README of the components. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { programOf } from "../support/documents";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary } from "../support/stack";

setUp();

beforeAll(async () => {
  const file = join(stack.folder, "services.ts");
  writeFileSync(file, programOf("services", "src/platform/README.md"));
  stack.useProgram(file);
  const { serviceUrl } = sandbox.config();
  stack.unset("grafanaAuth");
  stack.setPlain({ grafanaTokenCommand: "printenv TEST_GRAFANA_TOKEN" });
  stack.environment.TEST_GRAFANA_TOKEN = sandbox.secrets.grafanaAuth;
  stack.setPlain({ chatUrl: `${serviceUrl}/chat`, searchUrl: `${serviceUrl}/search` });
  await stack.pulumi("config", "set-all", ...["chat", "search"].flatMap((name) => ["--secret", `${name}ApiKey=${canary.serviceApiKey}`]));
});

const notKnown = "The address or the token of Grafana is not known yet: this preview does not check uids, titles and owners in Grafana.";

it("deploys two services with their own keys and checks, with a token that no preview knows before", async () => {
  const preview = await stack.pulumi("preview");
  expect(preview.split("Diagnostics:").at(-1)?.split(notKnown)).toHaveLength(2);
  const operations = await stack.up();
  const each = (name: string) => [`create ${name}`, `create ${name}-checks`, `create ${name}-connection`, `create ${name}-llm-monitoring`];
  const platform = ["llm", "llm-folder", "llm-loki", "llm-prometheus", "llm-tempo"].map((name) => `create ${name}`);
  expect(operations).toEqual([...each("chat"), "create grafana", "create grafana-token", ...platform, ...each("search")].sort());
  for (const name of ["chat", "search"]) expect((await sandbox.ask(`/api/dashboards/uid/${name}-llm-monitoring`)).status).toBe(200);
  expect(stack.stored()).not.toContain("canary");
  const checks = (await stack.resources()).filter(({ type, urn }) => type === "command:local:Command" && urn.endsWith("-checks"));
  expect(checks.map(({ outputs }) => String(outputs.stdout))).toEqual(Array(2).fill(expect.stringContaining('dashboard "')));
});

it("changes nothing in a second deployment, whose preview has the preflight", async () => {
  expect(await stack.pulumi("preview", "--expect-no-changes")).not.toContain(notKnown);
});

it("destroy has no advice if it finds Grafana as it was", async () => {
  expect(await stack.destroy()).not.toContain("Grafana at");
});
