/** The cost of a load of each dashboard by applications and by range. */
import type { Figures } from "./figures";
import type { Plot } from "./plot";

/** The figures of one size. */
export interface Grown extends Figures {
  dashboard: "A" | "B";
  by: "applications" | "days";
  size: number;
  series: number;
  /** Samples in the range. */
  samples: number;
}

const colors = { A: "#3274d9", B: "#e0752d" };
const names = { A: "A, LLM Monitoring", B: "B, GenAI Observability" };

/** Seconds by applications, and by days. */
export function plotsOf(all: readonly Grown[]): Plot[] {
  const seconds = [0.1, 1, 10, 100, 1000].map((value): [number, string] => [value, `${value} s`]);
  const largest = Math.max(...all.map((each) => each.seconds));
  const smallest = Math.min(...all.map((each) => each.seconds));
  const yMarks = seconds.filter(([value], index) => (seconds[index - 1]?.[0] ?? 0) < largest && value * 10 > smallest);
  const plot = (by: Grown["by"], title: string, x: string, unit: string): Plot => {
    const shown = all.filter((each) => each.by === by);
    return {
      title,
      x,
      y: "",
      yMarks,
      xMarks: [...new Set(shown.map(({ size }) => size))].sort((left, right) => left - right).map((size) => [size, `${size}${unit}`]),
      lines: (["A", "B"] as const).map((dashboard) => ({
        name: names[dashboard],
        color: colors[dashboard],
        points: shown.filter((each) => each.dashboard === dashboard).map(({ size, seconds: took }) => [size, took]),
      })),
    };
  };
  return [
    plot("applications", "Load of 24 h, same number of samples", "applications, as a multiple of the smallest set", "×"),
    plot("days", "Load of 1 to 30 days, same density", "days", ""),
  ];
}

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
