/** The report as Markdown: what changes in each stack, and the details, folded where they are many. Pure. */
import { shellWord } from "../text/sanitize";
import { type Counted, type Operation, operations } from "./counts";
import { code, htmlCode, quote, short } from "./markdown";
import type { Preview } from "./read";
import { describeResource, type ResourceWords } from "./resource";
import { safeName } from "./words";

export interface ReportOptions {
  /** Operations that must not happen unnoticed. */
  failOn?: readonly Operation[];
  /** The most characters. */
  limit?: number;
  /** Where the whole is found, as Markdown, for a report that was cut. */
  whole?: string;
}

export interface Report {
  markdown: string;
  /** The same without a limit. */
  whole: string;
  /** How many resources have an operation of `failOn`, and not in the state alone; those that Pulumi only counts are among them. */
  blocked: number;
}

/** What a comment on a pull request may have, with some room: GitHub takes 65,536 characters. */
export const maxCharacters = 60_000;

/** So many lines are taken in at a glance; more are folded. */
const glance = 15;

/** One stack's part: what always stays, a line or block for each resource or message, and what is folded. */
interface Section {
  title: string;
  heads: string[];
  details: { title: string; lines: string[] }[];
}

interface Described {
  preview: Preview;
  resources: ResourceWords[];
}

/** Writes the report of one or more previews. */
export function writeReport(previews: readonly Preview[], options: ReportOptions = {}): Report {
  const { failOn = [], limit = maxCharacters, whole: pointer = "what `--out FILE` writes" } = options;
  const described = previews.map((preview) => ({
    preview,
    resources: preview.changes.map(describeResource),
  }));
  const all = described.flatMap(({ resources }) => resources);
  const undescribed = sum(previews.flatMap((preview) => preview.undescribed.filter(({ operation }) => failOn.includes(operation))));
  const blocked = all.filter(({ operation, retained }) => !retained && failOn.includes(operation)).length + undescribed;
  // Drift has happened already: nothing blocks it.
  const warning =
    blocked > 0 && previews.some(({ isRefresh }) => !isRefresh)
      ? [`**Blocked** by \`--fail-on\`: ${failOn.join(", ")}. That concerns ${count(blocked, "resource")}.`, ""]
      : [];
  const text = (sections: readonly Section[], more: string[] = []) =>
    `${[...warning, ...sections.flatMap(sectionLines), ...more].join("\n").trim()}\n`;

  const isShort = all.flatMap(({ lines }) => lines).length <= glance;
  const whole = text(described.map((each) => sectionOf(each, !isShort)));
  if (whole.length <= limit) return { markdown: whole, whole, blocked };
  const { sections, dropped } = cut(
    described.map((each) => sectionOf(each, true)),
    limit - pointer.length - warning.join("\n").length,
  );
  return { markdown: text(sections, [`${count(dropped, "line")} more than fit here: the whole is in ${pointer}.`]), whole, blocked };
}

/** A kind of resource as it is where it is only words, which every place can hold. */
const kindOf = ({ kind }: ResourceWords, safe: (text: string) => string) => (/^[a-z ]{1,40}$/i.test(kind) ? kind : safe(short(kind)));
const nameOf = (resource: ResourceWords) => `${kindOf(resource, code)} ${code(short(resource.name))}`;
const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;

const sum = (counted: readonly Counted[]) => counted.reduce((total, { number }) => total + number, 0);

