/** The report as Markdown: what changes in each stack, and the details, folded where they are many. Pure. */
import { clip, code, htmlCode, quote } from "./markdown";
import { type Operation, operations, type Preview } from "./read";
import { describeResource, type ResourceWords } from "./resource";

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
  /** How many resources have an operation of `failOn`. */
  blocked: number;
}

/** What a comment on a pull request may have, with some room: GitHub takes 65,536 characters. */
export const mostCharacters = 60_000;

/** So many lines are taken in at a glance; more are folded. */
const glance = 15;

/** Lines that always stay, and those that are cut where there is no room, by the summary under which they are folded. */
interface Section {
  summary: string[];
  details: { title: string; lines: string[] }[];
}

/** Writes the report of one or more previews. */
export function writeReport(previews: readonly Preview[], options: ReportOptions = {}): Report {
  const { failOn = [], limit = mostCharacters, whole = "what `--out FILE` writes" } = options;
  const described = previews.map((preview) => ({
    preview,
    resources: preview.changes.flatMap((change) => describeResource(change) ?? []),
  }));
  const all = described.flatMap(({ resources }) => resources);
  const fold = all.flatMap(({ lines }) => lines).length > glance;
  const sections = described.map(({ preview, resources }) => sectionOf(preview, resources, fold));
  const blocked = all.filter(({ operation }) => failOn.includes(operation)).length;
  const warning =
    blocked > 0 ? [`**Blocked** by \`--fail-on\`: ${failOn.join(", ")}. That concerns ${count(blocked, "resource")}.`, ""] : [];
  const full = [...warning, ...sections.flatMap(sectionLines)].join("\n");
  const cut = () => [...warning, ...cutSections(sections, limit - lengthOf(warning), whole)].join("\n");
  return { markdown: `${(full.length < limit ? full : cut()).trim()}\n`, whole: `${full.trim()}\n`, blocked };
}

const nameOf = ({ kind, name }: ResourceWords) => `${kind} ${code(clip(name))}`;
const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
const lengthOf = (lines: readonly string[]) => lines.join("\n").length + 1;

function sectionOf({ stack, isRefresh, errors, warnings }: Preview, resources: readonly ResourceWords[], fold: boolean): Section {
  const where = stack === undefined ? "the stack" : `stack ${code(clip(stack))}`;
  const warned = warnings.flatMap((message) => ["", "Warning:", ...quote(message)]);
  if (resources.length === 0 && errors.length === 0) {
    return { summary: [`No ${isRefresh ? "drift" : "changes"} in ${where}.`, ...warned, ""], details: [] };
  }
  const counts = operations.flatMap((operation) => {
    const number = resources.filter((each) => each.operation === operation).length;
    return number > 0 ? [`${number} to ${operation}`] : [];
  });
  const title = isRefresh
    ? `Drift in ${where}: ${count(resources.length, "resource")}`
    : `Changes in ${where}: ${counts.join(", ") || "unknown"}`;
  const failed = errors.flatMap((message) => ["**The preview failed:**", ...quote(message), ""]);
  const details = fold ? resources.filter(({ lines }) => lines.length > 0) : [];
  return {
    summary: [`## ${title}`, "", ...failed, ...resources.flatMap((each) => headLines(each, fold)), ...warned, ""],
    details: details.map(({ kind, name, lines }) => ({ title: `${kind} ${htmlCode(clip(name))}: ${count(lines.length, "line")}`, lines })),
  };
}

function headLines(resource: ResourceWords, fold: boolean): string[] {
  const { word, note, lines } = resource;
  const rest = [note, fold && lines.length > 0 ? `${count(lines.length, "line")} below` : ""].filter(Boolean).join("; ");
  return [`- **${word}** ${nameOf(resource)}${rest ? `: ${rest}` : ""}`, ...(fold ? [] : lines.map((line) => `  - ${line}`))];
}

function sectionLines({ summary, details }: Section): string[] {
  return [
    ...summary,
    ...details.flatMap(({ title, lines }) => [
      `<details><summary>${title}</summary>`,
      "",
      ...lines.map((line) => `- ${line}`),
      "",
      "</details>",
      "",
    ]),
  ];
}

/** All summaries, then as many details as there is room for. */
function cutSections(sections: readonly Section[], room: number, whole: string): string[] {
  const bare = sections.map((section) => ({ ...section, details: section.details.map((each) => ({ ...each, lines: [] as string[] })) }));
  const pointer = (dropped: number) => `${count(dropped, "line")} more than fit here: the whole is in ${whole}.`;
  let left = room - lengthOf(bare.flatMap(sectionLines)) - lengthOf([pointer(Number.MAX_SAFE_INTEGER)]);
  let dropped = 0;
  const shown = sections.map((section) => {
    const details = section.details.map(({ title, lines }) => {
      const kept = lines.filter((line) => {
        left -= lengthOf([`- ${line}`]);
        return left >= 0;
      });
      dropped += lines.length - kept.length;
      return { title, lines: kept };
    });
    return { ...section, details: details.filter(({ lines }) => lines.length > 0) };
  });
  return [...shown.flatMap(sectionLines), pointer(dropped)];
}
