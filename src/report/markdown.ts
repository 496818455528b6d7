/** Text of others in Markdown, from which nothing can break out: it stands in code spans only, where neither markup, HTML, links nor mentions work. */
import { diffWordsWithSpace } from "diff";
import { clip, visible } from "../shown";

/** Above so many pieces, a diff by words is harder to read than both texts. */
const mostPieces = 25;

/** A fence of backticks that no run of them in the text can end. */
function fenceFor(text: string, shortest: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return "`".repeat(Math.max(shortest, ...runs));
}

/** The text as a code span. */
export function code(text: string): string {
  const plain = visible(text);
  if (plain === "") return "(empty)";
  const fence = fenceFor(plain, 1);
  // Markdown takes one space away at both ends where there is one at both ends and something between them.
  const pad = /^`|`$|^ .*[^ ].* $/.test(plain) ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

/** A text of several lines as a block. */
export function quote(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => clip(visible(line), 300));
  const fence = fenceFor(text, 3);
  return [`${fence}text`, ...(lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines), fence];
}

/** The text as HTML code, for places where Markdown is not read. */
export function htmlCode(text: string): string {
  return `<code>${visible(text).replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`)}</code>`;
}

/** Where a text of many lines is cut. */
const mostLines = 40;

/** How much of an unchanged text stands beside a change. */
const nearby = 20;

/** From one text to another: only the words that differ, with what stands right beside them. */
export function wordDiff(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: 400 });
  if (!parts || parts.length > mostPieces || !parts.some(({ added, removed }) => !added && !removed)) {
    return `${code(clip(before))} → ${code(clip(after))}`;
  }
  const pieces = parts.map(({ added, removed, value }, place) => {
    if (removed) return `~~${code(clip(value))}~~`;
    if (added) return `**${code(clip(value))}**`;
    return code(aroundChange(value, place > 0, place < parts.length - 1));
  });
  return pieces.join(" ");
}

/** What of an unchanged piece stands beside a change. */
function aroundChange(text: string, isAfterOne: boolean, isBeforeOne: boolean): string {
  const signs = [...text];
  const start = isAfterOne ? nearby : 0;
  const end = isBeforeOne ? nearby : 0;
  if (signs.length <= start + end) return text;
  return `${signs.slice(0, start).join("")}…${signs.slice(signs.length - end).join("")}`;
}
