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
  for (const name of ["chat", "search"]) {
    stack.setPlain({ [`${name}Url`]: `${serviceUrl}/${name}` });
    await stack.pulumi("config", "set", "--secret", `${name}ApiKey`, canary.serviceApiKey);
  }
});

it("deploys two services with their own keys and checks; a second deployment changes nothing", async () => {
  const operations = await stack.up();
  const each = (name: string) => [`create ${name}`, `create ${name}-checks`, `create ${name}-connection`, `create ${name}-llm-monitoring`];
  const platform = ["llm", "llm-folder", "llm-grafana", "llm-loki", "llm-prometheus", "llm-tempo"].map((name) => `create ${name}`);
  expect(operations).toEqual([...each("chat"), ...platform, ...each("search")].sort());
  for (const name of ["chat", "search"]) expect((await sandbox.ask(`/api/dashboards/uid/${name}-llm-monitoring`)).status).toBe(200);
  expect(stack.stored()).not.toContain("canary");
  expect(await stack.up()).toEqual([]);
  const checks = (await stack.resources()).filter(({ type }) => type === "command:local:Command");
  expect(checks.map(({ outputs }) => String(outputs.stdout))).toEqual(Array(2).fill(expect.stringContaining('dashboard "')));
});
