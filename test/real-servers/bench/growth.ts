/** The cost of a load of each dashboard by applications and by range. */
import type { Figures } from "./figures";
import type { Line, Plot } from "./plot";
import type { ProcessRow } from "./processes";
import { type Ways, ways } from "./ways";

/** The figures of one size. */
export interface Grown extends Figures {
  dashboard: "A" | "B";
  by: "applications" | "days";
  size: number;
  series: number;
  /** Samples in the range. */
  samples: number;
  ways?: Ways;
}

const colors = { A: "#3274d9", direct: "#e0752d", recorded: "#56a64b", plain: "#8c959f" };

/** Seconds by applications, by days, and by processes. */
export function plotsOf(growth: readonly Grown[], processes: readonly ProcessRow[]): Plot[] {
  const points = (by: Grown["by"], dashboard: "A" | "B", secondsOf: (each: Grown) => number | undefined) =>
    growth.filter((each) => each.by === by && each.dashboard === dashboard).flatMap((each) => pointOf(each.size, secondsOf(each)));
  const linesBy = (by: Grown["by"]): Line[] => [
    { name: "A", color: colors.A, points: points(by, "A", ({ seconds }) => seconds) },
    { name: "B, direct", color: colors.direct, points: points(by, "B", ({ seconds }) => seconds) },
    { name: "B, recorded", color: colors.recorded, points: points(by, "B", (each) => each.ways?.seconds.recorded) },
  ];
  const byProcesses = ways.map((way): Line => {
    const rows = processes.filter(({ days }) => days === 1);
    return { name: `B, ${way}`, color: colors[way], points: rows.flatMap((each) => pointOf(each.processes, each.seconds[way])) };
  });
  const plots: Pick<Plot, "title" | "x" | "lines">[] = [
    { title: "24 h, same number of samples", x: "applications, as a multiple of the smallest set", lines: linesBy("applications") },
    { title: "1 to 30 days, same density", x: "days", lines: linesBy("days") },
    { title: "24 h, same labels", x: "processes of each label set", lines: byProcesses },
  ];
  const seconds = plots.flatMap(({ lines }) => lines.flatMap((line) => line.points.map(([, y]) => y)));
  const marks = [0.01, 0.1, 1, 10, 100, 1000].map((value): [number, string] => [value, `${value} s`]);
  const [smallest, largest] = [Math.min(...seconds), Math.max(...seconds)];
  const yMarks = marks.filter(([value], index) => (marks[index - 1]?.[0] ?? 0) < largest && value * 10 > smallest);
  return plots.map((plot) => {
    const sizes = [...new Set(plot.lines.flatMap((line) => line.points.map(([x]) => x)))].sort((left, right) => left - right);
    return { ...plot, y: "", yMarks, xMarks: sizes.map((size): [number, string] => [size, `${size}`]) };
  });
}

const pointOf = (size: number, seconds: number | undefined): [number, number][] => (seconds === undefined ? [] : [[size, seconds]]);

export const growthHead = ["Dashboard", "range", "series", "samples", "seconds", "time of plain", "of floor", "samples in memory"];

export const growthRow = ({ dashboard, by, size, series, samples, ...figures }: Grown): string[] => [
  dashboard,
  by === "applications" ? `24 h, ${size}x` : `${size} days`,
  series.toLocaleString("en"),
  Math.round(samples).toLocaleString("en"),
  figures.seconds.toFixed(2),
  figures.plain_wall_ratio.toFixed(1),
  figures.floor_ratio.toFixed(2),
  figures.peak_samples.toLocaleString("en"),
];
