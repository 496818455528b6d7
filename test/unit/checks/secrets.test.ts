/** The table contains no secret, whatever Grafana passes on, and redaction does not reveal which words are passwords. */
import { expect, it } from "vitest";
import { answer } from "../../support/raw-server";
import { check, json } from "./run";

/** The details of the checks at a Grafana that returns a text in every message, or these names of series. */
async function details(returned: string, datasourceSecrets: string[], names: string[] = []): Promise<string[]> {
  const fields = names.map((name) => ({ labels: { __name__: name } }));
  const responses: Record<string, string> = {
    "/api/datasources/uid/unhealthy": json({ uid: "unhealthy" }),
    "/api/datasources/uid/unhealthy/health": json({ message: `health: ${returned}` }, 400),
    "/api/datasources/uid/refused": json({ message: `no: ${returned}` }, 403),
    "/api/datasources/uid/healthy": json({ uid: "healthy" }),
    "/api/datasources/uid/healthy/health": json({ status: "OK" }),
    "/api/dashboards/uid/d": json({ meta: { folderUid: returned } }),
    "/api/ds/query": json({ results: { A: names.length > 0 ? { frames: [{ schema: { fields } }] } : { error: `query: ${returned}` } } }),
  };
  const { list } = await check(({ path }) => responses[path] ?? answer(200), {
    targets: {
      datasources: ["unhealthy", "refused", "healthy"].map((uid) => ({ type: "prometheus", uid })),
      dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["llmobs_llm_requestDuration", "llmobs_llm_usageCost"] }],
    },
    secrets: { datasourceSecrets },
  });
  return list.map(({ detail }) => detail);
}

const fix = "check its address and credentials, and for a server with tenants the header X-Scope-OrgID (datasourceTenant)";

// What is wrong with a datasource, and where a dashboard is, has no other unit test.
it("redacts a token wherever it is returned", async () => {
  expect(await details("glsa-7f3a", ["glsa-7f3a"])).toEqual([
    `prometheus does not respond to Grafana (400: health: [redacted]): ${fix}`,
    "Grafana returned 403: no: [redacted] for the uid refused: check grafanaAuth",
    "prometheus responds",
    "is in the folder [redacted], not in f. If this stack creates it, npx pulumi up --refresh --stack STACK moves it; if another one does, set folderUid",
    "responds",
    "unknown: query: [redacted]",
    "unknown: query: [redacted]",
  ]);
});

it("ignores the name of a series that contains a secret", async () => {
  const found = await details("", ["canary_7f3a"], ["canary_7f3a_llm_usageCost", "doku_llm_usageCost"]);
  expect(found.at(-1)).toMatch(/; found doku_llm_usageCost: check the setting service$/);
});

it("keeps this program's words and the expected names if a password is an ordinary word", async () => {
  const found = await details("", ["prometheus", "usageCost"], ["llmobs_llm_requestDuration", "llmobs_llm_usageCost"]);
  expect(found[2]).toBe("prometheus responds");
  const filters = "panels select the job llmobs, and labels applicationName and environment";
  expect(found.at(-1)).toBe(`arrive. Panels do not show llmobs_llm_requestDuration and 1 more: ${filters}`);
});
