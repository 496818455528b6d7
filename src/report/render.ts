/** Renders previews as a Markdown report. */
import { shell } from "../text/sanitize";
import { formatName } from "./describe-change";
import { alertRule, describeDrift, describeResource, type ResourceDescription } from "./describe-resource";
import { code, codeBlock, htmlCode, short } from "./markdown";
import { type Operation, operations, type Preview } from "./parse-preview";

export interface ReportOptions {
  /** Report only changes made outside of Pulumi. Requires previews with a refresh. Defaults to false. */
  drift?: boolean;
  /** Operations that block the deployment. Defaults to none. */
  failOn?: readonly Operation[];
  /** Maximum number of characters. Defaults to `maxCharacters`. */
  limit?: number;
  /** Location of the full report as Markdown, for a report that exceeds the limit. */
  fullReport?: string;
}

/** GitHub accepts 65,536 characters in a comment. */
export const maxCharacters = 60_000;

/** Maximum number of changes that are listed below their resources. If there are more, or if they exceed the limit, all are folded. */
const maxUnfolded = 15;

/** @returns `full`: the report without a limit. `blocked`: how many resources have an operation of `failOn`, and not in the state only. */
export function renderReport(previews: readonly Preview[], options: ReportOptions = {}) {
  const { drift = false, failOn = [], limit = maxCharacters, fullReport = "the output of `--out FILE`" } = options;
  const described = previews.map((preview) => {
    const resources = preview.changes.flatMap((change) => (drift ? describeDrift(change) : describeResource(change)) ?? []);
    resources.sort((left, right) => operations.indexOf(left.operation) - operations.indexOf(right.operation));
    return { ...preview, drift, resources, entries: entriesOf(resources), guards: drift ? [] : preview.guards };
  });
  const resources = described.flatMap((stack) => stack.resources);
  const isKept = ({ operation, isRetained }: ResourceDescription) => operation === "delete" && isRetained;
  const blocked = resources.filter((each) => failOn.includes(each.operation) && !isKept(each) && !each.isRenewed).length;
  // Drift has already happened.
  const heading = blocked > 0 && !drift ? `**Blocked** by \`--fail-on ${failOn.join(",")}\`: ${plural(blocked, "resource")}.\n\n` : "";
  const textOf = (parts: readonly string[][]) => `${heading}${parts.flat().join("\n").trim()}\n`;
  const sectionsOf = (isFolded: boolean) => described.map((stack) => sectionOf(stack, isFolded));
  const unfolded = sectionsOf(false);
  const listed = described.flatMap(({ entries }) => entries.flatMap(({ lines }) => lines));
  const isLong = listed.length > maxUnfolded || textOf(unfolded).length > limit;
  const sections = isLong ? sectionsOf(true) : unfolded;
  const full = textOf(sections);
  if (full.length <= limit) return { markdown: full, full, blocked };
  const footer = `\nThe report is too long for a comment. All of it is in ${fullReport}.\n`;
  const space = (limit - heading.length - footer.length) / previews.length;
  // The first blocks of a section that fit, and always its title.
  const fits = (_: string, index: number, section: string[]) => index === 0 || section.slice(0, index + 1).join("\n").length < space;
  return { markdown: textOf(sections.map((section) => section.filter(fits))) + footer, full, blocked };
}

const plural = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;

type StackChanges = Preview & { drift: boolean; resources: readonly ResourceDescription[]; entries: readonly Entry[] };

/** Alert rules with the same changes, such as a new contact point, are one entry with all of their titles. */
type Entry = Omit<ResourceDescription, "title"> & { titles: string[] };

function entriesOf(resources: readonly ResourceDescription[]): Entry[] {
  const entries = new Map<unknown, Entry>();
  for (const { title, ...resource } of resources) {
    const { operation, kind, note, lines } = resource;
    const key = kind === alertRule && lines.length > 0 ? JSON.stringify([operation, note, lines]) : resource;
    const same = entries.get(key);
    if (same) same.titles.push(title);
    else entries.set(key, { ...resource, titles: [title] });
  }
  return [...entries.values()];
}

const guardWords = { protect: "protected against deletion", retainOnDelete: "kept in Grafana if they leave the stack" };

function sectionOf(stack: StackChanges, isFolded: boolean): string[] {
  const { errors, resources, entries, warnings, drift } = stack;
  const others = stack.unlisted + stack.changes.length - resources.length;
  const messages = (title: string, texts: readonly string[]) => texts.map((text) => [title, ...codeBlock(text), ""].join("\n"));
  const source = drift ? "by the program or of secrets, which are not drift" : "of components and providers";
  const list = stack.guards.map(
    ({ option, isOn, number }) => `- ${isOn ? "From now on" : "No longer"} ${guardWords[option]}: ${plural(number, "resource")}.`,
  );
  list.push(...entries.map((entry) => headOf(entry, isFolded, drift ? "drift" : entry.operation)));
  if (others > 0) list.push(`- Pulumi also counts ${plural(others, "change")} ${source}.`);
  if (list.length > 0) list.push("");
  if (stack.past) list.push(stack.past);
  const details = entries.filter(({ lines }) => isFolded && lines.length > 0).map(detailsOf);
  return [titleOf(stack), ...messages("Error:", errors), ...list, ...messages("Warning:", warnings), ...details];
}

function titleOf({ stack, drift, resources, guards, errors }: StackChanges): string {
  const where = stack === undefined ? "the stack" : `stack ${code(short(stack))}`;
  if (resources.length + errors.length + guards.length === 0) return `No ${drift ? "drift" : "changes"} in ${where}.\n`;
  const counts = operations.flatMap((operation) => {
    const number = resources.filter((each) => each.operation === operation).length;
    return number > 0 ? [`${number} to ${operation}`] : [];
  });
  const restore = code(`npx pulumi up --refresh${stack === undefined ? "" : shell` --stack ${stack}`}`);
  const found = drift && resources.length > 0 ? [`${plural(resources.length, "resource")}; to restore: ${restore}`] : counts;
  if (resources.length === 0 && guards.length > 0) found.push("only protection against deletion");
  return `## ${drift ? "Drift" : "Changes"} in ${where}: ${[...(errors.length > 0 ? ["the preview failed"] : []), ...found].join(", ")}\n`;
}

/** The lines of a dashboard have numbers, as the panels in its picture. */
const itemsOf = ({ kind, lines }: Entry) => lines.map((line, index) => `${kind === "dashboard" ? `${index + 1}.` : "-"} ${line}`);

function headOf(entry: Entry, isFolded: boolean, label: string): string {
  const { kind, titles, note, lines } = entry;
  const notes = [note, isFolded && lines.length > 0 ? `${plural(lines.length, "change")} below` : ""].filter(Boolean).join("; ");
  const head = `- **${label}** ${formatName(kind)} ${titles.map((title) => code(short(title))).join(", ")}${notes && `: ${notes}`}`;
  return [head, ...(isFolded ? [] : itemsOf(entry).map((item) => `  ${item}`))].join("\n");
}

function detailsOf(entry: Entry): string {
  const { kind, titles, lines } = entry;
  const [title, ...others] = titles;
  const what = `${htmlCode(short(`${kind} ${title}`))}${others.length > 0 ? ` and ${others.length} more` : ""}`;
  return [`<details><summary>${what}: ${plural(lines.length, "change")}</summary>`, "", ...itemsOf(entry), "", "</details>", ""].join("\n");
}
