/** Grafana caches a datasource for 5 s: the checks right after an update must not ask the address of before. */
import { expect, it, onTestFinished, vi } from "vitest";
import { runChecks } from "../../../src/checks/run-checks";
import { answer, closedPort } from "../../support/raw-server";
import { call, datasource, done, own, useGrafana } from "../grafana/client";
import { serve } from "./run";

useGrafana();

const health = `/api/datasources/uid/${datasource.uid}/health`;

it("the checks ask a changed datasource at its new address", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await serve(answer(200, JSON.stringify({ status: "success", data: { resultType: "vector", result: [] } })));
  await done("POST", "/api/datasources", { ...datasource, url: server.url });
  await done("GET", health);
  await done("PUT", `/api/datasources/uid/${datasource.uid}`, { ...datasource, url: `http://127.0.0.1:${await closedPort()}` });
  expect(await call("GET", health), "the stand-in remembers the datasource").toMatchObject({ status: 200 });

  const [checked, ...others] = await runChecks(
    {
      grafana: { url: own.url },
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

  await done("PUT", `/api/datasources/uid/${datasource.uid}`, { ...datasource, url: server.url });
  expect(await call("GET", health)).toMatchObject({ status: 400 });
  vi.setSystemTime(Date.now() + 5_000);
  expect(await call("GET", health), "for 5 s").toMatchObject({ status: 200 });
});
