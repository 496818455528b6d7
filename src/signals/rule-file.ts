/** The recording rules in the format of Prometheus' rule files. Pure. */
import type { RecordingRule } from "./counters";

/**
 * A rule file with a group for each dashboard. `query_offset` is the time by which samples may be late: SDKs export each minute, and a rule that misses a sample never sees it again.
 *
 * @see https://prometheus.io/docs/prometheus/latest/configuration/recording_rules/
 */
export const ruleFile = (groups: Readonly<Record<string, readonly RecordingRule[]>>) => ({
  groups: Object.entries(groups).map(([name, rules]) => ({
    name,
    interval: "1m",
    query_offset: "1m",
    rules: rules.map(({ name, query }) => ({ record: name, expr: `${query}\n` })),
  })),
});
