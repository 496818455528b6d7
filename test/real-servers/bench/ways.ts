/** Three ways to read counters, measured in turns: plain queries, direct ones, and series that recording rules wrote. */
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Cost, median, pairedRatio, type Turns } from "./measure";
import { loadOf, plain, type Query } from "./queries";
import { requireSame } from "./recorded";

export const ways = ["plain", "direct", "recorded"] as const;
export type Way = (typeof ways)[number];

/** The dashboard with direct queries, and the same with recorded counters if it reads counters. */
export interface Models {
  direct: DashboardModel;
  recorded?: DashboardModel;
}

/** The figures of a load by way. A way whose queries the server rejected has its reason instead. */
export interface Ways {
  seconds: Partial<Record<Way, number>>;
  rejected: Partial<Record<Way, string>>;
  direct_of_plain: number | undefined;
  recorded_of_direct: number | undefined;
  samples_read: Partial<Record<Way, number>>;
  peak_samples: Partial<Record<Way, number>>;
}

/** The queries of each way, none for a dashboard without counters, and the number of queries to other servers. */
export async function loadsOf({ direct, recorded }: Models, range: { from: number; to: number }) {
  const { prometheus, others } = await loadOf(direct, range);
  const loads: Record<Way, Query[]> = {
    plain: prometheus.map((query) => plain(query, range)),
    direct: prometheus,
    recorded: recorded ? (await loadOf(recorded, range)).prometheus : [],
  };
  return { loads, others };
}

/** Each figure of all rounds, by load. */
export function figuresOf<Name extends string>(turns: Record<Name, Turns>): Record<Name, Record<keyof Cost, number[]>> {
  const of = ({ costs }: Turns, figure: keyof Cost) => costs.map((cost) => cost[figure]);
  const figures = (each: Turns) => ({
    read: of(each, "read"),
    loaded: of(each, "loaded"),
    peak: of(each, "peak"),
    seconds: of(each, "seconds"),
    cpuSeconds: of(each, "cpuSeconds"),
  });
  return Object.fromEntries(Object.entries<Turns>(turns).map(([name, each]) => [name, figures(each)])) as ReturnType<
    typeof figuresOf<Name>
  >;
}

/** @throws Error if the recorded panels show other numbers than the direct ones: all ranges and steps of the benchmark are full minutes */
export function waysOf(turns: Record<Way, Turns>): Ways {
  if (!turns.direct.rejected && !turns.recorded.rejected) {
    for (const [index, values] of turns.direct.values.entries())
      requireSame(values, turns.recorded.values[index] ?? new Map(), `query ${index + 1} of the dashboard`);
  }
  const figures = figuresOf(turns);
  const measured = ways.filter((way) => !turns[way].rejected);
  const byWay = <T>(value: (way: Way) => T) => Object.fromEntries(measured.map((way) => [way, value(way)])) as Partial<Record<Way, T>>;
  const ratio = (dividend: Way, divisor: Way) =>
    turns[dividend].rejected || turns[divisor].rejected ? undefined : pairedRatio(figures[dividend].seconds, figures[divisor].seconds);
  return {
    seconds: byWay((way) => median(figures[way].seconds)),
    rejected: Object.fromEntries(ways.flatMap((way) => (turns[way].rejected ? [[way, turns[way].rejected]] : []))),
    direct_of_plain: ratio("direct", "plain"),
    recorded_of_direct: ratio("recorded", "direct"),
    samples_read: byWay((way) => median(figures[way].read)),
    peak_samples: byWay((way) => Math.max(...figures[way].peak)),
  };
}

/** A row of the table of ways. */
export interface WaysRow extends Ways {
  /** The range, and what the set has. */
  size: string;
  /** Counters of all processes. */
  series: number;
}

export const waysHead = [
  "Dashboard B",
  "counters",
  ...ways.map((way) => `${way}, s`),
  "direct / plain",
  "recorded / direct",
  "direct reads",
  "recorded reads",
  "direct peak",
  "recorded peak",
];

export function waysRow({ size, series, ...of }: WaysRow): string[] {
  const number = (value: number | undefined) => value?.toLocaleString("en") ?? "–";
  return [
    size,
    number(series),
    ...ways.map((way) => (of.rejected[way] ? `rejected: ${of.rejected[way]}` : (of.seconds[way]?.toFixed(3) ?? "–"))),
    of.direct_of_plain?.toFixed(1) ?? "–",
    of.recorded_of_direct?.toFixed(4) ?? "–",
    ...[of.samples_read.direct, of.samples_read.recorded, of.peak_samples.direct, of.peak_samples.recorded].map(number),
  ];
}
