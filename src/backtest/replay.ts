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
  /** The first evaluation with a value above the limit. */
  aboveSince: number;
  /** The last evaluation at which the series was not missing. */
  seen: number;
  /** Since then, no value is above the limit. */
  belowSince?: number | undefined;
  alert?: Alert;
};

/**
 * The alerts of a rule by their begin. Both rulers count `for` from the first value above the limit, and `keep_firing_for` from the first
 * evaluation without one.
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
  /** The evaluations with a value of any series. */
  const answered = new Set<number>();
  for (const { values } of all) for (const [time] of values) answered.add(time);
  for (const { labels, values } of all.flatMap((series) => bySeverity(series, rule))) {
    if (!values.some(([, value]) => value > rule.above)) continue;
    const valueAt = new Map(values);
    let state: State | undefined;
    for (let time = from; time <= to; time += step) {
      const value = valueAt.get(time);
      const isAbove = value !== undefined && value > rule.above;
      if (isAbove) state ??= { aboveSince: time, seen: time };
      if (!state) continue;
      if (isAbove && !state.alert && time - state.aboveSince >= 60 * rule.forMinutes) {
        state.alert = { labels, from: time, to: time, isOpen: true, value };
        found.push(state.alert);
      }
      let stays = isAbove;
      if (ruler === "grafana" && value === undefined && answered.has(time)) stays = time - state.seen < missingEvaluations * step;
      else {
        state.seen = time;
        state.belowSince = isAbove ? undefined : (state.belowSince ?? time);
        if (state.alert && state.belowSince !== undefined) stays = time - state.belowSince < 60 * rule.keepMinutes;
      }
      if (state.alert) Object.assign(state.alert, { to: stays ? time + step : time, isOpen: stays });
      if (!stays) state = undefined;
    }
  }
  return found.sort((left, right) => left.from - right.from);
}

/** The values of each alert of a series. For both rulers, another severity is another alert. */
function bySeverity({ labels: { __name__, ...labels }, values }: Values, { criticalFrom }: ReplayedRule): Values[] {
  if (criticalFrom === undefined) return [{ labels, values }];
  const [warning, critical] = [values.filter(([, value]) => !(value >= criticalFrom)), values.filter(([, value]) => value >= criticalFrom)];
  return [
    { labels: { ...labels, severity: "warning" }, values: warning },
    { labels: { ...labels, severity: "critical" }, values: critical },
  ];
}
