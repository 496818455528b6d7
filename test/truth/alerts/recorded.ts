/**
 * What recording rules write of SDKs' calls, as far as alerts read it, calculated without Prometheus, as promtool takes many minutes for weeks: what an application
 * counted in each full minute, and 0 for three hours after it last sent something. That the rules write this holds for the panels that read the same series.
 */
import { recordedCost, recordedPrice, recordedUnpriced } from "../../../src/signals/costs";
import { conventions, tokenTypes } from "../../../src/signals/names/conventions";
import { labelName, seriesName } from "../../../src/signals/names/translate";
import { measures } from "../../../src/signals/opentelemetry-measures";
import { recordedProcesses } from "../../../src/signals/opentelemetry-rules";
import { instruments } from "../telemetry/instruments";
import type { Labels, Series } from "../telemetry/service";
import { hour, minute } from "../world/world";
import { type Application, newModel } from "./applications";
import { type Call, runsAt } from "./calls";

/** How long a rule searches for the last value of a counter. */
const search = 3 * hour;

/** `query_offset` of the rules: their samples have the time at which they are there, because an alert of that time cannot see later ones. */
const delay = minute;

/** SDKs export once a minute, at this time of it. */
const second = 45_000;

const { metrics, attributes } = conventions;
type MeasureName = "requests" | "latency" | "firstToken" | "tokens";

/** The minute, by its end, in which a call counts: that of the next export. */
const minuteOf = ({ end }: Call) => Math.ceil((end - second) / minute) * minute + minute;

/** Increases of recorded series of one application. */
export class Recorded {
  /** The series that have values, by their labels, with the increase of the current minute. */
  private readonly known = new Map<string, Series & { increase: number }>();
  private next = 0;
  private lastSent = Number.NEGATIVE_INFINITY;

  /**
   * @param calls in the order of their ends
   * @param isLost whether nothing of the application arrives at this time
   * @param isStopped whether no rule is evaluated at this time
   */
  constructor(
    private readonly application: Application,
    private readonly calls: readonly Call[],
    private readonly isLost: (time: number) => boolean,
    private readonly isStopped: (time: number) => boolean,
  ) {}

  /** The samples of the minutes that end in a time range, which excludes its end. */
  samplesOf({ from, to }: { from: number; to: number }): Series[] {
    const { application, environment } = this.application;
    const processes: Series = { labels: { __name__: recordedProcesses, application, environment }, samples: [] };
    // Prices are recorded in each evaluation.
    const prices: Series = { labels: { __name__: recordedPrice, priced_as: application }, samples: [] };
    const written: Series[] = [processes, prices];
    for (const series of this.known.values()) {
      series.samples = [];
      written.push(series);
    }
    for (let time = from; time < to; time += minute) {
      const isSending = runsAt(this.application, time - 1) && !this.isLost(time - 1);
      for (; this.next < this.calls.length && minuteOf(this.calls[this.next] as Call) <= time; this.next += 1) {
        // What is lost was counted by a process that people then restart.
        if (!isSending) continue;
        for (const { labels, value } of recordedOf(this.calls[this.next] as Call)) {
          const key = JSON.stringify(labels);
          let series = this.known.get(key);
          if (!series) {
            series = { labels, samples: [], increase: 0 };
            this.known.set(key, series);
            written.push(series);
          }
          series.increase += value;
        }
      }
      const isStopped = this.isStopped(time + delay);
      if (!isStopped) prices.samples.push([time + delay, 1]);
      if (isSending) {
        this.lastSent = time;
        if (!isStopped) processes.samples.push([time + delay, 1]);
      } else if (time - this.lastSent >= search) this.known.clear();
      for (const series of this.known.values()) {
        if (!isStopped) series.samples.push([time + delay, series.increase]);
        series.increase = 0;
      }
    }
    // Not the series themselves, which get new samples while these are pushed.
    return written.flatMap(({ labels, samples }) => (samples.length > 0 ? [{ labels, samples }] : []));
  }
}

const seconds = instruments["gen_ai.client.operation.duration"].bounds ?? [];

function recordedOf({ model: { provider, model }, process, ...call }: Call): { labels: Labels; value: number }[] {
  const { error, firstToken } = call;
  const { application, environment, costs } = process;
  const one = (name: MeasureName | typeof recordedCost | typeof recordedUnpriced, value: number, own: Labels = {}) => ({
    labels: {
      __name__: name in measures ? measures[name as MeasureName].recorded : name,
      application,
      environment,
      provider,
      model,
      ...own,
    },
    value,
  });
  const buckets = (measure: MeasureName, time: number, bounds: readonly number[]) =>
    [...bounds, "+Inf"].map((bound) => one(measure, time <= Number(bound) || bound === "+Inf" ? 1 : 0, { le: `${bound}` }));
  const tokens = (type: "input" | "output") =>
    one("tokens", call[`${type}Tokens`], { [labelName(attributes.tokenType)]: tokenTypes[type] });
  const failed: Labels = error ? { [labelName(attributes.error)]: error } : {};
  // Local models have the price 0.
  const isPriced = model !== newModel.model;
  const firstBounds = seconds.filter((bound) => bound <= 10.24);
  return [
    one("requests", 1, { [labelName(attributes.operation)]: "chat", ...failed }),
    ...buckets("latency", (call.end - call.start) / 1000, seconds),
    ...(firstToken === undefined ? [] : buckets("firstToken", firstToken, firstBounds)),
    ...(error ? [] : [tokens("input"), tokens("output")]),
    ...(isPriced && !error ? [one(recordedCost, call.cost, { source: costs === "none" ? "computed" : "measured" })] : []),
    ...(isPriced || error ? [] : [one(recordedUnpriced, call.inputTokens + call.outputTokens)]),
  ];
}

/** What SDKs themselves write in a time range: the series that shows that they send. */
export function sentSeries({ application }: Application, { from, to }: { from: number; to: number }): Series {
  const samples = Array.from({ length: (to - from) / minute }, (_, index): [number, number] => [from + index * minute + second, index]);
  return { labels: { __name__: seriesName(metrics.operations, "prometheus", "count"), job: application, instance: "1" }, samples };
}
