import { totalIncrease } from "/tmp/w/rules/src/signals/measures";
import { openTelemetryMeasures } from "/tmp/w/rules/src/signals/opentelemetry-measures";
import { queryInstant } from "../../../src/view/reading/client";
import { timeline, day, createTimeline } from "./timeline";
(async () => {
  const server = "http://127.0.0.1:37763";
  const t0 = timeline.badDays.from + day;
  const { processes } = createTimeline(24, 10);
  for (const p of processes) if (p.end > t0 + 17 * 3600e3 && p.end < t0 + 22 * 3600e3) console.log(p.application.name, p.instance, new Date(p.start).toISOString(), new Date(p.end).toISOString(), p.exports.length);
  const m = openTelemetryMeasures("prometheus").latency;
  for (const at of ["19:40:17", "19:51:17", "19:53:17", "19:58:17", "20:30:17", "20:54:17"]) {
    const time = t0 + Date.parse(`1970-01-01T${at}Z`);
    const q = totalIncrease(m, "exact", "1h", [], "application");
    const { result } = await queryInstant(server, q, time);
    const by: any = {};
    for (const { metric, value } of result as any[]) { (by[metric.application] ??= []).push([metric.le, Math.round(Number(value[1]) * 10) / 10]); }
    console.log(at); for (const a of Object.keys(by)) console.log("  ", a, by[a].sort((x: any, y: any) => Number(x[0].replace("+Inf", "1e9")) - Number(y[0].replace("+Inf", "1e9"))).map((x: any) => x.join(":")).join(" "));
  }
})();
