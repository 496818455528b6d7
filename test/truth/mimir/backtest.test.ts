/** What rules would have done, by a real Mimir with its default limits of queries: the same as by a Prometheus with the same samples, also of 30 days. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTelemetryAlerts } from "../../../src/alerts/opentelemetry";
import { openPast, type Past } from "../../../src/backtest/past";
import { recordStories } from "../alerts/incidents";
import { limitsAt } from "../alerts/stories";
import { day } from "../alerts/world";
import { TestGrafana } from "../grafana";
import { type RunningPrometheus, startPrometheus } from "../servers";
import { push, pushSeries } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders } from "../telemetry/service";
import { type RunningMimir, startMimir } from "./server";

const rate = "30 a day";
const minutes = 38 * day;
const now = Math.floor(Date.now() / 60_000);
let [mimir, prometheus, grafana]: [RunningMimir?, RunningPrometheus?, TestGrafana?] = [];

beforeAll(async () => {
  mimir = await startMimir({});
  prometheus = await startPrometheus();
  grafana = await TestGrafana.start([
    { uid: "mimir", type: "prometheus", url: `${mimir.mimir}/prometheus`, tenant: "backtest" },
    { uid: "prometheus", type: "prometheus", url: prometheus.prometheus },
  ]);
  for (const part of recordStories(rate, 26, (now - minutes) * 60_000, minutes - 6 * day, minutes, false)) {
    await push(remoteWrite(part), `${mimir.mimir}/api/v1/push`, { ...remoteWriteHeaders, "X-Scope-OrgID": "backtest" });
    await pushSeries(prometheus.prometheus, part);
  }
}, 600_000);

afterAll(async () => {
  grafana?.stop();
  await Promise.all([mimir?.stop(), prometheus?.stop()]);
});

it.each([7, 30])("%s days", { timeout: 600_000 }, async (days) => {
  const pasts = { mimir: [] as Past[], prometheus: [] as Past[] };
  for (const [uid, all] of Object.entries(pasts)) {
    const past = openPast({ url: grafana?.url ?? "", auth: "t" }, uid, days, "grafana");
    for (const rule of openTelemetryAlerts(limitsAt(rate))) all.push((await past.replayed(rule)) as Past);
  }
  expect(pasts.mimir.flatMap(({ alerts }) => alerts).length).toBeGreaterThan(2);
  expect(pasts.mimir).toEqual(pasts.prometheus);
});
