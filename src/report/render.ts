/** Renders previews as a Markdown report. */
import { shellWord } from "../text/sanitize";
import { formatName } from "./describe-change";
import { describeResource, type ResourceDescription } from "./describe-resource";
import { code, codeBlock, htmlCode, short } from "./markdown";
import { type Operation, type OperationCount, operations } from "./operations";
import type { Preview, ResourceChange } from "./parse-preview";

export interface ReportOptions {
  /** Operations that block the deployment. Defaults to none. */
  failOn?: readonly Operation[];
  /** Maximum number of characters. Defaults to `maxCharacters`. */
  limit?: number;
  /** Location of the full report, as Markdown. Shown in a report that exceeds the limit. */
  fullReport?: string;
}

export interface Report {
  markdown: string;
  /** The report without a limit. */
  full: string;
  /** Number of resources with an operation of `failOn`, including those without details, except deletions from the state only. */
  blocked: number;
}

/** GitHub accepts 65,536 characters in a comment. */
export const maxCharacters = 60_000;

/** Maximum number of changed properties that are listed below their resources. With more, they are folded. */
const maxUnfolded = 15;

export function renderReport(previews: readonly Preview[], options: ReportOptions = {}): Report {
  const { failOn = [], limit = maxCharacters, fullReport = "the output of `--out FILE`" } = options;
  const resources = previews.map(({ changes }) => changes.map(describeResource));
  const isFolded = resources.flat().reduce((sum, { lines }) => sum + lines.length, 0) > maxUnfolded;
  const sectionsOf = (fold: boolean) => previews.map((preview, index) => sectionOf(preview, resources[index] ?? [], fold));
  const blocked = sum(
    previews.map(({ changes, undescribed }) =>
      countOf(failOn, { changes: changes.filter(({ isRetained }) => !isRetained), counts: undescribed }),
    ),
  );
  // Drift has already happened.
  const isBlocked = blocked > 0 && previews.some(({ isRefresh }) => !isRefresh);
  const heading = isBlocked ? [`**Blocked** by \`--fail-on ${failOn.join(",")}\`: ${plural(blocked, "resource")}.\n`] : [];
  const full = join(sectionsOf(isFolded), heading);
  if (full.markdown.length <= limit) return { markdown: full.markdown, full: full.markdown, blocked };
  const footer = (omitted: number) => `${plural(omitted, "line")} omitted. The full report is in ${fullReport}.`;
  const { markdown, omitted } = join(sectionsOf(true), heading, limit - footer(Number.MAX_SAFE_INTEGER).length - 2);
  return { markdown: `${markdown}\n${footer(omitted)}\n`, full: full.markdown, blocked };
}

const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const total = (counts: readonly OperationCount[]) => sum(counts.map(({ number }) => number));

/** Number of resources with one of the operations. */
const countOf = (
  some: readonly Operation[],
  { changes, counts }: { changes: readonly ResourceChange[]; counts: readonly OperationCount[] },
) => changes.filter(({ operation }) => some.includes(operation)).length + total(counts.filter(({ operation }) => some.includes(operation)));

/** The part of the report on one stack. */
interface Section {
  title: string;
  /** A line or block for each resource or message. */
  heads: string[];
  /** Folded lines. */
  details: { summary: string; lines: string[] }[];
}

function sectionOf(preview: Preview, resources: readonly ResourceDescription[], fold: boolean): Section {
  const { changes, errors, warnings } = preview;
  const messages = (title: string, texts: readonly string[]) => texts.map((text) => [title, ...codeBlock(text), ""].join("\n"));
  const operationLines = [
    ...describeUndescribed(preview),
    ...resources.map((resource, index) => headOf(changes[index] as ResourceChange, resource, fold)),
    ...describeUnlisted(preview),
  ];
  return {
    title: titleOf(preview),
    heads: [
      ...messages("Error:", errors),
      ...operationLines,
      ...(operationLines.length > 0 ? [""] : []),
      ...messages("Warning:", warnings),
    ],
    details: fold
      ? resources.map(({ kind, name, lines }) => ({
          summary: `${plain(kind, htmlCode)} ${htmlCode(short(name))}: ${plural(lines.length, "change")}`,
          lines: lines.map((line) => `- ${line}`),
        }))
      : [],
  };
}

