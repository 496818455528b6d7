/** Describes changes of single values and lists as Markdown. */
import { withoutLogin } from "../text/sanitize";
import { type Change, elementName } from "./diff";
import { field, type Json, type Path, valueAt } from "./json";
import { code, ends, short, textDiff } from "./markdown";
import { secretText } from "./secrets";

/** The engine's placeholder for an unknown value: `unknownValue` in Pulumi's sdk/nodejs/runtime/rpc.ts. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** Longer texts are compared by lines and words. */
const maxPlainLength = 30;

/** A value as a short code span; numbers, booleans and null as plain text. */
export function formatValue(value: Json): string {
  if (value === secretText) return "a secret";
  if (value === unknownText) return "known after the deployment";
  if (typeof value === "string") return code(short(value));
  return typeof value === "object" ? code(short(JSON.stringify(value))) : String(value);
}

/** The name of a property or kind: plain if it consists of letters and spaces, otherwise a code span. */
export const formatName = (name: string): string =>
  /^[a-z]+( [a-z]+)*$/i.test(name) && name.length <= 40 ? name : code(ends(withoutLogin(name)));

/** Names for paths, with the groups of their patterns. */
export type Names = readonly (readonly [path: RegExp, name: string])[];

/** @param root the new value that contains the path of the change */
export function describeChange(change: Change, root: Json, names: Names = []): string {
  const path = formatPath(change.path, root);
  const name = formatName(names.reduce((text, [pattern, name]) => text.replace(pattern, name), path));
  if ("origins" in change) {
    const removed = change.removed.map((element) => `${formatElement(element)} removed`);
    const added = change.added.map((element) => `${formatElement(element)} added`);
    return `${name} ${[...removed, ...added].join(", ") || "reordered"}`;
  }
  const { before, after } = change;
  if (before === secretText || after === secretText) return `${name} (secret) changed`;
  if (before === undefined) return `${name} set to ${formatValue(after as Json)}`;
  if (after === undefined) return `${name} removed, was ${formatValue(before)}`;
  if (typeof before === "string" && typeof after === "string" && after !== unknownText) {
    if (withoutLogin(before) === withoutLogin(after)) return `the credentials in ${name} changed`;
    if (Math.max(before.length, after.length) > maxPlainLength) return `${name} ${textDiff(before, after)}`;
  }
  return `${name} ${formatValue(before)} → ${formatValue(after)}`;
}

/** A list element by what a reader knows it by, or as a whole. */
const formatElement = (each: Json) =>
  formatValue(field(each, "name") ?? field(each, "title") ?? field(each, "expr") ?? valueAt(each, ["matcher", "options"]) ?? each);

/** A path such as `links[Runbook].url`, with the names of list elements or their positions from 1 on. */
function formatPath(path: Path, root: Json): string {
  const parts = path.map((key, depth) => {
    if (typeof key === "string") return `.${key}`;
    const name = elementName(valueAt(root, path.slice(0, depth + 1))) ?? key + 1;
    return `[${typeof name === "string" ? name : JSON.stringify(name)}]`;
  });
  return parts.join("").replace(/^\./, "");
}
