/** A percentile is never worse than what was sent: "p95 Latency" by the recording rules of histograms with other bounds than those of the conventions. */
import { it } from "vitest";
import { expand, pipe } from "../support/expand";
import { variablesOf } from "../view/reading/panel";
import { otel } from "./panels";
import { recordedBy, type Samples } from "./promtool";

const expectRecorded = recordedBy(/gen_ai_requests_bucket:increase1m$/);

/** The panel's query of the last ten minutes, for one value of a variable. */
const latency = (selected: Samples<string> = {}) => {
  const query = otel.panels.get("p95 Latency")?.targets?.[0]?.expr ?? "";
  const choice = (name: string) => (selected[name] ? { values: [selected[name]] } : { all: true, values: [] });
  return expand(query.replaceAll("$__range", "10m"), variablesOf(otel.model), choice, pipe);
};

const sent = "gen_ai_client_operation_duration_seconds";
const labels = (instance: string, more = "") =>
  `{job="shop",instance="${instance}",gen_ai_operation_name="chat",gen_ai_request_model="m"${more}}`;

/** Twelve requests a minute, all of them in the bucket up to a bound. */
const classic = (instance: string, bounds: readonly string[], bound: string): Samples<string> => ({
  [`${sent}_count${labels(instance)}`]: "0+12x20",
  ...Object.fromEntries(
    bounds.map((le, index) => [`${sent}_bucket${labels(instance, `,le="${le}"`)}`, index < bounds.indexOf(bound) ? "0x20" : "0+12x20"]),
  ),
});
const defaultBounds = ["0.0", "5.0", "10.0", "25.0", "50.0", "75.0", "100.0", "+Inf"];
const conventional = ["0.32", "0.64", "1.28", "2.56", "5.12", "10.24", "20.48", "40.96", "81.92", "+Inf"];

/** Twelve a minute, from 2 to 4 s: buckets of powers of two. Its environment is in the resource only. */
const exponential: Samples<string> = {
  [`${sent}${labels("native")}`]: "{{schema:0 sum:0 count:0 offset:2 buckets:[0]}}+{{schema:0 sum:36 count:12 offset:2 buckets:[12]}}x20",
  'target_info{job="shop",instance="native",deployment_environment="prod"}': "1x20",
};

/** Spring AI has buckets only if they are switched on. Prometheus always writes the last one. */
const spring = (series: Samples<string>): Samples<string> =>
  Object.fromEntries(Object.entries(series).map(([name, values]) => [name.replace("operation_duration_", "operation_"), values]));

it.each<[what: string, series: Samples<string>, selected: Samples<string>, within: [from: number, to: number] | undefined]>([
  ["11 s with OpenTelemetry's default bounds", classic("a", defaultBounds, "25.0"), {}, [10, 25]],
  ["more than the last bound: at least that", classic("a", conventional, "+Inf"), {}, [81.9, 81.92]],
  [
    "26 s with them, beside 0.5 s with the conventions'",
    { ...classic("a", defaultBounds, "50.0"), ...classic("b", conventional, "0.64") },
    {},
    [25, 50],
  ],
  [
    "11 s with them, beside 30 s with the conventions'",
    { ...classic("a", defaultBounds, "25.0"), ...classic("b", conventional, "40.96") },
    {},
    [20.48, 40.96],
  ],
  ["3 s of an exponential histogram", exponential, { environment: "prod" }, [2, 4]],
  ["3 s of one in another environment", exponential, { environment: "dev" }, undefined],
  [
    "0.5 s of Spring AI, beside an application without its buckets",
    spring({ ...classic("a", conventional, "0.64"), ...classic("b", ["+Inf"], "+Inf") }),
    {},
    [0.32, 0.64],
  ],
  ["3 s of one, beside 0.5 s with the conventions' bounds", { ...exponential, ...classic("b", conventional, "0.64") }, {}, [2, 4]],
])("%s", async (_what, series, selected, within) => {
  const [from, to] = within ?? [0, 0];
  const isWithin = `(${latency(selected)} > bool ${from}) * (${latency(selected)} <= bool ${to})`;
  await expectRecorded(series, { [isWithin]: { 15: within ? { "{}": 1 } : {} } });
});
