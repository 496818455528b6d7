/** A stand-in for Grafana, part: an alert rule in requests of the provisioning API, and in its storage. */
import { z } from "zod";
import { refuse } from "./http";
import type { Rule } from "./state";

const seconds = { h: 3600, m: 60, s: 1 } as const;
/** A duration in Go's format, such as "5m0s". */
const duration = z.string().regex(/^(\d+h)?(\d+m)?(\d+s)?$/);
const querySchema = z.strictObject({
  refId: z.string().min(1),
  queryType: z.string().default(""),
  relativeTimeRange: z.strictObject({ from: z.number().default(0), to: z.number().default(0) }).optional(),
  datasourceUid: z.string().min(1),
  model: z.record(z.string(), z.unknown()),
});
const names = z.array(z.string()).nullish();
const notificationSchema = z.strictObject({
  receiver: z.string().min(1),
  group_by: names,
  mute_time_intervals: names,
  active_time_intervals: names,
  group_wait: z.string().optional(),
  group_interval: z.string().optional(),
  repeat_interval: z.string().optional(),
});
/** Characters of a title, and of a group's name. */
export const longestName = 190;

export const ruleSchema = z.strictObject({
  uid: z.string().default(""),
  title: z.string().min(1).max(longestName),
  condition: z.string(),
  data: z.array(querySchema).min(1),
  noDataState: z.string(),
  execErrState: z.string(),
  for: duration,
  keep_firing_for: duration.default("0s"),
  annotations: z.record(z.string(), z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  isPaused: z.boolean().default(false),
  notification_settings: notificationSchema.nullish(),
  record: z.strictObject({ metric: z.string(), from: z.string(), target_datasource_uid: z.string().optional() }).nullish(),
  // Fields of a response that clients send back. Grafana ignores them.
  ...{ id: z.number().optional(), orgID: z.number(), folderUID: z.string(), ruleGroup: z.string(), updated: z.string().optional() },
  provenance: z.string().optional(),
});
export type SentRule = z.infer<typeof ruleSchema>;

const commonStates = ["Alerting", "OK", "KeepLast"];

/** The error for invalid states of a rule. A recording rule has no states. Undefined for valid ones. */
export function wrongState({ noDataState, execErrState, record }: SentRule): string | undefined {
  const isKnown = (state: string, own: string) => state === own || commonStates.includes(state);
  if (record) return undefined;
  if (!isKnown(execErrState, "Error")) return `unknown Error state option ${execErrState}`;
  return isKnown(noDataState, "NoData") ? undefined : `unknown NoData state option ${noDataState}`;
}

/** The stored fields of a rule, with Grafana's defaults for a query's model. */
export function contentOf(rule: SentRule): Rule["content"] {
  const { title, condition, noDataState, execErrState, annotations, labels, isPaused, record = null } = rule;
  if (!record && !rule.data.some(({ refId }) => refId === condition))
    refuse(400, { message: `the stand-in: the condition ${condition} of "${title}" is none of its queries` });
  const data = rule.data.map(({ relativeTimeRange = { from: 0, to: 0 }, model, ...query }) => {
    return { ...query, relativeTimeRange, model: { intervalMs: 1000, maxDataPoints: 43200, ...model } };
  });
  const kept = { title, condition, data, noDataState, execErrState, for: shortened(rule.for), annotations, labels };
  const settings = Object.entries(rule.notification_settings ?? {}).filter(([, value]) => !(Array.isArray(value) ? !value.length : !value));
  const notification_settings = settings.length ? Object.fromEntries(settings) : null;
  return { ...kept, keep_firing_for: shortened(rule.keep_firing_for), isPaused, notification_settings, record };
}

/** A duration in Prometheus' format: "5m" for "5m0s". */
function shortened(text: string): string {
  let left = [...text.matchAll(/(\d+)([hms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * seconds[unit as "h"], 0);
  const parts = Object.entries({ d: 86_400, ...seconds }).map(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count ? `${count}${unit}` : "";
  });
  return parts.join("") || "0s";
}
