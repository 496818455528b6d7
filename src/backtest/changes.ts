/** What the alert rules that a preview changes would have done before and after, as a part of its report. */
import { isDeepStrictEqual } from "node:util";
import type { GrafanaAccess } from "../network/grafana";
import { field, isObject, type Json, type JsonObject, valueAt } from "../report/json";
import { code, short } from "../report/markdown";
import type { Preview } from "../report/parse-preview";
import { withoutLogin } from "../text/sanitize";
import { openPast } from "./past";
import type { Alert, ReplayedRule } from "./replay";
import { dateOf, firingTime, inTime, listed } from "./words";

/** A rule of Grafana, and the uid of the datasource that it reads. */
type GrafanaRule = ReplayedRule & { datasource: string };

/** The part of the report; undefined if no rule changes when it fires. @param tell of progress */
export async function pastOfChanges({ changes }: Preview, days: number, access: GrafanaAccess, tell: (text: string) => void) {
  const groups = changes.filter(({ type }) => type.endsWith(":RuleGroup"));
  const rules = groups.map(({ before, after }) => [ruleOf(before), ruleOf(after)] as const);
  const titleOf = ([before, after]: (typeof rules)[number]) => (after ?? before)?.title ?? "";
  // The engine's order differs from run to run.
  const changed = rules.filter((each) => !isDeepStrictEqual(...each)).sort((left, right) => titleOf(left).localeCompare(titleOf(right)));
  const [first] = changed.flat().filter((rule) => rule !== undefined);
  if (!first) return undefined;
  const past = openPast(access, first.datasource, days, "grafana");
  const texts = new Map<string, string[]>();
  for (const [before, after] of changed) {
    const title = titleOf([before, after]);
    tell(`Replays ${title}`);
    const text = await describe(past, before, after).catch((error: Error) => `not known: ${code(withoutLogin(error.message))}`);
    texts.set(text, [...(texts.get(text) ?? []), `**${code(short(title))}**`]);
  }
  const how = "As Grafana would have evaluated the rules; each alert begins and ends within an evaluation of these times.";
  const lines = [...texts].map(([text, titles]) => `- ${titles.join(", ")}: ${text}`);
  return [`### Alerts of the last ${days} days, before and after\n`, `${how} ${past.used()}\n`, ...lines, ""].join("\n");
}

async function describe(past: ReturnType<typeof openPast>, old: ReplayedRule | undefined, current: ReplayedRule | undefined) {
  if (Number.isNaN(old?.above) || Number.isNaN(current?.above))
    throw new Error("only rules with one query and one lower limit are replayed");
  const [before, after] = [old && (await past.of(old)), current && (await past.of(current))];
  const pasts = [before ?? [], after ?? []].flat();
  if (pasts.every(({ alerts, notes }) => alerts.length + notes.length === 0)) return "no alert";
  const limit = old?.above === current?.above ? "changed" : `threshold ${old?.above} → ${current?.above}`;
  const count = pasts.map(({ alerts }) => alerts.length).join(" → ");
  const time = pasts.map(({ alerts }) => firingTime(alerts)).join(" → ");
  const notes = [...new Set(pasts.flatMap((past) => past.notes))].map((note) => ` (${code(note)})`).join("");
  const list = (word: string, alerts: readonly Alert[] = [], others: readonly Alert[] = []) => {
    const only = alerts.filter((alert) => !others.some((other) => isSame(alert, other)));
    return only.length > 0 ? `\n  - ${word}: ${listed(only, (labels) => Object.values(labels).join(" / ") || "all", inWords)}` : "";
  };
  const differences = list("new", after?.alerts, before?.alerts) + list("gone", before?.alerts, after?.alerts);
  return `${!old ? "new" : !current ? "deleted" : limit}, ${count} ${count === "1" ? "alert" : "alerts"}, ${time} firing${notes}${differences}`;
}

/** Whether both are about the same at a common time. */
const isSame = (one: Alert, other: Alert) => one.from < other.to && other.from < one.to && isDeepStrictEqual(one.labels, other.labels);

function inWords(alerts: readonly Alert[], name: string): string {
  const times = alerts.slice(0, 3).map(({ from, to }) => inTime(to - from));
  const { isOpen, from = 0 } = alerts.at(-1) ?? {};
  const details = `${times.join(", ")}${alerts.length > 3 ? ", …" : ""}; ${isOpen ? "fires now" : `last ${dateOf(from)}`}`;
  return `${code(short(name))} ${alerts.length > 1 ? `${alerts.length} times ` : ""}(${details})`;
}

/** The alert rule of a group. Its limit is NaN if it is of another form than those of this program: one query, and one lower limit. */
function ruleOf(group: JsonObject | undefined): GrafanaRule | undefined {
  const rule = valueAt(group ?? null, ["rules", 0]);
  if (!isObject(rule) || isObject(rule.record)) return undefined;
  const evaluator = valueAt(rule, ["datas", 1, "model", "conditions", 0, "evaluator"]) ?? null;
  const [, criticalFrom] = /\(ge \S+ ([\d.]+)\)/.exec(String(valueAt(rule, ["labels", "severity"]))) ?? [];
  return {
    ...{ title: String(rule.name), query: String(valueAt(rule, ["datas", 0, "model", "expr"])) },
    above: field(evaluator, "type") === "gt" ? Number(valueAt(evaluator, ["params", 0])) : Number.NaN,
    ...{ forMinutes: minutesOf(rule.for), keepMinutes: minutesOf(rule.keepFiringFor), everyMinutes: Number(group?.intervalSeconds) / 60 },
    ...(criticalFrom && { criticalFrom: Number(criticalFrom) }),
    datasource: String(valueAt(rule, ["datas", 0, "datasourceUid"])),
  };
}

/** Of a duration of Go, such as `6h0m0s`. */
const minutesOf = (duration: Json | undefined) =>
  [...String(duration).matchAll(/(\d+)([hm])/g)].reduce((sum, [, number, unit]) => sum + Number(number) * (unit === "h" ? 60 : 1), 0);
