/** What recording rules write of the made-up requests, and the service: the series that alerts read. That rules write this holds for `rule-file.test.ts`. */
import { recordedBudget, recordedCost, recordedPrice, recordedUnpriced } from "../../../src/signals/costs";
import { measures } from "../../../src/signals/opentelemetry-measures";
import { recordedProcesses } from "../../../src/signals/opentelemetry-rules";
import { watched } from "../../../src/signals/watched";
import { type Labels, type Series, service } from "../telemetry/service";
import { bounds, runsAt, type Target } from "./world";

/** What does not arrive, or is not written, in a minute. */
export interface Loss {
  /** The application whose telemetry is lost, or `all`. */
  sdk?: string;
  service?: true;
  /** Of so many evaluations of the recording rules, one writes; of 0, none does. */
  recorded?: number;
}

export interface Recording {
  targets: readonly Target[];
  budgets: Readonly<Record<string, number>>;
  loss: (minute: number) => Loss;
  /** Whether the service writes its samples, too. */
  withService: boolean;
  /** Whether a new model, which has no price yet, takes the place of the target's. */
  isReplaced: (target: Target, minute: number) => boolean;
}

const newModel = "gpt-5.9";

/** Recording rules write for three hours after the last sample of a process. */
const search = 180;

/** Writes the samples of one part after the other. */
export class Recorder {
  private readonly lastSent = new Map<string, number>();
  /** By series. */
  private readonly lastMinutes = new Map<Labels, LastMinutes>();
  private readonly times = new Map<Uint32Array, LastTimes>();
  private readonly applications = new Map<string, Target[]>();
  /** By what they describe. An object stands for its series: to compare texts for each sample would take most of the time. */
  private readonly labels = new Map<string, Labels>();
  private readonly labelsOfTargets = new Map<Target, Record<"model", string> & Record<"ofRequests" | "ofModel", Labels>>();
  private series = new Map<string, Map<Labels, Series>>();

  /** @param start the time of minute 0 */
  constructor(
    private readonly recording: Recording,
    private readonly start: number,
  ) {
    for (const target of recording.targets)
      this.applications.set(target.application, [...(this.applications.get(target.application) ?? []), target]);
  }

  /** The samples of some minutes, at the times at which they are there. */
  take(from: number, to: number): Series[] {
    for (let minute = from; minute < to; minute += 1) this.write(minute);
    const written = [...this.series.values()].flatMap((ofName) => [...ofName.values()]);
    this.series = new Map();
    return written;
  }

  private write(minute: number): void {
    const { targets, budgets, loss, withService } = this.recording;
    const { sdk, recorded = 1, service: isServiceLost } = loss(minute);
    if (withService && !isServiceLost) for (const target of targets) this.writeService(target, minute);
    const isWritten = recorded > 0 && minute % recorded === 0;
    // The rules write a minute after the end of the minute.
    const write = (name: string, labels: Labels, value: number) =>
      isWritten && this.add(name, labels, this.start + (minute + 2) * 60_000, value);
    const writeRequests = (labels: Labels, requests: number, failures: number) => {
      write(watched.requests, labels, requests);
      write(watched.failures, labels, failures);
      const last = this.lastMinutes.get(labels) ?? new LastMinutes();
      this.lastMinutes.set(labels, last);
      // The rule reads full minutes of the clock: without what is written in this minute.
      const share = last.shareAt(minute);
      if (share !== undefined) write(watched.failedShare, labels, share);
      if (isWritten) last.add(minute, requests, failures);
    };
    write(
      recordedPrice,
      this.labelsOf("price", () => ({ priced_as: "gpt-4.1" })),
      2,
    );
    const ofCost = (application: string) => this.labelsOf(application, () => ({ application }));
    for (const [application, usd] of Object.entries(budgets)) write(recordedBudget, ofCost(application), usd);
    const ofProviders = new Map<string, [requests: number, failures: number, applications: number]>();
    for (const [application, own] of this.applications) {
      const { environment } = own[0] as Target;
      const ofApplication = this.labelsOf(`${application} ${environment}`, () => ({ application, environment }));
      const isSending = runsAt(own[0] as Target, minute) && sdk !== "all" && sdk !== application;
      if (isSending) {
        this.lastSent.set(application, minute);
        write(recordedProcesses, ofApplication, 1);
      }
      if (minute - (this.lastSent.get(application) ?? Number.NEGATIVE_INFINITY) > search) continue;
      let [all, cost] = [0, 0];
      for (const target of own) {
        const { provider, usd, tokens } = target;
        const { model, ofRequests: labels, ofModel } = this.labelsOfTarget(target, minute);
        const [requests, failures] = isSending ? [target.requests[minute] as number, target.failures[minute] as number] : [0, 0];
        const before = ofProviders.get(provider) ?? [0, 0, 0];
        // No application has two models of a provider.
        ofProviders.set(provider, [before[0] + requests, before[1] + failures, before[2] + 1]);
        writeRequests(labels, requests, failures);
        const [name, amount] = model === newModel ? [recordedUnpriced, tokens] : [recordedCost, usd];
        write(name, labels, (requests - failures) * amount);
        if (name === recordedCost) cost += (requests - failures) * usd;
        all += requests;
        for (const measure of isSending ? (["latency", "firstToken"] as const) : []) {
          const slowest = this.slowestOf(target[measure], bounds[measure], minute);
          if (slowest !== undefined) write(watched[measure], ofModel, slowest);
        }
      }
      write(measures.requests.series, ofApplication, all);
      write(watched.cost, ofCost(application), cost);
    }
    for (const [provider, [requests, failures, applications]] of ofProviders) {
      if (applications < 2) continue;
      const ofAll = this.labelsOf(`all of ${provider}`, () => ({ environment: "production", provider }));
      writeRequests(ofAll, requests, failures);
    }
  }

