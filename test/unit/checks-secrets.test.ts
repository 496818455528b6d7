/** No secret comes back in a check's report by whatever Grafana passes on, and no password is betrayed by what is not shown. */
import { expect, it, onTestFinished } from "vitest";
import { runChecks } from "../../src/checks/checks";
import type { CheckTargets } from "../../src/checks/input";
import { answer, startRawServer } from "../support/raw-server";

const json = (body: unknown, status = 200) => answer(status, JSON.stringify(body), { "Content-Type": "application/json" });

/** The details of the checks with datasources' secrets, at a Grafana that hands back a text wherever it can. */
async function details(handedBack: string, datasourceSecrets: string[], names: string[] = []): Promise<string[]> {
  const labels = names.map((name) => ({ labels: { __name__: name } }));
  const answers: Record<string, string> = {
    "/api/datasources/uid/unhealthy": json({ uid: "unhealthy" }),
    "/api/datasources/uid/unhealthy/health": json({ message: `health: ${handedBack}` }, 400),
    "/api/datasources/uid/queried": json({ uid: "queried" }),
    "/api/datasources/uid/queried/health": json({ message: "Not found" }, 404),
    "/api/datasources/uid/refused": json({ message: `no: ${handedBack}` }, 403),
    "/api/datasources/uid/healthy": json({ uid: "healthy" }),
    "/api/datasources/uid/healthy/health": json({ status: "OK" }),
    "/api/dashboards/uid/d": json({ meta: { folderUid: handedBack } }),
    "/api/ds/query": names.length
      ? json({ results: { A: { frames: [{ schema: { fields: labels } }] } } })
      : json({ results: { A: { error: `query: ${handedBack}` } } }),
  };
  const server = await startRawServer([({ path }) => answers[path] ?? answer(200)]);
  onTestFinished(() => server.close());
  const targets: CheckTargets = {
    grafana: { url: server.url },
    datasources: ["unhealthy", "queried", "refused", "healthy"].map((uid) => ({ type: "prometheus", uid })),
    dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["gen_ai_requests_total", "db_requests_total"] }],
    otlp: { endpoint: `${server.url}/otlp`, data: [] },
    verifyConnection: false,
    serviceUrl: server.url,
    onFailure: "fail",
  };
  const secrets = { grafanaAuth: "t", otlpAuthorization: "Basic MTp0", datasourceFingerprint: "", datasourceSecrets };
  const results = await runChecks(targets, secrets, { total: 0, pause: 1 });
  return results.map(({ detail }) => detail);
}

const credentials = "check its address and credentials";

it("a token goes wherever it comes back", async () => {
  expect(await details("glsa-7f3a", ["glsa-7f3a"])).toEqual([
    `prometheus does not answer Grafana (400: health: [redacted]): ${credentials}`,
    `prometheus does not answer Grafana (query: [redacted]): ${credentials}`,
    "Grafana answered 403: no: [redacted] for this uid",
    "prometheus answers",
    "is in the folder [redacted], not in f: pulumi up --refresh",
    "answers (200)",
    "not known: query: [redacted]",
  ]);
});

it("a name with a secret in it is not taken for one of a series", async () => {
  const found = await details("", ["requests_7f3a"], ["gen_ai_requests_7f3a", "db_requests"]);
  expect(found.at(-1)).toMatch(/^no db_requests_total; found db_requests\./);
});

it("a password that is an ordinary word leaves our own words, and the names that are wanted", async () => {
  const found = await details("", ["prometheus", "requests"], ["gen_ai_requests_total", "db_requests_total"]);
  expect(found[3]).toBe("prometheus answers");
  expect(found.at(-1)).toBe("all 2 arrive");
});
