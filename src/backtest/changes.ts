/** What the alert rules that a preview changes would have done before and after, as a part of its report. */
import { isDeepStrictEqual } from "node:util";
import { defineAlerts } from "../alerts/definitions";
import type { GrafanaAccess } from "../network/grafana";
import { code, short } from "../report/markdown";
import type { Preview } from "../report/parse-preview";
import type { Settings } from "../settings";
import { recordedBudget } from "../signals/costs";
import { openPast, type Past, withBudgets } from "./past";
import type { Alert, ReplayedRule } from "./replay";
import { dateOf, firingTime, inTime, lastDays, listed, reasonOf } from "./words";

/** What a preview changes. `before` is undefined for something new, `after` for something deleted. */
type Change<T> = { before: T | undefined; after: T | undefined };
type Replayed = (rule: ReplayedRule) => Promise<Past | undefined>;

/**
 * The part of the report; undefined if no rule changes when it fires.
 *
 * @param readStack throws an error if the settings cannot be read
 */
export async function pastOfChanges({ changes }: Preview, days: number, readStack: () => { settings: Settings; access: GrafanaAccess }) {
  const groups: Change<RuleGroup>[] = changes.filter(({ type }) => type.endsWith(":RuleGroup"));
  const changed = groups.map(({ before, after }) => ({ before: replayedRuleOf(before), after: replayedRuleOf(after) })).filter(isChange);
  const budgets = groups.map(({ before, after }) => ({ before: budgetsOf(before), after: budgetsOf(after) })).find(isChange);
  if (changed.length === 0 && !budgets) return undefined;
  const title = `### Alerts of the last ${lastDays(days)}, before and after\n`;
  let stack: ReturnType<typeof readStack>;
  try {
    stack = readStack();
  } catch {
    // The message could name values of settings.
    return [title, "Not known: the settings of the stack cannot be read. `npm run backtest -- --stack NAME` says why.\n"].join("\n");
  }
  const { settings, access } = stack;
  const past = openPast(access, settings.datasources.prometheus.uid, days, "grafana");
  const all = budgets ? [...changed, ...unchangedOnBudgets(settings, changed)] : changed;
  const texts = new Map<string, string[]>();
  // The engine's order differs from run to run.
  for (const change of all.sort((left, right) => titleOf(left).localeCompare(titleOf(right)))) {
    console.error(`Replays ${titleOf(change)}`);
    const before = change.before && withBudgets(change.before, budgets?.before);
    const after = change.after && withBudgets(change.after, budgets?.after);
    const text = await describe(past.replayed, { before, after }).catch((error: Error) => `not known: ${code(reasonOf(error))}`);
    texts.set(text, [...(texts.get(text) ?? []), `**${code(short(titleOf(change)))}**`]);
  }
  const how = "As Grafana would have evaluated the rules. Times are exact to one evaluation.";
  const lines = [...texts].map(([text, titles]) => `- ${titles.join(", ")}: ${text}`);
  return [title, `${how} ${past.used()}\n`, ...lines, ""].join("\n");
}

const isChange = ({ before, after }: Change<unknown>) => !isDeepStrictEqual(before, after);
const titleOf = ({ before, after }: Change<ReplayedRule>) => (after ?? before)?.title ?? "";

/** The rules on budgets that stay the same: they read the recorded budgets. */
const unchangedOnBudgets = (settings: Settings, changed: readonly Change<ReplayedRule>[]): Change<ReplayedRule>[] =>
  defineAlerts(settings)
    .all.flatMap(({ rules }) => rules)
    .filter(({ title, query }) => query.includes(recordedBudget) && !changed.some((change) => titleOf(change) === title))
    .map((rule) => ({ before: rule, after: rule }));

async function describe(replayed: Replayed, { before: old, after: current }: Change<ReplayedRule>): Promise<string> {
  if (Number.isNaN(old?.above) || Number.isNaN(current?.above))
    throw new Error("only rules with one query and one lower limit are replayed");
  const noData: Past = { alerts: [], notes: ["no data"] };
  const [before, after] = [old && ((await replayed(old)) ?? noData), current && ((await replayed(current)) ?? noData)];
  const pasts = [before ?? [], after ?? []].flat();
  const what = !old ? "new" : !current ? "deleted" : differences(old, current);
  if (pasts.every(({ alerts, notes }) => alerts.length + notes.length === 0)) return old && current ? "no alert" : `${what}, no alert`;
  const count = pasts.map(({ alerts }) => alerts.length).join(" → ");
  const time = pasts.map(({ alerts }) => firingTime(alerts)).join(" → ");
  const notes = [...new Set(pasts.flatMap((past) => past.notes))].map((note) => ` (${code(note)})`).join("");
  const list = (word: string, alerts: readonly Alert[] = [], others: readonly Alert[] = []) => {
    const only = alerts.filter((alert) => !others.some((other) => isSame(alert, other)));
    return only.length > 0 ? `\n  - ${word}: ${listed(only, (labels) => Object.values(labels).join(" / ") || "all", inWords)}` : "";
  };
  const lists = list("new", after?.alerts, before?.alerts) + list("gone", before?.alerts, after?.alerts);
  return `${what}, ${count} ${count === "1" ? "alert" : "alerts"}, ${time} firing${notes}${lists}`;
}

/** What differs between two rules. The query of a rule on budgets has the budgets in it. */
function differences(old: ReplayedRule, current: ReplayedRule): string {
  const parts = [
    ...(old.above === current.above ? [] : [`threshold ${old.above} → ${current.above}`]),
    ...(old.query === current.query ? [] : ["query changed"]),
    ...(times.every((name) => old[name] === current[name]) ? [] : ["times changed"]),
  ];
  return parts.join(", ");
}

const times = ["forMinutes", "keepMinutes", "everyMinutes", "criticalFrom"] as const;

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
type RuleGroup = { intervalSeconds?: number; rules?: readonly GrafanaRule[] };
type GrafanaRule = Readonly<Partial<Record<"name" | "for" | "keepFiringFor" | "noDataState", string>>> & {
  labels?: { severity?: string };
  record?: { metric?: string };
  datas?: readonly { model?: { expr?: string; conditions?: readonly { evaluator?: { type?: string; params?: number[] } }[] } }[];
};

/** The alert rule of a group. Its limit is NaN if it is of another form than those of this program: one query, and one lower limit. */
function replayedRuleOf({ intervalSeconds = 0, rules = [] }: RuleGroup = {}): ReplayedRule | undefined {
  const [rule, ...others] = rules;
  if (!rule || rule.record) return undefined;
  const [query, threshold, ...more] = rule.datas ?? [];
  const [condition, ...conditions] = threshold?.model?.conditions ?? [];
  const isOurs = [...others, ...more, ...conditions].length === 0 && condition?.evaluator?.type === "gt" && rule.noDataState === "OK";
  // As `severityOf` writes it.
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
const budgetsOf = ({ rules = [] }: RuleGroup = {}) => rules.find((rule) => rule.record?.metric === recordedBudget)?.datas?.[0]?.model?.expr;

const minutes: Readonly<Record<string, number>> = { h: 60, m: 1, s: 1 / 60 };
/** Minutes of a duration as Grafana's provider stores it, such as `6h0m0s`. */
const minutesOf = (duration = "") =>
  [...duration.matchAll(/(\d+)([hms])/g)].reduce((sum, [, number, unit = ""]) => sum + Number(number) * (minutes[unit] ?? 0), 0);