  /** A sample of each of the service's metrics for each successful request, with the mean of the minute. */
  private writeService(target: Target, minute: number): void {
    const succeeded = (target.requests[minute] as number) - (target.failures[minute] as number);
    if (succeeded === 0) return;
    const { application: applicationName, environment, provider: platform, usd, tokens } = target;
    const model = this.modelOf(target, minute);
    const size = bounds.latency.length + 1;
    const durations = [...bounds.latency, 150].map((bound, index) => 0.75 * bound * (target.latency[minute * size + index] as number));
    const seconds = durations.reduce((left, right) => left + right) / (target.requests[minute] as number);
    const values = { requestDuration: seconds, totalTokens: tokens, usageCost: model === newModel ? 0 : usd };
    const labels = this.labelsOf(`service ${applicationName} of ${model}`, () => {
      return { job: service, applicationName, environment, platform, model };
    });
    for (let index = 0; index < succeeded; index += 1) {
      const time = this.start + minute * 60_000 + Math.floor((60_000 * (index + 0.5)) / succeeded);
      for (const [metric, value] of Object.entries(values)) this.add(`${service}_llm_${metric}`, labels, time, value);
    }
  }

  private readonly modelOf = (target: Target, minute: number) => (this.recording.isReplaced(target, minute) ? newModel : target.model);

  private labelsOfTarget(target: Target, minute: number) {
    const model = this.modelOf(target, minute);
    const known = this.labelsOfTargets.get(target);
    if (known?.model === model) return known;
    const { environment, application, provider } = target;
    const ofRequests = this.labelsOf(`${application} of ${model}`, () => ({ environment, application, provider, model }));
    const ofModel = this.labelsOf(`${application} with ${model}`, () => ({ environment, application, model }));
    const found = { model, ofRequests, ofModel };
    this.labelsOfTargets.set(target, found);
    return found;
  }

  private slowestOf(counts: Uint32Array, upper: readonly number[], minute: number): number | undefined {
    if (counts.length === 0) return undefined;
    const times = this.times.get(counts) ?? new LastTimes(counts, upper);
    this.times.set(counts, times);
    return times.slowestAt(minute);
  }

  private labelsOf(what: string, create: () => Labels): Labels {
    const labels = this.labels.get(what) ?? create();
    this.labels.set(what, labels);
    return labels;
  }

  private add(name: string, labels: Labels, time: number, value: number): void {
    const ofName = this.series.get(name) ?? new Map<Labels, Series>();
    this.series.set(name, ofName);
    const series = ofName.get(labels) ?? { labels: { __name__: name, ...labels }, samples: [] };
    ofName.set(labels, series);
    series.samples.push([time, value]);
  }
}

/** Requests and failures of the last ten minutes, and the last known share of failures in an hour. */
class LastMinutes {
  private readonly written: (readonly [minute: number, requests: number, failures: number])[] = [];
  private requests = 0;
  private failures = 0;
  private share: readonly [minute: number, share: number] | undefined;

  add(minute: number, requests: number, failures: number): void {
    this.written.push([minute, requests, failures]);
    this.requests += requests;
    this.failures += failures;
  }

  shareAt(minute: number): number | undefined {
    for (let [first] = this.written; first && first[0] < minute - 10; [first] = this.written) {
      this.requests -= first[1];
      this.failures -= first[2];
      this.written.shift();
    }
    if (this.requests > 0) this.share = [minute, this.failures / this.requests];
    return this.share && minute - this.share[0] < 60 ? this.share[1] : undefined;
  }
}

/** The buckets of the last 15 minutes. */
class LastTimes {
  private readonly sums: number[];
  private last = -1;

  constructor(
    private readonly counts: Uint32Array,
    private readonly upper: readonly number[],
  ) {
    this.sums = new Array<number>(upper.length + 1).fill(0);
  }

  /** The 85th percentile, as `histogram_quantile` estimates it. Minutes that nobody asks for count, too. */
  slowestAt(minute: number): number | undefined {
    for (; this.last < minute; this.last += 1) {
      this.add(this.last + 1, 1);
      this.add(this.last - 14, -1);
    }
    let rank = 0.85 * this.sums.reduce((left, right) => left + right);
    if (rank === 0) return undefined;
    for (let index = 0; index < this.upper.length; index += 1) {
      const [lower, bound, inside] = [this.upper[index - 1] ?? 0, this.upper[index] as number, this.sums[index] as number];
      if (rank <= inside) return lower + ((bound - lower) * rank) / inside;
      rank -= inside;
    }
    return this.upper.at(-1);
  }

  private add(minute: number, sign: 1 | -1): void {
    if (minute < 0) return;
    const first = minute * this.sums.length;
    for (let index = 0; index < this.sums.length; index += 1)
      this.sums[index] = (this.sums[index] as number) + sign * (this.counts[first + index] as number);
  }
}
