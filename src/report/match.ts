/** Which element of a new list is which of the old one: by what it says, not by its place. Pure. */
import { withoutLogin } from "../text/sanitize";
import { canonical, isObject, type Json, type Match, own } from "./json";

/** What an element is known by; undefined where it has nothing of that kind. */
type Key = (element: Json) => string | undefined;

/** How much two elements are alike; they may be the same one from 1 on. */
type Likeness = (before: Json, after: Json) => number;

/**
 * Pairs elements by each key in turn, the most telling one first. Of several with one key the first is paired with the first. What is left is paired
 * by likeness, the most alike first.
 */
export function pair(before: readonly Json[], after: readonly Json[], keys: readonly Key[], likeness: Likeness): (number | undefined)[] {
  const origins = after.map((): number | undefined => undefined);
  const free = new Set(before.keys());
  const join = (from: number, to: number) => {
    origins[to] = from;
    free.delete(from);
  };
  for (const key of keys) {
    const waiting = new Map<string, number[]>();
    for (const from of free) {
      const known = key(before[from] as Json);
      if (known !== undefined) waiting.set(known, [...(waiting.get(known) ?? []), from]);
    }
    for (const [to, element] of after.entries()) {
      if (origins[to] !== undefined) continue;
      const from = waiting.get(key(element) ?? "")?.shift();
      if (from !== undefined) join(from, to);
    }
  }
  const open = after.flatMap((element, to) => (origins[to] === undefined ? [{ element, to }] : []));
  const pairs = [...free].flatMap((from) => open.map(({ element, to }) => ({ from, to, score: likeness(before[from] as Json, element) })));
  for (const { from, to } of pairs.filter(({ score }) => score >= 1).sort((left, right) => right.score - left.score)) {
    if (free.has(from) && origins[to] === undefined) join(from, to);
  }
  return origins;
}

const without = (element: Json, ...names: string[]): Json =>
  isObject(element) ? Object.fromEntries(Object.entries(element).filter(([name]) => !names.includes(name))) : element;

const word = (element: Json, name: string): string | undefined => {
  const value = own(element, name);
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Several words as one key, undefined where one is missing. */
const words = (...parts: (string | undefined)[]) => (parts.includes(undefined) ? undefined : parts.join("\0"));

const panelOf = (element: Json) => own(element, "panel") as Json;

/** A panel is known by all of it but its place, by its title, type and queries, then by its title. */
const panelKeys: Key[] = [
  (element) => canonical(without(panelOf(element), "id", "gridPos")),
  (element) => words(word(panelOf(element), "title"), word(panelOf(element), "type"), canonical(own(panelOf(element), "targets") ?? [])),
  (element) => words(word(panelOf(element), "title"), word(panelOf(element), "type")),
  (element) => word(panelOf(element), "title"),
];

/** What says that a panel with another title is the same one: its queries first. A row has nothing but its title and place. */
const panelWeights = { type: 2, targets: 4, description: 2, fieldConfig: 1, options: 1, gridPos: 1, id: 1 };
const enough = { row: 2, panel: 6 };

const panelLikeness: Likeness = (before, after) => {
  const weights = Object.entries(panelWeights).filter(([name]) => {
    const value = own(panelOf(before), name);
    return value !== undefined && canonical(value) === canonical(own(panelOf(after), name) ?? null);
  });
  const score = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return score / (own(panelOf(before), "type") === "row" ? enough.row : enough.panel);
};

const targetKeys: Key[] = [
  (target) => canonical(without(target, "refId")),
  (target) => word(target, "legendFormat"),
  (target) => word(target, "refId"),
];

/** Fields by which elements of other lists are known. */
const nameFields = ["name", "title", "id", "uid", "color", "matcher"];

/** What an element of a list is called, undefined where it has no name. */
export function nameOf(element: Json | undefined): Json | undefined {
  return nameFields.map((name) => own(element, name)).find((value) => value !== undefined && value !== "");
}

const elementKeys: Key[] = [
  canonical,
  // A login in it, which the report does not show, makes it no other one.
  (element) => withoutLogin(canonical(element)),
  (element) => {
    const name = nameOf(element);
    return name === undefined ? undefined : canonical(name);
  },
];

/** Objects may be the same one where half of their fields are equal. */
const likeness: Likeness = (before, after) => {
  if (!isObject(before) || !isObject(after)) return 0;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const equal = names.filter((name) => canonical(own(before, name) ?? null) === canonical(own(after, name) ?? null));
  return (2 * equal.length) / names.length;
};

/** Matches the lists of a dashboard, whose panels are flat (see `flatten`), and of any other value. */
export const match: Match = (path, before, after) => {
  if (path.length === 1 && path[0] === "panels") return pair(before, after, panelKeys, panelLikeness);
  if (path.at(-1) === "targets") return pair(before, after, targetKeys, () => 1);
  return pair(before, after, elementKeys, likeness);
};