function sectionOf({ preview, resources }: Described, fold: boolean): Section {
  const { stack, isRefresh, undescribed, unlisted, errors, warnings } = preview;
  const where = stack === undefined ? "the stack" : `stack ${code(short(stack))}`;
  const told = (title: string, messages: string[]) => messages.map((message) => [title, ...quote(message), ""].join("\n"));
  const counted = [...undescribedLines(preview), ...resources.map((each) => headLines(each, fold).join("\n")), ...unlistedLines(preview)];
  const heads = [...told("Error:", errors), ...counted, ...(counted.length > 0 ? [""] : []), ...told("Warning:", warnings)];
  const isNothing = resources.length === 0 && undescribed.length === 0;
  if (isNothing && errors.length === 0 && (isRefresh || unlisted.length === 0)) {
    return { title: `No ${isRefresh ? "drift" : "changes"} in ${where}.\n`, heads, details: [] };
  }
  const counts = operations.flatMap((operation) => {
    const ofIt = (each: { operation: Operation }) => each.operation === operation;
    const number = resources.filter(ofIt).length + sum((isNothing ? unlisted : undescribed).filter(ofIt));
    return number > 0 ? [`${number} to ${operation}`] : [];
  });
  const failed = errors.length > 0 ? ["the preview failed"] : [];
  const drifted = resources.length + sum(undescribed);
  const what = [...failed, ...(isRefresh ? (drifted > 0 ? [count(drifted, "resource")] : []) : counts)];
  return {
    title: `## ${isRefresh ? "Drift" : "Changes"} in ${where}: ${what.join(", ")}\n`,
    heads,
    details: fold
      ? resources.map((each) => ({
          title: `${kindOf(each, htmlCode)} ${htmlCode(short(each.name))}: ${count(each.lines.length, "line")}`,
          lines: each.lines,
        }))
      : [],
  };
}

/** What Pulumi's output counts and does not describe: the command that shows it at a terminal. */
function undescribedLines({ undescribed, isRefresh, stack }: Preview): string[] {
  const flags = isRefresh ? " --refresh --run-program" : "";
  const often = isRefresh ? ", often of a folder's permissions or of the connection" : "";
  return undescribed.map(
    (each) =>
      `- **${isRefresh ? "drift" : each.operation}** Pulumi counts ${countedWords([each])} that its output does not describe${often}. ` +
      `${pulumiCommand(`preview${flags} --diff`, stack)} shows ${each.number === 1 ? "it" : "them"}.`,
  );
}

function unlistedLines({ unlisted, isRefresh, stack }: Preview): string[] {
  if (unlisted.length === 0) return [];
  const whose = isRefresh
    ? `by the program itself, which are no drift: ${pulumiCommand("preview", stack)} shows them`
    : "of the stack, its components and providers";
  return [`- Pulumi also counts ${countedWords(unlisted)} ${whose}.`];
}

/** As `2 updates, 1 delete`, in the engine's words. */
function countedWords(counted: readonly Counted[]): string {
  const ops = [...new Set(counted.map(({ op }) => op))];
  return ops.map((op) => count(sum(counted.filter((each) => each.op === op)), safeName(op))).join(", ");
}

/** A command to paste; without the stack where its name is no word of a shell. */
function pulumiCommand(command: string, stack: string | undefined): string {
  const word = stack === undefined ? undefined : shellWord(stack);
  return code(`npx pulumi ${command}${word ? ` --stack ${word}` : ""}`);
}

function headLines(resource: ResourceWords, fold: boolean): string[] {
  const { word, note, lines } = resource;
  const rest = [note, fold && lines.length > 0 ? `${count(lines.length, "line")} below` : ""].filter(Boolean).join("; ");
  return [`- **${word}** ${nameOf(resource)}${rest ? `: ${rest}` : ""}`, ...(fold ? [] : lines.map((line) => `  - ${line}`))];
}

function sectionLines({ title, heads, details }: Section): string[] {
  return [title, ...heads, ...details.filter(({ lines }) => lines.length > 0).flatMap(detailLines)];
}

const detailLines = ({ title, lines }: { title: string; lines: string[] }) => [
  `<details><summary>${title}</summary>`,
  "",
  ...lines.map((line) => `- ${line}`),
  "",
  "</details>",
  "",
];

/** All titles, then all heads, then as many details as there is room for. */
function cut(sections: readonly Section[], limit: number): { sections: Section[]; dropped: number } {
  // Beside the titles, the sentence that says that something was cut.
  let room = limit - 80 - sections.map(({ title }) => title).join("\n").length - 1;
  let dropped = 0;
  const fits = (text: string) => {
    const isRoom = text.length + 1 <= room;
    if (isRoom) room -= text.length + 1;
    else dropped += 1;
    return isRoom;
  };
  const summarized = sections.map((section) => ({ ...section, heads: section.heads.filter(fits) }));
  const shown = summarized.map((section) => {
    const details = section.details.map(({ title, lines }) => {
      room -= detailLines({ title, lines: [] }).join("\n").length + 1;
      return { title, lines: lines.filter((line) => fits(`- ${line}`)) };
    });
    return { ...section, details };
  });
  return { sections: shown, dropped };
}
