/** Grafana caches a datasource for 5 s: the checks right after an update must not ask the address of before. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runChecks } from "../../../src/checks/run-checks";
import { createGrafana } from "../../sandbox/grafana/server";
import { answer, closedPort } from "../../support/raw-server";
import { temporaryFolder } from "../../support/temporary-folder";
import { serve } from "./run";

const datasource = { name: "metrics", type: "prometheus", access: "proxy", uid: "own-metrics" };
const path = `/api/datasources/uid/${datasource.uid}`;
const health = `${path}/health`;

async function startGrafana() {
  const server = createGrafana({ token: "canary-token", stateFile: join(temporaryFolder(), "grafana.json") });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = { "Content-Type": "application/json", Authorization: "Bearer canary-token" };
  const call = (method: string, path: string, body?: object) =>
    fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) ?? null });
  return { url, call };
}

it("the checks ask a changed datasource at its new address", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await serve(answer(200, JSON.stringify({ status: "success", data: { resultType: "vector", result: [] } })));
  const { url, call } = await startGrafana();
  const done = { status: 200 };
  expect(await call("POST", "/api/datasources", { ...datasource, url: server.url })).toMatchObject(done);
  expect(await call("GET", health)).toMatchObject(done);
  expect(await call("PUT", path, { ...datasource, url: `http://127.0.0.1:${await closedPort()}` })).toMatchObject(done);
  expect(await call("GET", health), "the stand-in remembers the datasource").toMatchObject(done);

  const [checked, ...others] = await runChecks(
    {
      grafana: { url },
      datasources: [{ type: "prometheus", uid: datasource.uid }],
      dashboards: [{ title: "D", uid: "d", folderUid: "f", series: ["a"] }],
      otlp: { endpoint: server.url, data: [] },
      serviceUrl: server.url,
      verifyConnection: false,
      onFailure: "fail",
    },
    { grafanaAuth: "canary-token", otlpAuthorization: "", datasourceFingerprint: "" },
    { timeout: 0, interval: 1 },
  );
  expect(checked).toMatchObject({ status: "failed", detail: expect.stringContaining("connection refused") });
  expect(others.at(-1)).toMatchObject({ name: 'series of "D"', detail: expect.stringContaining("connection refused") });

  expect(await call("PUT", path, { ...datasource, url: server.url })).toMatchObject(done);
  expect(await call("GET", health)).toMatchObject({ status: 400 });
  vi.setSystemTime(Date.now() + 5_000);
  expect(await call("GET", health), "for 5 s").toMatchObject(done);
});
