import { execSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTelemetryAlerts } from "../../../src/alerts/opentelemetry";
import { openPast } from "../../../src/backtest/past";
import { TestGrafana } from "../grafana";
import { type RunningPrometheus, startPrometheus } from "../servers";
import { pushSeries } from "../telemetry/push";
import { queryInstant } from "../../view/reading/client";
import { recordStories } from "./incidents";
import { limitsAt } from "./stories";
import { day } from "./world";

const rate = "50 a second";
const days = Number(process.env.SCALE_DAYS ?? 38);
const minutes = days * day;
const now = Math.floor(Date.now() / 60_000);
let [prometheus, grafana]: [RunningPrometheus?, TestGrafana?] = [];
const pid = () => execSync(`ps -eo pid,args`).toString().split("\n").find((l) => /prometheus.*--config/.test(l) && l.includes(prometheus?.prometheusData ?? "x"))?.trim().split(" ")[0] ?? "";
const cpu = () => { const f = execSync(`cat /proc/${pid()}/stat`).toString().split(" "); return (Number(f[13]) + Number(f[14])) / 100; };
const rss = () => execSync("ps -C prometheus -o rss= | sort -n | tail -1").toString().trim();

beforeAll(async () => {
  prometheus = await startPrometheus(["--storage.tsdb.min-block-duration=1d"]);
  grafana = await TestGrafana.start([{ uid: "prometheus", type: "prometheus", url: prometheus.prometheus }]);
  const recorder = recordStories(rate, 26, (now - minutes) * 60_000, minutes - 6 * day, minutes, false);
  for (let from = 0; from < minutes; from += 360) {
    const part = recorder.take(from, Math.min(minutes, from + 360));
    const all = part.flatMap((series) => ["", "-b", "-c"].map((end) => ({ ...series, labels: Object.fromEntries(Object.entries(series.labels).map(([k, v]) => [k, k === "application" || (k === "environment" && !series.labels.application) ? v + end : v])) as never })));
    const unique = [...new Map(all.map((s) => [JSON.stringify(s.labels), s])).values()];
    await pushSeries(prometheus.prometheus, unique);
  }
  const { result } = await queryInstant(prometheus.prometheus, 'count({__name__=~".+:.+"})', Date.now());
  console.log("live series", JSON.stringify(result));
}, 3_000_000);

afterAll(async () => { grafana?.stop(); await prometheus?.stop(); });

it.each([7, 30])("%s days", { timeout: 3_000_000 }, async (d) => {
  const past = openPast({ url: grafana?.url ?? "", auth: "t" }, "prometheus", d, "grafana");
  execSync(`renice -n -19 -p ${pid()} ${process.pid} ${process.ppid}`);
  const c = cpu();
  const start = Date.now();
  for (const rule of openTelemetryAlerts(limitsAt(rate))) {
    const t = Date.now();
    const { alerts } = await past.of(rule);
    console.log(d, rule.title, Date.now() - t, "ms", alerts.length);
  }
  console.log("TOTAL", d, (Date.now() - start) / 1000, "s", past.used(), "cpu", cpu() - c, "rss", execSync(`grep VmHWM /proc/${pid()}/status`).toString());
  expect(1).toBe(1);
});
