/** Describes changes of single values and lists as Markdown. */
import { withoutLogin } from "../text/sanitize";
import { type Change, elementName } from "./diff";
import { type Json, type Path, valueAt } from "./json";
import { code, short, wordDiff } from "./markdown";
import { secretText } from "./secrets";

/** The engine's placeholder for an unknown value: `unknownValue` in Pulumi's sdk/nodejs/runtime/rpc.ts. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Longer texts are compared by words. */
const maxPlainLength = 30;

/** A value as a short code span; numbers, booleans and null as plain text. */
export function formatValue(value: Json): string {
  if (value === secretText) return "a secret";
  if (value === unknownText) return "known after the deployment";
  if (typeof value === "string") return code(short(value));
  return typeof value === "object" ? code(short(JSON.stringify(value))) : String(value);
}

/** A property name: plain if it consists of letters and spaces, otherwise a code span. */
export const formatName = (name: string): string => (/^[a-z]+( [a-z]+)?$/i.test(name) && name.length <= 40 ? name : code(short(name)));

/** Whether two URLs differ only in their user name or password, which the report does not show. */
export const differOnlyInCredentials = (before: Json | undefined, after: Json | undefined) =>
  typeof before === "string" && typeof after === "string" && before !== after && withoutLogin(before) === withoutLogin(after);

/** @param name Markdown */
export function describeValueChange(name: string, before: Json | undefined, after: Json | undefined): string {
  if (before === secretText || after === secretText) return `${name} (secret) changed`;
  if (differOnlyInCredentials(before, after)) return `the credentials in ${name} changed`;
  if (before === undefined) return `${name} set to ${formatValue(after as Json)}`;
  if (after === undefined) return `${name} removed, was ${formatValue(before)}`;
  const areTexts = typeof before === "string" && typeof after === "string" && after !== unknownText;
  if (areTexts && Math.max(before.length, after.length) > maxPlainLength) return `${name} ${wordDiff(before, after)}`;
  return `${name} ${formatValue(before)} → ${formatValue(after)}`;
}

/** The name of a list element, or the element if it has none. */
export const formatElement = (element: Json) => formatValue(elementName(element) ?? element);

/**
 * @param name Markdown
 * @param labelOf describes an element of a list. Defaults to `name` and the element's name.
 */
export function describeChange(change: Change, name: string, labelOf?: (element: Json) => string): string {
  if (!("origins" in change)) return describeValueChange(name, change.before, change.after);
  const label = labelOf ?? formatElement;
  const elements = [...change.removed.map((each) => `${label(each)} removed`), ...change.added.map((each) => `${label(each)} added`)];
  if (elements.length === 0) return `${name} reordered`;
  return `${labelOf ? "" : `${name} `}${elements.join(", ")}`;
}

/** @param root the new value that contains the path of the change */
export const describeAtPath = (change: Change, root: Json) => describeChange(change, formatName(formatPath(change.path, root)));

/** A path such as `links[Runbook].url`, with the names of list elements or their positions from 1 on. */
function formatPath(path: Path, root: Json): string {
  const parts = path.map((key, depth) => {
    if (typeof key === "string") return `.${key}`;
    const name = elementName(valueAt(root, path.slice(0, depth + 1))) ?? key + 1;
    return `[${typeof name === "string" ? name : JSON.stringify(name)}]`;
  });
  return parts.join("").replace(/^\./, "");
}
