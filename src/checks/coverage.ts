/** Compares the requests that gateways saw with those that SDKs report. Panels lack what an application behind a gateway does not send. */
import { recordedIncrease } from "../signals/counters";
import { type Measure, requestsOfSides } from "../signals/opentelemetry-measures";
import type { Gateways } from "../signals/opentelemetry-rules";
import { select } from "../signals/promql";
import { queryPrometheus, type Stores, withoutSecret } from "./query";
import { type Finding, note, ok } from "./table";

const whole = (value: number) => Math.round(value).toLocaleString("en");

export async function checkCoverage(stores: Stores, { names, countedBy }: Gateways): Promise<Finding> {
  const ask = ({ series }: Measure) => queryPrometheus(stores, recordedIncrease(select(series), "24h", "application"));
  const sides = requestsOfSides(countedBy);
  const [sdks, gateways] = await Promise.all([ask(sides.sdks), ask(sides.gateways)]);
  const [seen, all] = [sdks, gateways].map((samples) => samples.reduce((sum, { value }) => sum + value, 0)) as [number, number];
  if (all === 0) {
    const cure = "check whether the setting gateways has the names of applications";
    return note(`no requests of ${names.join(" or ")} in the last 24 hours: ${cure}`);
  }
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
    .map(({ application, percent }) => `${withoutSecret(application, stores)} ${percent} %`);
  const list = byApplication.length > 0 ? `: ${byApplication.join(", ")}` : "";
  return ok(`${text}: ${missing(seen, all)} % of the traffic sends nothing${list}`);
}
