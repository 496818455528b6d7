/** The stand-in for the Grafana plugin: a rule of a group, in inputs, outputs and in the API. */
import type { Properties } from "../resource";
import { goJson, isObject, isZero, type Values } from "../values";
import { goDuration, isDuration, sameDuration, seconds } from "./duration";

/** A rule in the server's response. */
export interface RuleDto {
  uid: string;
  title: string;
  orgID: number;
  for: string;
  keep_firing_for?: string;
  missingSeriesEvalsToResolve?: number;
  noDataState: string;
  execErrState: string;
  condition: string;
  labels?: Values;
  annotations?: Values;
  isPaused?: boolean;
  provenance?: string;
  data: QueryDto[];
  notification_settings?: Values | null;
  record?: Values | null;
}

interface QueryDto {
  refId: string;
  queryType?: string;
  datasourceUid: string;
  relativeTimeRange?: { from?: number; to?: number };
  model: unknown;
}

function isJson(value: unknown): string | undefined {
  try {
    JSON.parse(String(value));
    return undefined;
  } catch (error) {
    return `contains an invalid JSON: ${(error as Error).message}`;
  }
}

/** The state leaves out the values that Grafana adds to a query. */
function normalized(model: string): string {
  try {
    const { maxDataPoints, intervalMs, ...rest } = JSON.parse(model) as Values;
    return goJson({
      ...rest,
      ...(maxDataPoints === undefined || maxDataPoints === 43_200 ? {} : { maxDataPoints }),
      ...(intervalMs === undefined || intervalMs === 1000 ? {} : { intervalMs }),
    });
  } catch {
    return model;
  }
}

/** No value means the default. */
const orDefault = (standard: string) => ({
  same: (old: unknown, value: unknown) => (old ?? "") === (value ?? "") || (isZero(value) && old === standard),
});

const query: Properties = {
  refId: { required: true },
  datasourceUid: { required: true },
  queryType: { default: "" },
  model: { required: true, validate: isJson, normalize: normalized },
  relativeTimeRange: { required: true, fields: { from: { required: true }, to: { required: true } } },
};

const timings = ["activeTimings", "groupBies", "muteTimings"] as const;
const intervals = ["groupInterval", "groupWait", "repeatInterval"] as const;

export const rule: Properties = {
  uid: { computed: true },
  name: { required: true },
  for: { default: 0, validate: isDuration, same: sameDuration },
  keepFiringFor: { validate: isDuration, same: sameDuration },
  missingSeriesEvalsToResolve: {},
  noDataState: orDefault("NoData"),
  execErrState: orDefault("Alerting"),
  condition: {},
  datas: { required: true, items: query },
  labels: { default: {} },
  annotations: { default: {} },
  isPaused: { default: false },
  notificationSettings: {
    fields: { contactPoint: { required: true }, ...Object.fromEntries([...timings, ...intervals].map((name) => [name, {}])) },
  },
  record: { fields: { metric: { required: true }, from: { required: true }, targetDatasourceUid: {} } },
};

const orNull = (value: Values | null | undefined): Values | null => (isZero(value) ? null : (value ?? null));
const list = (value: unknown): string[] => (Array.isArray(value) ? value : []);

export function fromDto(dto: RuleDto): Values {
  const settings = dto.notification_settings ?? undefined;
  const record = dto.record ?? undefined;
  const keep = seconds(dto.keep_firing_for) ?? 0;
  const named = (key: string) => (list(settings?.[key]).length > 0 ? settings?.[key] : null);
  return {
    uid: dto.uid,
    name: dto.title,
    for: goDuration(seconds(dto.for) ?? 0),
    keepFiringFor: keep === 0 ? "" : goDuration(keep),
    missingSeriesEvalsToResolve: dto.missingSeriesEvalsToResolve ?? 0,
    noDataState: dto.noDataState,
    execErrState: dto.execErrState,
    condition: dto.condition,
    labels: orNull(dto.labels),
    annotations: orNull(dto.annotations),
    isPaused: dto.isPaused ?? false,
    datas: dto.data.map(({ refId, queryType = "", datasourceUid, relativeTimeRange, model }) => ({
      refId,
      queryType,
      datasourceUid,
      relativeTimeRange: { from: relativeTimeRange?.from ?? 0, to: relativeTimeRange?.to ?? 0 },
      model: normalized(JSON.stringify(model)),
    })),
    notificationSettings: settings
      ? {
          contactPoint: settings.receiver ?? "",
          activeTimings: named("active_time_intervals"),
          groupBies: named("group_by"),
          muteTimings: named("mute_time_intervals"),
          groupInterval: settings.group_interval ?? "",
          groupWait: settings.group_wait ?? "",
          repeatInterval: settings.repeat_interval ?? "",
        }
      : null,
    record: record ? { metric: record.metric, from: record.from, targetDatasourceUid: record.target_datasource_uid ?? "" } : null,
  };
}

/** Without empty values. */
const filled = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => !isZero(value)));

/** @throws where two fields conflict */
export function toDto(inputs: Values, group: { name: unknown; folderUid: unknown; org: number }): Values {
  const { record, condition, noDataState, execErrState, notificationSettings: settings } = inputs;
  const [pending, keep] = [seconds(inputs.for) ?? 0, seconds(inputs.keepFiringFor) ?? 0];
  const alone = { for: pending, keep_firing_for: keep, missing_series_evals_to_resolve: inputs.missingSeriesEvalsToResolve };
  const conflict = Object.entries({ ...alone, no_data_state: noDataState, exec_err_state: execErrState, condition }).find(
    ([, value]) => !isZero(value),
  );
  if (record && conflict) throw new Error(`conflicting fields "record" and "${conflict[0]}"`);
  if (!record && isZero(condition)) throw new Error('"condition" is required');
  return {
    ...filled({
      uid: inputs.uid,
      annotations: inputs.annotations,
      labels: inputs.labels,
      isPaused: inputs.isPaused,
      keep_firing_for: keep === 0 ? "" : goDuration(keep),
      missingSeriesEvalsToResolve: inputs.missingSeriesEvalsToResolve,
      notification_settings: isObject(settings) ? settingsDto(settings) : undefined,
      record: isObject(record) ? recordDto(record) : undefined,
    }),
    title: inputs.name,
    folderUID: group.folderUid,
    ruleGroup: group.name,
    orgID: group.org,
    for: goDuration(pending),
    condition: condition ?? "",
    noDataState: record ? "" : noDataState || "NoData",
    execErrState: record ? "" : execErrState || "Alerting",
    data: (inputs.datas as Values[]).map(({ refId, queryType, datasourceUid, relativeTimeRange, model }) => ({
      ...filled({ refId, queryType, datasourceUid }),
      relativeTimeRange: filled(relativeTimeRange as Values),
      model: JSON.parse(String(model)),
    })),
    updated: "0001-01-01T00:00:00.000Z",
  };
}

const settingsDto = ({
  contactPoint,
  activeTimings,
  groupBies,
  muteTimings,
  groupInterval,
  groupWait,
  repeatInterval,
}: Values): Values => ({
  receiver: contactPoint,
  active_time_intervals: list(activeTimings),
  group_by: list(groupBies).length > 0 ? groupBies : null,
  mute_time_intervals: list(muteTimings),
  ...filled({ group_interval: groupInterval, group_wait: groupWait, repeat_interval: repeatInterval }),
});

const recordDto = ({ metric, from, targetDatasourceUid }: Values): Values => ({
  metric,
  from,
  ...filled({ target_datasource_uid: targetDatasourceUid }),
});
