/** The series of the SDKs' processes, sample by sample as they export them, and those that recording rules write at the same time. */
import { environmentAttributes } from "../../../src/signals/identity";
import { labelName } from "../../../src/signals/names/translate";
import { recordedProcesses } from "../../../src/signals/opentelemetry-rules";
import type { Labels, Series } from "../telemetry/service";
import type { Call } from "./calls";
import { kindOf, type Point, pointsOf } from "./points";
import type { Process } from "./processes";
import { endOfMinute, type Recorded, type Samples, search } from "./recorded";

interface Counter {
  labels: Labels;
  value: number;
  samples: Samples | undefined;
}

/** Whether something holds for an export of a process. */
export type Holds = (application: string, time: number) => boolean;

/** One process: what it has counted and what it has exported. */
export class ExportingProcess {
  private readonly counters = new Map<string, Counter>();
  private readonly kinds = new Map<string, { counter: Counter; amount: Point["amount"] }[]>();
  private next = 0;
  private nextExport = 0;
  private lastMinute = 0;
  private lostSince: number | undefined;

  /**
   * @param calls those that end while the process runs, in the order of their ends
   * @param isLost the export does not arrive
   * @param isStored Prometheus needs the export's own samples, too
   */
  constructor(
    private readonly process: Process,
    private readonly calls: readonly Call[],
    private readonly recorded: Recorded,
    private readonly isLost: Holds,
    private readonly isStored: Holds,
  ) {}

  /** The samples of the exports up to `time`, each once. */
  exportedUntil(time: number): Series[] {
    const { exports, application, instance } = this.process;
    const { name, environment } = application;
    const written = new Map<string, Series>();
    const write = (key: string, labels: Labels, at: number, value: number) => {
      const series = written.get(key);
      if (series) series.samples.push([at, value]);
      else written.set(key, { labels, samples: [[at, value]] });
    };
    for (; (exports[this.nextExport] ?? Number.POSITIVE_INFINITY) <= time; this.nextExport += 1) {
      const at = exports[this.nextExport] as number;
      for (; (this.calls[this.next]?.end ?? Number.POSITIVE_INFINITY) <= at; this.next += 1) this.count(this.calls[this.next] as Call);
      if (this.isLost(name, at)) this.lostSince ??= at;
      else {
        // People repair an exporter and start the process again. One that went on would be recorded with all that it ever counted.
        if (at - (this.lostSince ?? at) > search) for (const each of [this.counters, this.kinds]) each.clear();
        this.lostSince = undefined;
      }
      if (this.counters.size === 0 || this.lostSince) continue;
      const isStored = this.isStored(name, at);
      if (isStored) write("target_info", { __name__: "target_info", job: name, instance, [environmentLabel]: environment }, at, 1);
      for (const [key, { labels, value, samples }] of this.counters) {
        if (isStored) write(key, labels, at, value);
        samples?.add(at, value);
      }
      // The last export follows another one, sometimes in the same minute.
      if (endOfMinute(at) > this.lastMinute)
        this.recorded.sumsOf({ __name__: recordedProcesses, application: name, environment }).add(at, 1);
      this.lastMinute = endOfMinute(at);
    }
    return [...written.values()];
  }

  private count(call: Call): void {
    const kind = kindOf(call);
    const counted = this.kinds.get(kind) ?? pointsOf(call).map((point) => ({ counter: this.counterOf(point), amount: point.amount }));
    this.kinds.set(kind, counted);
    for (const { counter, amount } of counted) counter.value += amount(call);
  }

  /** Calls of several kinds have counters in common. */
  private counterOf({ labels, recorded }: Point): Counter {
    const { application, instance } = this.process;
    const all = { ...labels, job: application.name, instance };
    const key = JSON.stringify(all);
    const counter = this.counters.get(key) ?? { labels: all, value: 0, samples: recorded && this.recorded.samplesOf(key, recorded) };
    this.counters.set(key, counter);
    return counter;
  }
}

const environmentLabel = labelName(environmentAttributes[0]);
