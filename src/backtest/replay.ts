/** When the alerts of a rule would have fired, from the values of its query. */
import type { AlertRule } from "../alerts/rule";

/** What decides when a rule fires. */
export type ReplayedRule = Pick<AlertRule, "title" | "query" | "above" | "criticalFrom" | "forMinutes" | "keepMinutes" | "everyMinutes">;
export type Labels = Readonly<Record<string, string>>;
/** The values of a query by the times of evaluations, in their order. All times are in seconds. */
export type Values = { labels: Labels; values: readonly (readonly [time: number, value: number])[] };
/** The first evaluation, the last one, and the time from one to the next. */
export type Evaluations = { from: number; to: number; step: number };
/** From the evaluation at which an alert fires to that at which it has ended. An open one fires at the last evaluation, before `to`. */
export type Alert = { labels: Labels; from: number; to: number; isOpen: boolean; value: number };
/** Who evaluates the rules: Grafana with the setting `alerts`, or a ruler with the file of `npm run rules`: Prometheus or Mimir. */
export type Ruler = "grafana" | "prometheus";

/** The default of `missing_series_evals_to_resolve` in Grafana. */
const missingEvaluations = 2;

/** An alert that is pending or fires. */
type State = {
  labels: Labels;
  /** The first value above the limit. */
  since: number;
  /** The last evaluation with a value. */
  seen: number;
  /** The first evaluation with no value above the limit. */
  ending?: number | undefined;
  alert?: Alert;
};

/**
 * The alerts of a rule. Both rulers count `for` from the first value above the limit, and `keep_firing_for` from the first evaluation
 * without one. For both, another severity is another alert.
 *
 * The rulers differ if a series has no value while others of the rule have some. For Prometheus, its alert is not above the limit. Grafana
 * leaves the alert as it is, and ends it at the second such evaluation, whatever `keep_firing_for` says. If no series has a value, no alert
 * is above the limit for both: in Grafana by `noDataState: OK`.
 *
 * @see https://github.com/grafana/grafana/tree/main/pkg/services/ngalert/state `resultAlerting`, `processMissingSeriesStates`
 * @see https://github.com/prometheus/prometheus/blob/main/rules/alerting.go `Eval`
 */
export function replay(rule: ReplayedRule, series: readonly Values[], { from, to, step }: Evaluations, ruler: Ruler): Alert[] {
  const found: Alert[] = [];
  const states = new Map<string, State>();
  const next = series.map(() => 0);
  for (let time = from; time <= to; time += step) {
    const present = new Map<string, boolean>();
    for (const [index, { labels: all, values }] of series.entries()) {
      while ((values[next[index] ?? 0]?.[0] ?? time) < time) next[index] = (next[index] ?? 0) + 1;
      const [at, value = Number.NaN] = values[next[index] ?? 0] ?? [];
      if (at !== time) continue;
      next[index] = (next[index] ?? 0) + 1;
      const { __name__, ...labels } = all as Record<string, string>;
      if (rule.criticalFrom !== undefined) labels.severity = value >= rule.criticalFrom ? "critical" : "warning";
      const key = `${index} ${labels.severity}`;
      present.set(key, value > rule.above);
      if (!present.get(key)) continue;
      const state: State = states.get(key) ?? { labels, since: time, seen: time };
      states.set(key, state);
      if (state.alert || time - state.since < 60 * rule.forMinutes) continue;
      state.alert = { labels, from: time, to: time, isOpen: true, value };
      found.push(state.alert);
    }
    for (const [key, state] of states) {
      const isAbove = present.get(key) ?? false;
      const isMissing = ruler === "grafana" && present.size > 0 && !present.has(key);
      if (!isMissing) Object.assign(state, { seen: time, ending: isAbove ? undefined : (state.ending ?? time) });
      const keeps = state.alert && time - (state.ending ?? time) < 60 * rule.keepMinutes;
      const stays = isAbove || (isMissing ? time - state.seen < missingEvaluations * step : keeps);
      if (state.alert) Object.assign(state.alert, { to: stays ? time + step : time, isOpen: stays });
      if (!stays) states.delete(key);
    }
  }
  return found;
}
