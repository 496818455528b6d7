/** Added, removed and moved panels in words: what follows from a change elsewhere is counted, not told one by one. Pure. */

import type { FlatPanel } from "./dashboard-diff";
import { type Change, type Json, own } from "./json";
import { code, short } from "./markdown";

interface Kept {
  before: FlatPanel;
  after: FlatPanel;
  from: number;
  to: number;
}

/** Panels that are in only one of the lists. */
interface CameOrWent {
  removed: readonly FlatPanel[];
  added: readonly FlatPanel[];
}

/** How many panels are named in one line. */
const maxNames = 3;

/** A panel by its title. */
export function label(panel: Json): string {
  const title = own(panel, "title");
  const type = String(own(panel, "type") ?? "panel");
  const name = typeof title === "string" && title !== "" ? `**${code(short(title))}**` : `${code(short(type))} without a title`;
  return type === "row" ? `row ${name}` : name;
}

/** Lines on which panels there are and where, from the flat lists and the change of the list, if there is one. */
export function layoutLines(
  before: readonly FlatPanel[],
  after: readonly FlatPanel[],
  change: (Change & { kind: "list" }) | undefined,
): string[] {
  const origins = after.map((_, to) => {
    const element = change?.after[to];
    return element === undefined ? to : "from" in element ? element.from : undefined;
  });
  const kept = after.flatMap((panel, to): Kept[] => {
    const from = origins[to];
    return from === undefined ? [] : [{ before: before[from] as FlatPanel, after: panel, from, to }];
  });
  const keptFrom = new Set(kept.map(({ from }) => from));
  const removed = before.filter((_, from) => !keptFrom.has(from));
  const added = after.filter((_, to) => origins[to] === undefined);
  const lines = [
    ...removed.map(({ panel }) => `panel removed: ${labelWithType(panel)}`),
    ...added.map((each) => `panel added: ${labelWithType(each.panel)}, ${whereIs(after.indexOf(each), after)}`),
  ];
  const moves = moveWords(kept, after, { removed, added });
  if (moves.length === 0) return lines;
  // What moved because of the one panel that came or went stands in its line.
  return lines.length === 1 ? [[...lines, ...moves].join("; ")] : [...lines, moves.join("; ")];
}

const labelWithType = (panel: Json) => `${label(panel)} (${code(short(String(own(panel, "type") ?? "panel")))})`;

const whereIs = (to: number, panels: readonly FlatPanel[]) => (to === 0 ? "at the top" : `after ${label(panels[to - 1]?.panel ?? null)}`);

/** Parts of one line: panels in another order or row, of another size, at another place. */
function moveWords(kept: readonly Kept[], after: readonly FlatPanel[], { removed, added }: CameOrWent): string[] {
  const inOrder = longestRising(kept.map(({ from }) => from));
  const moved = kept.filter(({ from }) => !inOrder.has(from));
  const folded = kept.filter(({ before, after }) => !before.nested && after.nested);
  const unfolded = kept.filter(({ before, after }) => before.nested && !after.nested);
  const resized = kept.filter(({ before, after }) => side(before, "w") !== side(after, "w") || side(before, "h") !== side(after, "h"));
  const shifted = kept.filter(({ before, after }) => side(before, "x") !== side(after, "x") || side(before, "y") !== side(after, "y"));
  // Below a panel that went or has another size, or below one that came: what moved there only follows.
  const isBelow = ({ before, after }: Kept) =>
    [...removed, ...resized.map((each) => each.before)].some((each) => Number(side(before, "y")) > Number(side(each, "y"))) ||
    added.some((each) => Number(side(after, "y")) > Number(side(each, "y")));
  const others = shifted.filter((each) => !resized.includes(each));
  const below = others.filter(isBelow);
  const apart = others.filter((each) => !below.includes(each));
  const isRearranged = moved.length + folded.length + unfolded.length > 0;
  return [
    ...(moved.length > 0 ? [orderWords(moved, kept.length, after)] : []),
    ...(folded.length > 0 ? [`${names(folded)} folded into a row`] : []),
    ...(unfolded.length > 0 ? [`${names(unfolded)} unfolded from a row`] : []),
    ...(resized.length > 0 ? [`${names(resized)} resized${resized.length === 1 ? sizes(resized[0] as Kept) : ""}`] : []),
    // Another order brings other places along: nobody needs to read both.
    ...(below.length > 0 && !isRearranged ? [shiftWords(below, `${panels(below.length)} below`)] : []),
    ...(apart.length > 0 && !isRearranged ? [shiftWords(apart, names(apart))] : []),
  ];
}

function orderWords(moved: readonly Kept[], all: number, after: readonly FlatPanel[]): string {
  const [first] = moved as [Kept];
  const inOneRow = moved.every(({ from, to }, place) => from === first.from + place && to === first.to + place);
  if (inOneRow && own(first.after.panel, "type") === "row" && moved.length > 1) {
    return `${label(first.after.panel)} moved with its ${panels(moved.length - 1)}, now ${whereIs(first.to, after)}`;
  }
  if (inOneRow && moved.length <= maxNames) return `${names(moved)} moved, now ${whereIs(first.to, after)}`;
  return moved.length > maxNames && 2 * moved.length >= all ? `${panels(all)} in another order` : `${names(moved)} moved`;
}

/** Panels that kept their order and size, at other places. */
function shiftWords(shifted: readonly Kept[], who: string): string {
  const ways = new Set(shifted.map(({ before, after }) => `${delta(before, after, "x")} ${delta(before, after, "y")}`));
  const [{ before, after }] = shifted as [Kept];
  const down = delta(before, after, "y");
  if (ways.size > 1 || delta(before, after, "x") !== 0 || Number.isNaN(down)) return `${who} at other places`;
  return `${who} moved ${down > 0 ? "down" : "up"} by ${Math.abs(down)}`;
}

function names(some: readonly Kept[]): string {
  if (some.length > maxNames) return panels(some.length);
  return some.map(({ after }) => label(after.panel)).join(", ");
}

const panels = (count: number) => (count === 1 ? "1 panel" : `${count} panels`);
const side = ({ panel }: FlatPanel, name: string) => own(own(panel, "gridPos"), name);
const delta = (before: FlatPanel, after: FlatPanel, name: string) => Number(side(after, name)) - Number(side(before, name));
const size = (panel: FlatPanel) => `${Number(side(panel, "w"))}×${Number(side(panel, "h"))}`;
const sizes = ({ before, after }: Kept) => (side(before, "w") && side(after, "w") ? ` ${size(before)} → ${size(after)}` : "");

/** The most numbers that stand in rising order: what is not among them has moved. */
function longestRising(numbers: readonly number[]): Set<number> {
  const best = numbers.map(() => ({ length: 1, previous: -1 }));
  for (const [place, each] of best.entries()) {
    for (let earlier = 0; earlier < place; earlier++) {
      const length = (best[earlier]?.length ?? 0) + 1;
      if ((numbers[earlier] ?? 0) < (numbers[place] ?? 0) && length > each.length) Object.assign(each, { length, previous: earlier });
    }
  }
  const rising = new Set<number>();
  const longest = Math.max(0, ...best.map(({ length }) => length));
  for (let place = best.findIndex(({ length }) => length === longest); place >= 0; place = best[place]?.previous ?? -1) {
    rising.add(numbers[place] as number);
  }
  return rising;
}
