/** What a panel shows of a recording, and how it differs from the known calls. */
import { type Panel, type Shown, textOf } from "../../view/reading/show";
import type { Window } from "../ledger";
import type { Expected, Row } from "../truths/expected";
import type { Range } from "./recorded-times";

/** Numbers by name, those of 0 left out. A graph's are the sums of its points. */
export function numbersOf(shown: Shown): Map<string, number> {
  const all: [string, number][] =
    shown.kind === "values"
      ? shown.values.flatMap(({ name, value }) => (name === "course" ? [] : [[name, value]]))
      : shown.kind === "series"
        ? shown.series.map(({ name, points }) => [name, points.reduce((sum, [, value]) => sum + value, 0)])
        : [];
  return new Map(all.filter(([name, value]) => name === "Errors" || Math.abs(value) > 1e-12));
}

/** The known numbers, of equal ones those that are shown. A single number has the name of its query. */
export function knownNumbers(expected: Expected, window: Window, shown: ReadonlyMap<string, number>): Map<string, Range> {
  if (expected.kind !== "values" && expected.kind !== "series") return new Map();
  const known = expected.kind === "values" ? expected.values : expected.at(window);
  const [single = ""] = shown.keys();
  const numbers = [...known].map(([name, { value }]) => [name || single, value] as const).filter(([, value]) => value > 1e-12);
  const descending = numbers.sort(([left, a], [right, b]) => b - a || Number(shown.has(right)) - Number(shown.has(left)));
  const top = expected.kind === "values" ? expected.top : undefined;
  // Sums are calculated in different orders.
  return new Map(descending.slice(0, top).map(([name, value]) => [name, [value * (1 - 1e-6), value * (1 + 1e-6)]]));
}

/** How numbers differ from the known ones, in words. Empty if they do not. */
export function difference(panel: Panel, known: ReadonlyMap<string, Range>, shown: ReadonlyMap<string, number>): string {
  const isRight = ([name, value]: [string, number]) => {
    const [from, to] = known.get(name) ?? [0, -1];
    return value >= from && value <= to;
  };
  // Of equal values, panels have any order.
  const sorted = [...shown].sort(([left, a], [right, b]) => b - a || left.localeCompare(right));
  const wrong = sorted.filter((each) => !isRight(each)).map(([name, value]) => [name, textOf(panel, value, name)]);
  const missing = [...known.keys()].filter((name) => !shown.has(name)).map((name) => ["no", name]);
  if (shown.size === 0 && missing.length > 0) return "no data";
  const isSingle = panel.type === "stat" && known.size < 2 && shown.size < 2;
  return listed(isSingle ? wrong.map(([, text]) => text as string) : [...wrong, ...missing].map((parts) => parts.join(" ")));
}

/** How a table of numbers differs from the known ones, in words: those of calls, and ranges of times by column. */
export function tableDifference(
  { columns }: Extract<Expected, { kind: "numbers" }>,
  times: Readonly<Record<string, ReadonlyMap<string, Range>>>,
  shown: Shown,
): string {
  if (shown.kind !== "table") return "no data";
  const [first = ""] = shown.columns;
  const known = Object.entries(columns).flatMap(([title, { values }]): [string, ReadonlyMap<string, Range>][] => {
    const exact = [...values].map(([name, { value }]) => [name, [value * (1 - 1e-6), value * (1 + 1e-6)] as const] as const);
    return [[title, times[title] ?? new Map(exact.filter(([, [, to]]) => to > 1e-12))]];
  });
  const names = new Set(known.flatMap(([, values]) => [...values.keys()]));
  const rows = new Map(shown.rows.map((row) => [row[first]?.text ?? "", row]));
  const wrong = [...rows].flatMap(([name, row]) =>
    known.flatMap(([title, values]) => {
      const { value, text = "–" } = row[title] ?? {};
      const [from, to] = values.get(name) ?? [Number.NaN, Number.NaN];
      const isRight = values.has(name) ? Number(value) >= from && Number(value) <= to : text === "–";
      return isRight ? [] : [`${name} ${title} ${text}`];
    }),
  );
  return listed([...wrong, ...[...names].filter((name) => !rows.has(name)).map((name) => `no ${name}`)]);
}

const listed = (parts: readonly string[]) => [...parts.slice(0, 2), ...(parts.length > 2 ? ["…"] : [])].join(", ");

/** How the cells of a table differ from those of the known rows. A recording has a span of each kind, and some a round with a tool. */
export function rowDifference(known: readonly Row[], shown: Shown): string {
  const kindOf = (cell: (column: string) => unknown) => ["System", "Operation", "Model"].map(cell).filter(Boolean).join(" ");
  const rows = shown.kind === "table" ? shown.rows : [];
  const isOfTool = ({ Prompt, Completion }: (typeof rows)[number]) => /tool_call/.test(`${Prompt?.value} ${Completion?.value}`);
  const found = [...new Map(known.map((row) => [kindOf((column) => row[column]), row]))].map(([kind, row]) => ({
    kind,
    row,
    cells: rows.filter((cells) => kindOf((column) => cells[column]?.value) === kind && !isOfTool(cells)),
  }));
  const columns = ["Status", "Error", "Prompt", "Completion", "Tokens in", "Tokens out", "Cost"];
  const wrong = columns.flatMap((column) => {
    const having = found.filter(({ row, cells }) => row[column] !== undefined && cells.length > 0);
    const without = having.filter(({ row, cells }) =>
      cells.some((of) => contentOf(of[column]?.text ?? "") !== contentOf(`${row[column]}`)),
    );
    if (without.length === 0) return [];
    return [`no ${column}${without.length < having.length ? ` of ${without.map(({ row }) => row.Model).join(" and ")}` : ""}`];
  });
  return listed([...wrong, ...found.filter(({ cells }) => cells.length === 0).map(({ kind }) => `no ${kind}`)]);
}

/** The content of the first message, if the text is JSON. */
function contentOf(text: string): string {
  if (!text.startsWith("[")) return text;
  const [message] = JSON.parse(text) as { parts: { content: string }[] }[];
  return message?.parts[0]?.content ?? "";
}
