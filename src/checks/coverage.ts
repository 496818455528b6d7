/** How many of the requests that gateways saw SDKs report, too: what an application behind them does not send is no part of panels. */
import type { GrafanaAccess } from "../network/grafana";
import { type Recorded, recordedIncrease } from "../signals/counters";
import { requestsOfSides } from "../signals/opentelemetry-measures";
import type { Gateways } from "../signals/opentelemetry-rules";
import type { CheckTargets } from "./input";
import { queryPrometheus, withoutSecret } from "./query";
import { type Finding, note, ok } from "./table";

const whole = (value: number) => Math.round(value).toLocaleString("en");

export async function checkCoverage(access: GrafanaAccess, targets: CheckTargets, { names, countedBy }: Gateways): Promise<Finding> {
  const ask = (measure: Recorded) => queryPrometheus(access, targets, recordedIncrease(measure, "24h", [], "application"));
  const sides = requestsOfSides(countedBy);
  const [sdks, gateways] = await Promise.all([ask(sides.sdks), ask(sides.gateways)]);
  const [seen, all] = [sdks, gateways].map((samples) => samples.reduce((sum, { value }) => sum + value, 0)) as [number, number];
  if (all === 0)
    return note(
      `no requests of ${names.join(" or ")} in the last 24 hours: check whether the setting gateways has the names of applications`,
    );
  const text = `in the last 24 hours, the gateways saw ${whole(all)} requests, SDKs ${whole(seen)}`;
  const missing = (from: number, of: number) => Math.round((1 - from / of) * 100);
  if (seen >= all) return ok(text);
  const reported = new Map(sdks.map(({ labels: { application = "" }, value }) => [application, value]));
  const byGateways = gateways.map(({ labels: { application = "" }, value }) => ({ application, value }));
  // Without a common name, the gateways have other names for applications, such as those of their keys.
  const known = byGateways.some(({ application }) => reported.has(application)) ? byGateways : [];
  const byApplication = known
    .map(({ application, value }) => ({ application, percent: missing(reported.get(application) ?? 0, value) }))
    .filter(({ percent }) => percent > 0)
    .sort((left, right) => right.percent - left.percent)
    .map(({ application, percent }) => `${withoutSecret(application, access)} ${percent} %`);
  return ok(
    `${text}: ${missing(seen, all)} % of the traffic sends nothing${byApplication.length > 0 ? `: ${byApplication.join(", ")}` : ""}`,
  );
}
