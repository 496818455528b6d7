/** What a panel shows, as short texts that can be compared. */
import type { Shown } from "../../../src/view/reading/show";

/** Numbers by name, those of 0 left out. A graph's are the sums of its points. */
export function numbersOf(shown: Shown): Record<string, number> {
  if (shown.kind === "values") {
    // A single number has the name of its query.
    const [first, ...others] = shown.values;
    const named = shown.values.map(({ name, value }): [string, number] => [name, value]);
    return Object.fromEntries(first && others.length === 0 && singles.includes(first.name) ? [["", first.value]] : named);
  }
  if (shown.kind !== "series") return {};
  return Object.fromEntries(shown.series.map(({ name, points }) => [name, points.reduce((sum, [, value]) => sum + value, 0)]));
}

/** Names of single numbers. */
const singles = ["Requests", "Errors", "p95", "Tokens", "Cost"];

/** A row of a table of spans in words. */
export function rowsOf(shown: Shown): string[] {
  if (shown.kind !== "table") return [];
  return shown.rows.map((row) => {
    const text = (column: string) => row[column]?.text.replace("–", "") ?? "";
    const tokens = [text("Tokens in"), text("Tokens out")].filter((each) => each !== "" && each !== "0").join("+");
    const failure = text("Status") === "failed" ? "failed" : "";
    const called = [text("System"), text("Operation"), text("Model")];
    const contents = [text("Prompt"), text("Completion")].map(contentOf);
    return [...called, tokens, failure, text("Error"), text("Cost"), ...contents].filter(Boolean).join(" ");
  });
}

/** The content of the first message, if the text is JSON. */
export function contentOf(text: string): string {
  if (!text.startsWith("[")) return text;
  const [message] = JSON.parse(text) as { parts: { content: string }[] }[];
  return message?.parts[0]?.content ?? "";
}

/** Numbers have six digits: sums are calculated in different orders. Equal rows are one: a recording has one span of each kind. */
export function textOf(parts: Record<string, number> | readonly string[]): string {
  const texts = isRows(parts)
    ? [...new Set(parts)].sort().join("; ")
    : Object.entries(parts)
        .filter(([name, value]) => name === "" || Math.abs(value) > nothingMore)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, value]) => `${name} ${Number(value.toPrecision(6))}`.trim())
        .join(", ");
  return texts || "no data";
}

const isRows = (parts: Record<string, number> | readonly string[]): parts is readonly string[] => Array.isArray(parts);

const nothingMore = 1e-12;
