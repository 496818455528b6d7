import { openTelemetryAlerts, openTelemetryRequests } from "/tmp/w/rules/src/alerts/opentelemetry";
import { serviceAlerts } from "/tmp/w/rules/src/alerts/service";
import { firings } from "./firing";
import { service } from "./gateway";
import { timeline, day } from "./timeline";
(async () => {
  const [, , server = "", rateText, which = "normal", mode = "recorded", only = "", every = ""] = process.argv;
  const rate = Number(rateText);
  const limits = { errorRateWarning: 0.05, errorRateCritical: 0.1, latency: 30, firstToken: 10, costPerHour: rate === 1 ? 5 : 50, budget: 20 * rate, minimumFailures: 10, minimumRequests: 60, minimumTokens: 1e6 };
  const rules = [...openTelemetryAlerts(limits, mode as "exact", "prometheus"), ...serviceAlerts(service, limits, (w) => openTelemetryRequests(mode as "exact", "prometheus", w))];
  const range = which === "normal" ? timeline.normalWeek : timeline.badDays;
  const begin = Date.now();
  for (const rule of rules) {
    if (only && !new RegExp(only).test(rule.id)) continue;
    const t = Date.now();
    try {
      const found = await firings(server, rule, range, every ? Math.max(Number(every), rule.everyMinutes) : rule.everyMinutes);
      console.log(rule.id, (Date.now() - t) / 1000, "s", found.length);
      for (const f of found) console.log("   ", JSON.stringify(f.labels), `d${Math.floor((f.from - range.from) / day)}`, new Date(f.from).toISOString().slice(5, 16), "->", new Date(f.to).toISOString().slice(5, 16), f.value.toFixed(3));
    } catch (e) { console.log(rule.id, (Date.now() - t) / 1000, "s", String((e as Error).message).slice(0, 300)); }
  }
  console.log("total", (Date.now() - begin) / 1000);
})();
