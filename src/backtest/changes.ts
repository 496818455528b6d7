/** What the alert rules that a preview changes would have done before and after, as a part of its report. */
import { isDeepStrictEqual } from "node:util";
import { defineAlerts } from "../alerts/definitions";
import type { GrafanaAccess } from "../network/grafana";
import { code, short } from "../report/markdown";
import type { Preview } from "../report/parse-preview";
import type { Settings } from "../settings";
import { recordedBudget } from "../signals/costs";
import { openPast, withBudgets } from "./past";
import type { Alert, ReplayedRule } from "./replay";
import { dateOf, firingTime, inTime, lastDays, listed, reasonOf } from "./words";

/** A rule before and after. Undefined if it is new, or deleted. */
type Pair = readonly [before: ReplayedRule | undefined, after: ReplayedRule | undefined];

/**
 * The part of the report; undefined if no rule changes when it fires.
 *
 * @param stack throws an error if the settings cannot be read
 * @param tell receives the progress
 */
export async function pastOfChanges(
  { changes }: Preview,
  days: number,
  stack: () => { settings: Settings; access: GrafanaAccess },
  tell: (text: string) => void,
): Promise<string | undefined> {
  const groups = changes.filter(({ type }) => type.endsWith(":RuleGroup"));
  const changed = groups
    .map(({ before, after }): Pair => [ruleOf(before), ruleOf(after)])
    .filter(([before, after]) => !isDeepStrictEqual(before, after));
  const [budgets] = groups.map(({ before, after }) => [budgetsOf(before), budgetsOf(after)]).filter(([before, after]) => before !== after);
  if (changed.length === 0 && !budgets) return undefined;
  const title = `### Alerts of the last ${lastDays(days)}, before and after\n`;
  let past: ReturnType<typeof openPast>;
  let all: readonly ReplayedRule[];
  try {
    const { settings, access } = stack();
    past = openPast(access, settings.datasources.prometheus.uid, days, "grafana");
    all = defineAlerts(settings).all.flatMap(({ rules }) => rules);
  } catch {
    // The message could name values of settings.
    return [title, "Not known: the settings of the stack cannot be read.\n"].join("\n");
  }
  // New budgets leave the alert rule as it is: it reads the recorded ones.
  const unchanged = all.filter(({ title, query }) => query.includes(recordedBudget) && !changed.some((pair) => titleOf(pair) === title));
  const pairs = budgets ? [...changed, ...unchanged.map((rule): Pair => [rule, rule])] : changed;
  const texts = new Map<string, string[]>();
  // The engine's order differs from run to run.
  for (const pair of pairs.sort((left, right) => titleOf(left).localeCompare(titleOf(right)))) {
    tell(`Replays ${titleOf(pair)}`);
    const [before, after] = pair.map((rule, side) => rule && withBudgets(rule, budgets?.[side]));
    const text = await describe(past, before, after).catch((error: Error) => `not known: ${code(reasonOf(error))}`);
    texts.set(text, [...(texts.get(text) ?? []), `**${code(short(titleOf(pair)))}**`]);
  }
  const how = "As Grafana would have evaluated the rules. Times are exact to one evaluation.";
  const lines = [...texts].map(([text, titles]) => `- ${titles.join(", ")}: ${text}`);
  return [title, `${how} ${past.used()}\n`, ...lines, ""].join("\n");
}

const titleOf = ([before, after]: Pair) => (after ?? before)?.title ?? "";

async function describe(past: ReturnType<typeof openPast>, old: ReplayedRule | undefined, current: ReplayedRule | undefined) {
  if (Number.isNaN(old?.above) || Number.isNaN(current?.above))
    throw new Error("only rules with one query and one lower limit are replayed");
  const [before, after] = [old && (await past.of(old)), current && (await past.of(current))];
  const pasts = [before ?? [], after ?? []].flat();
  const event = !old ? "new, " : !current ? "deleted, " : "";
  if (pasts.every(({ alerts, notes }) => alerts.length + notes.length === 0)) return `${event}no alert`;
  const limit = old?.above === current?.above ? "query, budgets or times changed" : `threshold ${old?.above} → ${current?.above}`;
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

/** A rule group of Grafana's provider, as this program writes it. */
type Group = { intervalSeconds?: number; rules?: readonly GrafanaRule[] };
type GrafanaRule = Readonly<Partial<Record<"name" | "for" | "keepFiringFor" | "noDataState", string>>> & {
  labels?: { severity?: string };
  record?: { metric?: string };
  datas?: readonly { model?: { expr?: string; conditions?: readonly { evaluator?: { type?: string; params?: number[] } }[] } }[];
};

/** The alert rule of a group. Its limit is NaN if it is of another form than those of this program: one query, and one lower limit. */
function ruleOf({ intervalSeconds = 0, rules = [] }: Group = {}): ReplayedRule | undefined {
  const [rule, ...others] = rules;
  if (!rule || rule.record) return undefined;
  const [query, threshold, ...more] = rule.datas ?? [];
  const [condition, ...conditions] = threshold?.model?.conditions ?? [];
  const isOurs = [...others, ...more, ...conditions].length === 0 && condition?.evaluator?.type === "gt" && rule.noDataState === "OK";
  const [, criticalFrom] = /\(ge \S+ ([\d.]+)\)/.exec(rule.labels?.severity ?? "") ?? [];
  return {
    title: rule.name ?? "",
    query: isOurs ? (query?.model?.expr ?? "") : JSON.stringify(rules),
    above: isOurs ? Number(condition.evaluator?.params?.[0]) : Number.NaN,
    ...{ forMinutes: minutesOf(rule.for), keepMinutes: minutesOf(rule.keepFiringFor), everyMinutes: intervalSeconds / 60 },
    ...(criticalFrom && { criticalFrom: Number(criticalFrom) }),
  };
}

/** The query of the budgets that a group records. */
const budgetsOf = ({ rules = [] }: Group = {}) => rules.find(({ record }) => record?.metric === recordedBudget)?.datas?.[0]?.model?.expr;

const minutes: Readonly<Record<string, number>> = { d: 1440, h: 60, m: 1, s: 1 / 60 };
/** Minutes of a duration of Go, such as `6h0m0s`, or of Prometheus, such as `1d`. */
const minutesOf = (duration = "") =>
  [...duration.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, number, unit = ""]) => sum + Number(number) * (minutes[unit] ?? 0), 0);
