/** What the alert rules that a preview changes would have done before and after, as a part of its report. */
import { isDeepStrictEqual } from "node:util";
import type { GrafanaAccess } from "../network/grafana";
import { field, isObject, type Json, type JsonObject, valueAt } from "../report/json";
import { code, short } from "../report/markdown";
import type { Preview } from "../report/parse-preview";
import { type Past, pastOf } from "./past";
import type { Alert, Labels, ReplayedRule } from "./replay";
import { openSource } from "./source";
import { dateOf, firingTime, inTime, listed } from "./words";

/** The part of the report, or why it is not known; undefined if no rule changes when it fires. @param tell of progress */
export async function pastOfChanges({ changes }: Preview, days: number, access: GrafanaAccess, tell: (text: string) => void) {
  const groups = changes.filter(({ type }) => type.endsWith(":RuleGroup")).map(({ before, after }) => [before, after].map(ruleOf));
  const all = groups.filter(([before, after]) => !isDeepStrictEqual(before, after));
  const source = openSource(access, [...(all[0] ?? [])].reverse().find(Boolean)?.datasource ?? "");
  const lines: string[] = [];
  /** The rules of which there is no more to say than this. */
  const others = new Map<string, string[]>();
  for (const [index, rules] of all.entries()) {
    const title = [...rules].reverse().find(Boolean)?.title ?? "";
    const name = `**${code(short(title))}**`;
    const add = (what: string) => others.set(what, [...(others.get(what) ?? []), name]);
    tell(`${index + 1} of ${all.length}: ${title}`);
    try {
      if (rules.some((rule) => Number.isNaN(rule?.above))) throw new Error("only rules with one query and one lower limit are replayed");
      const pasts: (Past | undefined)[] = [];
      for (const rule of rules) pasts.push(rule && (await pastOf(rule, source, days, "grafana")));
      if (pasts.every((past) => !past || past.alerts.length + past.notes.length === 0)) add("no alert");
      else lines.push(`- ${name}, ${describe(rules, pasts)}`);
    } catch (error) {
      add(`not known: ${(error as Error).message}`);
    }
  }
  if (all.length === 0) return undefined;
  const how = "As Grafana would have evaluated the rules; each alert begins and ends within an evaluation of these times.";
  const rest = [...others].map(([what, names]) => `- ${names.join(", ")}: ${what}`);
  return [`### Alerts of the last ${days} days, before and after\n`, `${how} ${source.used()}`, "", ...lines, ...rest, ""].join("\n");
}

function describe([old, current]: readonly (ReplayedRule | undefined)[], [before, after]: readonly (Past | undefined)[]): string {
  const limit = old?.above === current?.above ? "changed" : `threshold ${old?.above} → ${current?.above}`;
  const pasts = [before ?? [], after ?? []].flat();
  const count = pasts.map(({ alerts }) => alerts.length).join(" → ");
  const time = pasts.map(({ alerts }) => firingTime(alerts)).join(" → ");
  const notes = [...new Set(pasts.flatMap((past) => past.notes))].map((note) => ` (${code(note)})`).join("");
  const list = (word: string, alerts: readonly Alert[] = [], others: readonly Alert[] = []) => {
    const only = alerts.filter((alert) => !others.some((other) => isSame(alert, other)));
    return only.length > 0 ? `\n  - ${word}: ${listed(only, labelsOf, inWords)}` : "";
  };
  const differences = list("new", after?.alerts, before?.alerts) + list("gone", before?.alerts, after?.alerts);
  return `${!old ? "new" : !current ? "deleted" : limit}: ${count} ${count === "1" ? "alert" : "alerts"}, ${time} firing${notes}${differences}`;
}

/** Whether both are about the same at a common time. */
const isSame = (one: Alert, other: Alert) => one.from < other.to && other.from < one.to && isDeepStrictEqual(one.labels, other.labels);

const labelsOf = (labels: Labels) => Object.values(labels).join(" / ") || "all";

function inWords(alerts: readonly Alert[], name: string): string {
  const times = alerts.slice(0, 3).map(({ from, to }) => inTime(to - from));
  const { isOpen, from = 0 } = alerts.at(-1) ?? {};
  const when = isOpen ? "fires now" : `last ${dateOf(from)}`;
  return `${code(short(name))} ${alerts.length > 1 ? `${alerts.length} times ` : ""}(${times.join(", ")}${alerts.length > 3 ? ", …" : ""}; ${when})`;
}

/** The alert rule in the properties of a group. Its limit is NaN if it is of another form than those of this program: one query, and one lower limit. */
export function ruleOf(group: JsonObject | undefined): (ReplayedRule & { datasource: string }) | undefined {
  const rule = valueAt(group ?? null, ["rules", 0]);
  if (!isObject(rule) || isObject(rule.record)) return undefined;
  const at = (...path: (string | number)[]) => valueAt(rule, path);
  const evaluator = at("datas", 1, "model", "conditions", 0, "evaluator");
  const [, criticalFrom] = /\(ge \S+ ([\d.]+)\)/.exec(String(at("labels", "severity"))) ?? [];
  return {
    ...{ title: String(rule.name), query: String(at("datas", 0, "model", "expr")), datasource: String(at("datas", 0, "datasourceUid")) },
    above: field(evaluator, "type") === "gt" ? Number(valueAt(evaluator ?? null, ["params", 0])) : Number.NaN,
    ...{
      forMinutes: minutesOf(rule.for),
      keepMinutes: minutesOf(rule.keepFiringFor),
      everyMinutes: Number(field(group, "intervalSeconds")) / 60,
    },
    ...(criticalFrom && { criticalFrom: Number(criticalFrom) }),
  };
}

/** Of a duration of Go, such as `6h0m0s`. */
const minutesOf = (duration: Json | undefined = "") =>
  [...String(duration).matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * { h: 60, m: 1, s: 1 / 60 }[unit as "h"],
    0,
  );
