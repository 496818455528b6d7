/** The check of the folder's place: a Grafana without nested folders creates it at the top and says nothing. */
import { expect, it, onTestFinished } from "vitest";
import { runChecks } from "../../src/checks/checks";
import { answer, startRawServer } from "../support/raw-server";

it.each<[string, string, "ok" | "failed", string]>([
  ["in its parent", '{"parentUid":"team"}', "ok", "is in the folder team"],
  [
    "at the top",
    "{}",
    "failed",
    "is at the top, not in team: nested folders are off in this Grafana: turn them on, or remove the setting folderParentUid",
  ],
  ["moved by hand", '{"parentUid":"other"}', "failed", "is in the folder other, not in team: pulumi up --refresh moves it"],
])("a folder %s", async (_where, body, verdict, detail) => {
  const server = await startRawServer([({ path }) => (path === "/api/folders/f" ? answer(200, body) : answer(404, "{}"))]);
  onTestFinished(() => server.close());
  const targets = {
    grafana: { url: server.url },
    folder: { uid: "f", parentUid: "team" },
    ...{ datasources: [], dashboards: [], otlp: { endpoint: server.url, data: [] }, serviceUrl: server.url },
    ...{ verifyConnection: false, onFailure: "fail" as const },
  };
  const secrets = { grafanaAuth: "t", otlpAuthorization: "Basic t", datasourceFingerprint: "" };
  const results = await runChecks(targets, secrets, { total: 0, pause: 1 });
  expect(results.find(({ what }) => what === "folder f")).toEqual({ what: "folder f", verdict, detail });
});
