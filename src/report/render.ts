/** Renders previews as a Markdown report. */
import { shell } from "../text/sanitize";
import { formatName } from "./describe-change";
import { describeResource, type ResourceDescription } from "./describe-resource";
import { code, codeBlock, htmlCode, short } from "./markdown";
import { type Operation, operations } from "./operations";
import type { Preview, ResourceChange } from "./parse-preview";

export interface ReportOptions {
  /** Operations that block the deployment. Defaults to none. */
  failOn?: readonly Operation[];
  /** Maximum number of characters. Defaults to `maxCharacters`. */
  limit?: number;
  /** Location of the full report as Markdown, for a report that exceeds the limit. */
  fullReport?: string;
}

export interface Report {
  markdown: string;
  /** The report without a limit. */
  full: string;
  /** Number of resources with an operation of `failOn`. Deletions from the state only do not count. */
  blocked: number;
}

/** GitHub accepts 65,536 characters in a comment. */
export const maxCharacters = 60_000;

/** Maximum number of changes that are listed below their resources. If there are more, all are folded. */
const maxUnfolded = 15;

export function renderReport(previews: readonly Preview[], options: ReportOptions = {}): Report {
  const { failOn = [], limit = maxCharacters, fullReport = "the output of `--out FILE`" } = options;
  const described = previews.map((preview) => ({ preview, resources: preview.changes.map(describeResource) }));
  const sectionsOf = (fold: boolean) => described.map(({ preview, resources }) => sectionOf(preview, resources, fold));
  const isBlocking = ({ isRetained }: ResourceChange) => !isRetained;
  const blocked = sum(previews.map(({ changes }) => countOf(failOn, changes.filter(isBlocking))));
  // Drift has already happened.
  const isBlocked = blocked > 0 && previews.some(({ isDrift }) => !isDrift);
  const heading = isBlocked ? [`**Blocked** by \`--fail-on ${failOn.join(",")}\`: ${plural(blocked, "resource")}.\n`] : [];
  const changes = sum(described.flatMap(({ resources }) => resources.map(({ lines }) => lines.length)));
  const full = join(sectionsOf(changes > maxUnfolded), heading).markdown;
  if (full.length <= limit) return { markdown: full, full, blocked };
  const footer = (omitted: number) => `\n${plural(omitted, "line")} omitted. The full report is in ${fullReport}.\n`;
  const { markdown, omitted } = join(sectionsOf(true), heading, limit - footer(Number.MAX_SAFE_INTEGER).length);
  return { markdown: markdown + footer(omitted), full, blocked };
}

const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Number of resources with one of the operations. */
const countOf = (some: readonly Operation[], changes: readonly ResourceChange[]) =>
  changes.filter(({ operation }) => some.includes(operation)).length;

/** The part of the report on one stack. */
interface Section {
  title: string;
  /** A line or block for each resource or message. */
  heads: string[];
  /** Folded lists of changes. */
  details: string[];
}

function sectionOf(preview: Preview, resources: readonly ResourceDescription[], fold: boolean): Section {
  const messages = (title: string, texts: readonly string[]) => texts.map((text) => [title, ...codeBlock(text), ""].join("\n"));
  const list = [...resources.map((resource) => headOf(resource, fold)), ...unlistedHeads(preview)];
  const heads = [
    ...messages("Error:", preview.errors),
    ...list,
    ...(list.length > 0 ? [""] : []),
    ...messages("Warning:", preview.warnings),
  ];
  const details = resources.filter(({ lines }) => fold && lines.length > 0).map(detailsOf);
  return { title: titleOf(preview), heads, details };
}

function titleOf({ stack, isDrift, changes, unlisted, errors }: Preview): string {
  const where = stack === undefined ? "the stack" : `stack ${code(short(stack))}`;
  if (changes.length === 0 && errors.length === 0 && (isDrift || Object.keys(unlisted).length === 0))
    return `No ${isDrift ? "drift" : "changes"} in ${where}.\n`;
  const counts = operations
    .map((operation) => [operation, countOf([operation], changes)] as const)
    .flatMap(([operation, number]) => (number > 0 ? [`${number} to ${operation}`] : []));
  const drift = `${plural(changes.length, "resource")}; to restore: ${pulumiCommand("up --refresh", stack)}`;
  const facts = [
    ...(errors.length > 0 ? ["the preview failed"] : []),
    ...(isDrift && changes.length > 0 ? [drift] : counts),
    ...(changes.length === 0 && errors.length === 0 ? ["only components and providers"] : []),
  ];
  return `## ${isDrift ? "Drift" : "Changes"} in ${where}: ${facts.join(", ")}\n`;
}

/** A kind of resource: plain if it consists of words. */
const plain = (kind: string, format: (text: string) => string) => (/^[a-z ]{1,40}$/i.test(kind) ? kind : format(short(kind)));

/** The changes of a resource as items of a list. */
const itemsOf = ({ lines, numbered }: ResourceDescription) => lines.map((line, index) => `${numbered ? `${index + 1}.` : "-"} ${line}`);

function headOf(resource: ResourceDescription, fold: boolean): string {
  const { label, kind, name, note, lines } = resource;
  const notes = [note, fold && lines.length > 0 ? `${plural(lines.length, "change")} below` : ""].filter(Boolean).join("; ");
  const head = `- **${label}** ${plain(kind, code)} ${code(short(name))}${notes && `: ${notes}`}`;
  return [head, ...(fold ? [] : itemsOf(resource).map((item) => `  ${item}`))].join("\n");
}

function detailsOf(resource: ResourceDescription): string {
  const { kind, name, lines } = resource;
  const summary = `${plain(kind, htmlCode)} ${htmlCode(short(name))}: ${plural(lines.length, "change")}`;
  return [`<details><summary>${summary}</summary>`, "", ...itemsOf(resource), "", "</details>", ""].join("\n");
}

function unlistedHeads({ unlisted, isDrift, stack }: Preview): string[] {
  const counts = Object.entries(unlisted).map(([op, number]) => plural(number, formatName(op)));
  if (counts.length === 0) return [];
  const program = `by the program, which are not drift. To see them: ${pulumiCommand("preview", stack)}`;
  return [`- Pulumi also counts ${counts.join(", ")} ${isDrift ? program : "of components and providers"}.`];
}

/** A command to paste into a shell. */
const pulumiCommand = (operation: string, stack = "") => code(`npx pulumi ${operation}${stack && shell` --stack ${stack}`}`);

/** Joins the sections. What exceeds the limit is left out: first details, from the end, then heads, never the title of a stack. */
function join(sections: readonly Section[], heading: readonly string[], limit = Number.POSITIVE_INFINITY) {
  const blocks = sections.flatMap(({ title, heads, details }) => [
    { rank: 0, text: title },
    ...heads.map((text) => ({ rank: 1, text })),
    ...details.map((text) => ({ rank: 2, text })),
  ]);
  let excess = [...heading, ...blocks.map(({ text }) => text)].reduce((length, text) => length + text.length + 1, 0) - limit;
  let omitted = 0;
  for (const rank of [2, 1]) {
    for (const block of blocks.filter((each) => each.rank === rank).reverse()) {
      if (excess <= 0) break;
      blocks.splice(blocks.lastIndexOf(block), 1);
      excess -= block.text.length + 1;
      omitted += block.text.split("\n").length;
    }
  }
  return { markdown: `${[...heading, ...blocks.map(({ text }) => text)].join("\n").trim()}\n`, omitted };
}
