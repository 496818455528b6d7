/** When the alerts of a rule would have fired, from the values of its query. */
import type { AlertRule } from "../alerts/rule";

/** What decides when a rule fires. */
export type ReplayedRule = Pick<AlertRule, "title" | "query" | "above" | "criticalFrom" | "forMinutes" | "keepMinutes" | "everyMinutes">;
export type Labels = Readonly<Record<string, string>>;
/** The values of a query by the times of evaluations. All times are in seconds. */
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
  /** The first evaluation with a value above the limit. */
  aboveSince: number;
  /** The last evaluation with a value. */
  seen: number;
  /** The first evaluation with no value above the limit. */
  belowSince?: number | undefined;
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
export function replay(rule: ReplayedRule, all: readonly Values[], { from, to, step }: Evaluations, ruler: Ruler): Alert[] {
  const found: Alert[] = [];
  const states = new Map<string, State>();
  const series = all.map(({ labels: { __name__, ...labels }, values }) => ({ labels, values: new Map(values) }));
  for (let time = from; time <= to; time += step) {
    /** Whether a series is above the limit, of those with a value. */
    const present = new Map<string, boolean>();
    for (const [index, { labels: own, values }] of series.entries()) {
      const value = values.get(time);
      if (value === undefined) continue;
      const severity = rule.criticalFrom === undefined ? {} : { severity: value >= rule.criticalFrom ? "critical" : "warning" };
      const labels = { ...own, ...severity };
      const key = `${index} ${labels.severity}`;
      present.set(key, value > rule.above);
      if (!(value > rule.above)) continue;
      const state: State = states.get(key) ?? { labels, aboveSince: time, seen: time };
      states.set(key, state);
      if (state.alert || time - state.aboveSince < 60 * rule.forMinutes) continue;
      state.alert = { labels, from: time, to: time, isOpen: true, value };
      found.push(state.alert);
    }
    for (const [key, state] of states) {
      const isAbove = present.get(key) ?? false;
      const isMissing = ruler === "grafana" && present.size > 0 && !present.has(key);
      if (!isMissing) Object.assign(state, { seen: time, belowSince: isAbove ? undefined : (state.belowSince ?? time) });
      const keepsFiring = state.alert && time - (state.belowSince ?? time) < 60 * rule.keepMinutes;
      const stays = isAbove || (isMissing ? time - state.seen < missingEvaluations * step : keepsFiring);
      if (state.alert) Object.assign(state.alert, { to: stays ? time + step : time, isOpen: stays });
      if (!stays) states.delete(key);
    }
  }
  return found;
}
