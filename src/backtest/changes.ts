/** What the alert rules that a preview changes would have done before and after, as a part of its report. */
import { isDeepStrictEqual } from "node:util";
import type { GrafanaAccess } from "../network/grafana";
import { field, isObject, type Json, type JsonObject, valueAt } from "../report/json";
import { code, short } from "../report/markdown";
import type { Preview } from "../report/parse-preview";
import { openPast } from "./past";
import type { Alert, ReplayedRule } from "./replay";
import { dateOf, firingTime, inTime, lastDays, listed, reasonOf } from "./words";

/** A rule of Grafana, and the uid of the datasource that it reads. */
type GrafanaRule = ReplayedRule & { datasource: string };

/**
 * The part of the report; undefined if no rule changes when it fires.
 *
 * @param access throws an error if the settings cannot be read
 * @param tell receives the progress
 */
export async function pastOfChanges({ changes }: Preview, days: number, access: () => GrafanaAccess, tell: (text: string) => void) {
  const groups = changes.filter(({ type }) => type.endsWith(":RuleGroup"));
  const rules = groups.map(({ before, after }) => [ruleOf(before), ruleOf(after)] as const);
  const titleOf = ([before, after]: (typeof rules)[number]) => (after ?? before)?.title ?? "";
  // The engine's order differs from run to run.
  const changed = rules
    .filter(([before, after]) => !isDeepStrictEqual({ ...before, datasource: "" }, { ...after, datasource: "" }))
    .sort((left, right) => titleOf(left).localeCompare(titleOf(right)));
  const [first] = changed.map(([before, after]) => after ?? before).filter((rule) => rule !== undefined);
  if (!first) return undefined;
  const title = `### Alerts of the last ${lastDays(days)}, before and after\n`;
  let past: ReturnType<typeof openPast>;
  try {
    past = openPast(access(), first.datasource, days, "grafana");
  } catch {
    // The message could name values of settings.
    return [title, "Not known: the settings of the stack cannot be read.\n"].join("\n");
  }
  const texts = new Map<string, string[]>();
  for (const [before, after] of changed) {
    const title = titleOf([before, after]);
    tell(`Replays ${title}`);
    const text = await describe(past, before, after).catch((error: Error) => `not known: ${code(reasonOf(error))}`);
    texts.set(text, [...(texts.get(text) ?? []), `**${code(short(title))}**`]);
  }
  const how = "As Grafana would have evaluated the rules. Times are exact to one evaluation.";
  const lines = [...texts].map(([text, titles]) => `- ${titles.join(", ")}: ${text}`);
  return [title, `${how} ${past.used()}\n`, ...lines, ""].join("\n");
}

async function describe(past: ReturnType<typeof openPast>, old: ReplayedRule | undefined, current: ReplayedRule | undefined) {
  if (Number.isNaN(old?.above) || Number.isNaN(current?.above))
    throw new Error("only rules with one query and one lower limit are replayed");
  const [before, after] = [old && (await past.of(old)), current && (await past.of(current))];
  const pasts = [before ?? [], after ?? []].flat();
  const event = !old ? "new, " : !current ? "deleted, " : "";
  if (pasts.every(({ alerts, notes }) => alerts.length + notes.length === 0)) return `${event}no alert`;
  const limit = old?.above === current?.above ? "query or times changed" : `threshold ${old?.above} → ${current?.above}`;
  const count = pasts.map(({ alerts }) => alerts.length).join(" → ");
  const time = pasts.map(({ alerts }) => firingTime(alerts)).join(" → ");
  const notes = [...new Set(pasts.flatMap((past) => past.notes))].map((note) => ` (${code(note)})`).join("");
  const list = (word: string, alerts: readonly Alert[] = [], others: readonly Alert[] = []) => {
    const only = alerts.filter((alert) => !others.some((other) => isSame(alert, other)));
    return only.length > 0 ? `\n  - ${word}: ${listed(only, (labels) => Object.values(labels).join(" / ") || "all", inWords)}` : "";
  };
  const differences = list("new", after?.alerts, before?.alerts) + list("gone", before?.alerts, after?.alerts);
  return `${event || `${limit}, `}${count} ${count === "1" ? "alert" : "alerts"}, ${time} firing${notes}${differences}`;
}

/** Whether both are about the same at a common time. */
const isSame = (one: Alert, other: Alert) => one.from < other.to && other.from < one.to && isDeepStrictEqual(one.labels, other.labels);

function inWords(alerts: readonly Alert[], name: string): string {
  const times = alerts.slice(0, 3).map(({ from, to }) => inTime(to - from));
  const { isOpen, from = 0 } = alerts.at(-1) ?? {};
  const when = isOpen ? "fires now" : `${alerts.length > 1 ? "last " : ""}${dateOf(from)}`;
  const details = `${times.join(", ")}${alerts.length > 3 ? ", …" : ""}; ${when}`;
  return `${code(short(name))} ${alerts.length > 1 ? `${alerts.length} times ` : ""}(${details})`;
}

/** The alert rule of a group. Its limit is NaN if it is of another form than those of this program: one query, and one lower limit. */
function ruleOf(group: JsonObject | undefined): GrafanaRule | undefined {
  const rule = valueAt(group ?? null, ["rules", 0]);
  if (!isObject(rule) || isObject(rule.record)) return undefined;
  const evaluator = valueAt(rule, ["datas", 1, "model", "conditions", 0, "evaluator"]) ?? null;
  const has = (length: number, ...path: (string | number)[]) => {
    const list = valueAt(group ?? null, path);
    return Array.isArray(list) && list.length === length;
  };
  const isOurs =
    has(1, "rules") && has(2, "rules", 0, "datas") && has(1, "rules", 0, "datas", 1, "model", "conditions") && rule.noDataState === "OK";
  const [, criticalFrom] = /\(ge \S+ ([\d.]+)\)/.exec(String(valueAt(rule, ["labels", "severity"]))) ?? [];
  return {
    ...{ title: String(rule.name), query: String(valueAt(rule, ["datas", 0, "model", "expr"])) },
    above: isOurs && field(evaluator, "type") === "gt" ? Number(valueAt(evaluator, ["params", 0])) : Number.NaN,
    ...{ forMinutes: minutesOf(rule.for), keepMinutes: minutesOf(rule.keepFiringFor), everyMinutes: Number(group?.intervalSeconds) / 60 },
    ...(criticalFrom && { criticalFrom: Number(criticalFrom) }),
    datasource: String(valueAt(rule, ["datas", 0, "datasourceUid"])),
  };
}

const minutes: Readonly<Record<string, number>> = { d: 1440, h: 60, m: 1, s: 1 / 60 };
/** Minutes of a duration of Go, such as `6h0m0s`, or of Prometheus, such as `1d`. */
const minutesOf = (duration: Json | undefined) =>
  [...String(duration).matchAll(/(\d+)([dhms])/g)].reduce((sum, [, number, unit = ""]) => sum + Number(number) * (minutes[unit] ?? 0), 0);
