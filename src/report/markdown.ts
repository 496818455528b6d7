/** Text of others in Markdown, from which nothing can break out: it stands in code spans only, where neither markup, HTML, links nor mentions work. */
import { diffWordsWithSpace } from "diff";
import { truncate, visible, withoutLogin } from "../text/sanitize";

/** Above so many pieces, a diff by words is harder to read than both texts. */
const maxPieces = 25;

/** A fence of backticks that no run of them in the text can end. */
function fenceFor(text: string, shortest: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return "`".repeat(Math.max(shortest, ...runs));
}

/** What is shown of a text: its beginning, without logins. These go first, since the cut could take away the sign by which they are known. */
export const short = (text: string) => truncate(withoutLogin(text));

/** The text as a code span. */
export function code(text: string): string {
  const plain = visible(text);
  if (plain === "") return "(empty)";
  const fence = fenceFor(plain, 1);
  // Markdown takes one space away at both ends where there is one at both ends and something between them.
  const pad = /^`|`$|^ .*[^ ].* $/.test(plain) ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

/** A text of several lines as a block, without logins. */
export function quote(text: string): string[] {
  const lines = withoutLogin(text)
    .split(/\r\n|\n|\r/)
    .map((line) => truncate(visible(line), 300));
  const fence = fenceFor(text, 3);
  return [`${fence}text`, ...(lines.length > maxLines ? [...lines.slice(0, maxLines), "…"] : lines), fence];
}

/** The text as HTML code, for places where Markdown is not read. */
export function htmlCode(text: string): string {
  return `<code>${visible(text).replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`)}</code>`;
}

/** Where a text of many lines is cut. */
const maxLines = 40;

/** How much of an unchanged text stands beside a change. */
const nearby = 20;

/** From one text to another: only the words that differ, with what stands right beside them. */
export function wordDiff(oldText: string, newText: string): string {
  // As a whole: in a piece alone, a login would not be known as one.
  const [before, after] = [withoutLogin(oldText), withoutLogin(newText)];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: 400 });
  if (!parts || parts.length > maxPieces || !parts.some(({ added, removed }) => !added && !removed)) {
    const [old, wanted] = fromDifference(before, after);
    return `${code(truncate(old))} → ${code(truncate(wanted))}`;
  }
  const pieces = parts.map(({ added, removed, value }, place) => {
    if (removed) return `~~${code(truncate(value))}~~`;
    if (added) return `**${code(truncate(value))}**`;
    return code(aroundChange(value, place > 0, place < parts.length - 1));
  });
  return pieces.join(" ");
}

/** Both texts without what they long have in common at their beginning, where the cut would leave nothing else of them. */
function fromDifference(before: string, after: string): [string, string] {
  const [old, wanted] = [[...before], [...after]];
  const common = [...old, undefined].findIndex((sign, place) => sign !== wanted[place]);
  if (common <= 2 * nearby) return [before, after];
  const rest = (signs: string[]) => `…${signs.slice(common - nearby).join("")}`;
  return [rest(old), rest(wanted)];
}

/** What of an unchanged piece stands beside a change. */
function aroundChange(text: string, isAfterOne: boolean, isBeforeOne: boolean): string {
  const signs = [...text];
  const start = isAfterOne ? nearby : 0;
  const end = isBeforeOne ? nearby : 0;
  if (signs.length <= start + end) return text;
  return `${signs.slice(0, start).join("")}…${signs.slice(signs.length - end).join("")}`;
}