function titleOf({ stack, isRefresh, changes, undescribed, unlisted, errors }: Preview): string {
  const where = stack === undefined ? "the stack" : `stack ${code(short(stack))}`;
  const listed = changes.length + total(undescribed);
  if (listed === 0 && errors.length === 0 && (isRefresh || unlisted.length === 0))
    return `No ${isRefresh ? "drift" : "changes"} in ${where}.\n`;
  const counts = operations.flatMap((operation) => {
    const number = countOf([operation], { changes, counts: listed === 0 ? unlisted : undescribed });
    return number > 0 ? [`${number} to ${operation}`] : [];
  });
  const drift = listed > 0 ? [plural(listed, "resource")] : [];
  const facts = [...(errors.length > 0 ? ["the preview failed"] : []), ...(isRefresh ? drift : counts)];
  return `## ${isRefresh ? "Drift" : "Changes"} in ${where}: ${facts.join(", ")}\n`;
}

/** A kind of resource: plain if it consists of words. */
const plain = (kind: string, format: (text: string) => string) => (/^[a-z ]{1,40}$/i.test(kind) ? kind : format(short(kind)));

function headOf({ isDrift, operation }: ResourceChange, { kind, name, note, lines }: ResourceDescription, fold: boolean): string {
  const notes = [note, fold && lines.length > 0 ? `${plural(lines.length, "change")} below` : ""].filter(Boolean).join("; ");
  const head = `- **${isDrift ? "drift" : operation}** ${plain(kind, code)} ${code(short(name))}${notes && `: ${notes}`}`;
  return [head, ...(fold ? [] : lines.map((line) => `  - ${line}`))].join("\n");
}

function describeUndescribed({ undescribed, isRefresh, stack }: Preview): string[] {
  const command = pulumiCommand(isRefresh ? "preview --refresh --run-program --diff" : "preview --diff", stack);
  return undescribed.map(
    (each) =>
      `- **${isRefresh ? "drift" : each.operation}** Pulumi counts ${formatCounts([each])} without details in its JSON output` +
      `${isRefresh ? ", often of a folder's permissions or of the connection" : ""}. To see the details: ${command}.`,
  );
}

function describeUnlisted({ unlisted, isRefresh, stack }: Preview): string[] {
  if (unlisted.length === 0) return [];
  const owner = isRefresh
    ? `by the program, which are not drift. To see them: ${pulumiCommand("preview", stack)}`
    : "of components and providers";
  return [`- Pulumi also counts ${formatCounts(unlisted)} ${owner}.`];
}

/** For example `2 updates, 1 delete`. */
function formatCounts(counts: readonly OperationCount[]): string {
  const ops = [...new Set(counts.map(({ op }) => op))];
  return ops.map((op) => plural(total(counts.filter((each) => each.op === op)), formatName(op))).join(", ");
}

/** A command to paste into a shell, without the stack if its name cannot be pasted. */
function pulumiCommand(command: string, stack: string | undefined): string {
  const name = stack === undefined ? undefined : shellWord(stack);
  return code(`npx pulumi ${command}${name ? ` --stack ${name}` : ""}`);
}

/** Joins all titles, then as many heads and after that as many details as fit. */
function join(sections: readonly Section[], heading: readonly string[], limit = Number.POSITIVE_INFINITY) {
  let room = limit - sum([...heading, ...sections.map(({ title }) => title)].map((text) => text.length + 1));
  let omitted = 0;
  const fits = (text: string) => {
    const isRoom = text.length < room;
    if (isRoom) room -= text.length + 1;
    else omitted += 1;
    return isRoom;
  };
  const shown = sections.map((section) => ({ ...section, heads: section.heads.filter(fits) }));
  const lines = shown.flatMap(({ title, heads, details }) => [
    title,
    ...heads,
    ...details.flatMap(({ summary, lines }) => {
      const fold = (some: string[]) => [`<details><summary>${summary}</summary>`, "", ...some, "", "</details>", ""];
      room -= fold([]).join("\n").length + 1;
      const fitting = lines.filter(fits);
      return fitting.length > 0 ? fold(fitting) : [];
    }),
  ]);
  return { markdown: `${[...heading, ...lines].join("\n").trim()}\n`, omitted };
}
