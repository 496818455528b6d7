/** The step of a graph and the macros that depend on it, as Grafana calculates them. */
import type { Macros } from "./expand";
import { grafana } from "./library";
import type { Range } from "./panel";

/** The width of a dashboard on a screen of 1920 pixels, without the page's edge and the scroll bar. */
const dashboardWidth = 1880;

/** Pixels between panels (GRID_CELL_VMARGIN in public/app/core/constants.ts) and columns of the grid. */
const gap = 8;
const columns = 24;

/** The width in pixels of a panel on that screen. It requests one point for each. */
export function maxDataPoints({ w }: { w: number }): number {
  const column = (dashboardWidth - gap * (columns - 1)) / columns;
  return Math.round(column * w + gap * (w - 1));
}

/** The default interval of a Prometheus datasource. */
export const scrapeInterval = "15s";

/** Prometheus rejects queries with more points (pkg/promlib/models/query.go, safeResolution). */
const maxPoints = 11_000;

/** The interval that the browser calculates for a panel. The minimum is the panel's `interval`, else that of the datasource. */
export function requestInterval({ from, to }: Range, points: number, minInterval?: string): number {
  const range = { from: grafana.dateTime(from), to: grafana.dateTime(to), raw: { from: "", to: "" } };
  return grafana.rangeUtil.calculateInterval(range, points, minInterval).intervalMs;
}

/** The step of a range query in milliseconds (calculatePrometheusInterval in pkg/promlib/models/query.go). `minStep` is the target's. */
export function step(range: Range, points: number, interval: number, minStep?: string): number {
  const minimum = minStep ? grafana.rangeUtil.intervalToMs(minStep) : interval;
  const exact = (range.to - range.from) / points;
  const calculated = exact < minimum ? minimum : round(exact);
  return Math.max(calculated, round((range.to - range.from) / maxPoints));
}

/**
 * `RoundInterval` of grafana-plugin-sdk-go (backend/gtime/gtime.go). It has the browser's table, except that a bound between two intervals rounds
 * down: an interval slightly below the bound gives the same.
 */
const round = (interval: number) => grafana.rangeUtil.roundInterval(interval * (1 - Number.EPSILON));

/**
 * The range of a request to Prometheus: both ends rounded down to a multiple of the step in the reader's time zone (AlignTimeRange in
 * pkg/promlib/models/query.go).
 *
 * @param utcOffset milliseconds by which the time zone is ahead of UTC
 */
export function aligned({ from, to }: Range, step: number, utcOffset = 0): Range {
  const down = (time: number) => Math.floor((time + utcOffset) / step) * step - utcOffset;
  return { from: down(from), to: down(to) };
}

/** Macros in PromQL (interpolateVariables in pkg/promlib/models/query.go) and LogQL (the same in pkg/tsdb/loki/parse_query.go). */
export function macros({ from, to }: Range, step: number, interval: number, minStep: string = scrapeInterval): Macros {
  const range = to - from;
  const seconds = Math.round(range / 1000);
  const scrape = grafana.rangeUtil.intervalToMs(minStep);
  const rate = Math.max(interval + scrape, 4 * scrape);
  return [
    ["__interval_ms", `${step}`],
    ["__interval", inOneUnit(step)],
    ["__range_ms", `${range}`],
    ["__range_s", `${seconds}`],
    ["__range", `${seconds}s`],
    ["__rate_interval_ms", `${rate}`],
    ["__rate_interval", inAllUnits(rate)],
  ];
}

const units: [name: string, milliseconds: number][] = [
  ["y", 365 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
];

/** A duration in its largest unit, rounded down, as `FormatInterval` of backend/gtime/gtime.go writes it: 90 s is `1m`. */
function inOneUnit(duration: number): string {
  const [name, length] = units.find(([, length]) => duration >= length) ?? ["ms", 1];
  return `${Math.max(1, Math.floor(duration / length))}${name}`;
}

/** A duration as Go writes it: `1m0s`. */
function inAllUnits(duration: number): string {
  if (duration < 1000) return `${duration}ms`;
  const seconds = duration / 1000;
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, +(seconds % 60).toFixed(3)];
  return `${h ? `${h}h` : ""}${h || m ? `${m}m` : ""}${s}s`;
}
