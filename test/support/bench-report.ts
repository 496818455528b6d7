export interface BenchOptions {
  /** Number of measurements. Each benchmark has its own default. */
  rounds: number | undefined;
  /** Whether only the smallest sizes are measured. */
  small: boolean;
}

/** The result of a benchmark. */
export interface BenchReport {
  /** For people. */
  text: string;
  /** As data, merged into one object with the other benchmarks. */
  json: Record<string, unknown>;
}

/** A table for people; columns of figures are aligned to the right, the first one to the left. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ");
  return [title, ...[head, ...rows].map((row) => `  ${line(row)}`.trimEnd())].join("\n");
}

/** A figure in a table; a dash where the machine does not tell it. */
export const figure = (value: number | undefined, digits = 2) => value?.toFixed(digits) ?? "–";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
