/** Changes in words, as Markdown: those of single values and lists, whatever they belong to. Pure. */

import { withoutLogin } from "../text/sanitize";
import { at, type Change, type Json, type Path } from "./json";
import { code, short, wordDiff } from "./markdown";
import { nameOf } from "./match";

/** What stands in place of every secret. */
export const secretText = "[secret]";

/** What the engine writes for a value that only the deployment will tell. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Texts longer than this are compared by words. */
const shortText = 30;

/** A value in a line: short, and never anything but text. */
export function show(value: Json): string {
  if (value === secretText) return "a secret";
  if (value === unknownText) return "known after the deployment";
  if (typeof value === "object" || typeof value === "string") return code(short(typeof value === "string" ? value : JSON.stringify(value)));
  return String(value);
}

/** A name in a line: as it is where it is only letters. */
export const safeName = (name: string): string => (/^[a-z]{1,40}$/i.test(name) ? name : code(short(name)));

/** Whether two values look the same because logins in addresses are not shown. */
export const differInLogin = (before: Json | undefined, after: Json | undefined) =>
  typeof before === "string" && typeof after === "string" && before !== after && withoutLogin(before) === withoutLogin(after);

/** A change of one value; `name` is Markdown. */
export function valueWords(name: string, before: Json | undefined, after: Json | undefined): string {
  if (before === secretText || after === secretText) return `${name}, a secret, changed`;
  if (differInLogin(before, after)) return `the login in ${name} changed`;
  if (before === undefined) return `${name} set to ${show(after as Json)}`;
  if (after === undefined) return `${name} removed, was ${show(before)}`;
  const texts = typeof before === "string" && typeof after === "string" && after !== unknownText;
  if (texts && Math.min(before.length, after.length) > shortText) return `${name} ${wordDiff(before, after)}`;
  return `${name} ${show(before)} → ${show(after)}`;
}

/** Elements that a list lost and gained. */
export function listDifference({ before, after }: Change & { kind: "list" }): { removed: Json[]; added: Json[] } {
  const kept = new Set(after.flatMap((element) => ("from" in element ? [element.from] : [])));
  return {
    removed: before.filter((_, place) => !kept.has(place)),
    added: after.flatMap((element) => ("added" in element ? [element.added] : [])),
  };
}

type Describe = (element: Json) => string;
const byName: Describe = (element) => show(nameOf(element) ?? element);

/** A change of a list's elements; those that `describe` itself names need no name of the list. */
export function listWords(name: string, change: Change & { kind: "list" }, describe?: Describe): string {
  const { removed, added } = listDifference(change);
  const say = describe ?? byName;
  const parts = [...removed.map((element) => `${say(element)} removed`), ...added.map((element) => `${say(element)} added`)];
  if (parts.length === 0) return `${name} in another order`;
  return describe ? parts.join(", ") : `${name} ${parts.join(", ")}`;
}

/** A change of either kind under a name. */
export const changeWords = (change: Change, name: string, describe?: Describe) =>
  change.kind === "list" ? listWords(name, change, describe) : valueWords(name, change.before, change.after);

/** A change that has no words of its own: by its path in `root`, the value after all changes, from `start` on. */
export const pathWords = (change: Change, root: Json, start = 0) => changeWords(change, safeName(pathName(change.path, root, start)));

/** A path as text, elements of lists by their names where they have one. */
function pathName(path: Path, root: Json, start: number): string {
  const parts = path.map((key, depth) => {
    if (typeof key === "string") return `.${key}`;
    const name = nameOf(at(root, path.slice(0, depth + 1)));
    return `[${name === undefined ? key + 1 : typeof name === "string" ? name : JSON.stringify(name)}]`;
  });
  return parts.slice(start).join("").replace(/^\./, "");
}
