/** Renders untrusted text as Markdown: only as code, in which no markup, HTML, link or mention has an effect. */
import { diffArrays, diffWordsWithSpace } from "diff";
import { truncate, visible, withoutLogin } from "../text/sanitize";

/** Limits of a word diff, beyond which the text is replaced. An edited query has 3/4 or more in common, a rewritten one 0.65 or less. */
const wordLimits = { common: 0.7, edits: 400, pieces: 25, replacement: 160 };
/** The number of unchanged characters that are shown beside a change, and at the start and the end of the text. */
const context = 40;
const maxLines = 12;
const blockLimits = { lines: 40, lineLength: 300 };

/** A code fence that is longer than every run of backticks in the text. */
function fenceFor(text: string, minLength: number): string {
  const lengths = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return "`".repeat(Math.max(minLength, ...lengths));
}

/** The beginning of a text, without credentials in URLs. Removes them first: a cut could hide the `@` that follows them. */
export const short = (text: string) => truncate(withoutLogin(text));

/** The beginning and the end of a text, each with so many characters. */
export const ends = (text: string, kept = context) => text.replace(new RegExp(`^(.{${kept}}).+(.{${kept}})$`, "su"), "$1…$2");

export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "(empty)";
  const fence = fenceFor(shown, 1);
  // CommonMark strips one space from both ends of a code span: https://spec.commonmark.org/0.31.2/#code-spans
  const padding = /^`|`$|^ .*[^ ].* $/.test(shown) ? " " : "";
  return `${fence}${padding}${shown}${padding}${fence}`;
}

/** The lines of a code block with a text of several lines, without credentials in URLs. */
export function codeBlock(text: string): string[] {
  const lines = withoutLogin(text)
    .split(/\r\n|\n|\r/)
    .map((line) => truncate(visible(line), blockLimits.lineLength));
  const fence = fenceFor(text, 3);
  return [`${fence}text`, ...lines.slice(0, blockLimits.lines), ...(lines.length > blockLimits.lines ? ["…"] : []), fence];
}

/** The text as an HTML code element, for places without Markdown. */
export const htmlCode = (text: string) =>
  `<code>${visible(text).replace(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0)};`)}</code>`;

/** The lines that differ between two texts, each with its changed words; the words of the texts as a whole if most lines are others. */
export function textDiff(oldText: string, newText: string): string {
  // From the whole texts: credentials are not recognizable in a piece.
  const [before, after] = [withoutLogin(oldText), withoutLogin(newText)];
  const [oldLines, newLines] = [before, after].map((text) => text.split("\n")) as [string[], string[]];
  const parts = diffArrays(oldLines, newLines);
  const kept = parts.flatMap(({ added, removed, value }) => (added || removed ? [] : value));
  if (kept.length < Math.max(oldLines.length, newLines.length) / 2) return wordDiff(before, after);
  const lines = parts.flatMap(({ added, removed, value }, index) => {
    if (!added && !removed) return [];
    const beside = parts[index + (removed ? 1 : -1)];
    const isEdited = (beside?.added || beside?.removed) && beside.value.length === value.length;
    if (isEdited) return removed ? value.map((line, place) => wordDiff(line, beside.value[place] ?? "")) : [];
    const mark = removed ? "~~" : "**";
    return value.map((line) => `${mark}${code(ends(line.trim(), 2 * context))}${mark}`);
  });
  const others = lines.length - maxLines;
  return `${lines.slice(0, maxLines).join(" ⏎ ")}${others > 0 ? ` … and ${others} more lines` : ""}`;
}

/** The words that differ between two texts, with some context. Both texts from their first difference on if they have little in common. */
export function wordDiff(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: wordLimits.edits }) ?? [];
  const common = parts.reduce((length, { added, removed, value }) => (added || removed ? length : length + value.length), 0);
  if (common < wordLimits.common * Math.max(before.length, after.length)) {
    const start = [...before, ...after].findIndex((_, place) => before[place] !== after[place]) - context;
    const shown = (text: string) => code(truncate(start > 0 ? `…${text.slice(start)}` : text, wordLimits.replacement));
    return `${shown(before)} → ${shown(after)}`;
  }
  const pieces = parts.map(({ added, removed, value }) => {
    if (removed) return `~~${code(truncate(value))}~~`;
    if (added) return `**${code(truncate(value))}**`;
    return code(ends(value));
  });
  return `${pieces.slice(0, wordLimits.pieces).join(" ")}${pieces.length > wordLimits.pieces ? " … and more" : ""}`;
}
