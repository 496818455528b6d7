/** The stand-in for the Grafana plugin: a rule of a group, in inputs, outputs and in the API, with the properties that the program sets. */
import type { Properties } from "../resource";
import { goJson, isJson, isObject, isZero, type Values } from "../values";
import { goDuration, isDuration, sameDuration, seconds } from "./duration";

/** A rule in the server's response. */
export interface RuleDto extends Values {
  uid: string;
  title: string;
  orgID: number;
  data: { refId: string; datasourceUid: string; relativeTimeRange?: { from?: number; to?: number }; model: unknown }[];
  labels?: Values;
  annotations?: Values;
  notification_settings?: Values | null;
  record?: Values | null;
}

/** The state leaves out the values that Grafana adds to a query. */
function normalized(model: string): string {
  const { maxDataPoints, intervalMs, ...rest } = JSON.parse(model) as Values;
  return goJson({
    ...rest,
    ...(maxDataPoints === undefined || maxDataPoints === 43_200 ? {} : { maxDataPoints }),
    ...(intervalMs === undefined || intervalMs === 1000 ? {} : { intervalMs }),
  });
}

/** No value means the default. */
const orDefault = (standard: string) => ({
  same: (old: unknown, value: unknown) => (old ?? "") === (value ?? "") || (isZero(value) && old === standard),
});

/** The value of a property that the program does not set. The genuine plugin has it in the state. */
const unset = { default: "", validate: (value: unknown) => (isZero(value) ? undefined : "the stand-in does not know this property") };

const query: Properties = {
  refId: { required: true },
  datasourceUid: { required: true },
  queryType: unset,
  model: { required: true, validate: isJson, normalize: normalized },
  relativeTimeRange: { required: true, fields: { from: { required: true }, to: { required: true } } },
};

export const rule: Properties = {
  uid: { computed: true, validate: unset.validate },
  name: { required: true },
  for: { default: 0, validate: isDuration, same: sameDuration },
  // Of the recorded programs alone.
  keepFiringFor: { validate: isDuration, same: sameDuration },
  noDataState: orDefault("NoData"),
  execErrState: orDefault("Alerting"),
  condition: {},
  datas: { required: true, items: query },
  labels: { default: {} },
  annotations: { default: {} },
  isPaused: { ...unset, default: false },
  notificationSettings: { fields: { contactPoint: { required: true } } },
  record: { fields: { metric: { required: true }, from: { required: true }, targetDatasourceUid: { required: true } } },
};

const orNull = (value: Values | undefined): Values | null => (isZero(value) ? null : (value ?? null));

export function fromDto(dto: RuleDto): Values {
  const { uid, title, noDataState, execErrState, condition, isPaused = false, notification_settings: settings, record } = dto;
  return {
    ...{ uid, name: title, for: goDuration(seconds(dto.for) ?? 0), noDataState, execErrState, condition, isPaused },
    keepFiringFor: dto.keep_firing_for && dto.keep_firing_for !== "0s" ? goDuration(seconds(dto.keep_firing_for) ?? 0) : "",
    ...{ missingSeriesEvalsToResolve: 0, labels: orNull(dto.labels), annotations: orNull(dto.annotations) },
    datas: dto.data.map(({ refId, datasourceUid, relativeTimeRange: range, model }) => ({
      ...{ refId, queryType: "", datasourceUid, relativeTimeRange: { from: range?.from ?? 0, to: range?.to ?? 0 } },
      model: normalized(JSON.stringify(model)),
    })),
    notificationSettings: settings
      ? {
          contactPoint: settings.receiver,
          ...{ activeTimings: null, groupBies: null, muteTimings: null, groupInterval: "", groupWait: "", repeatInterval: "" },
        }
      : null,
    record: record ? { metric: record.metric, from: record.from, targetDatasourceUid: record.target_datasource_uid } : null,
  };
}

/** Without empty values. */
const filled = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => !isZero(value)));

/** @throws where two fields conflict */
export function toDto(inputs: Values, group: { name: unknown; folderUid: unknown; org: number }): Values {
  const { uid, annotations, labels, record, condition, noDataState, execErrState, notificationSettings: settings } = inputs;
  const pending = seconds(inputs.for) ?? 0;
  const alone = { for: pending, no_data_state: noDataState, exec_err_state: execErrState, condition };
  const conflict = Object.entries(alone).find(([, value]) => !isZero(value));
  if (record && conflict) throw new Error(`conflicting fields "record" and "${conflict[0]}"`);
  if (!record && isZero(condition)) throw new Error('"condition" is required');
  return {
    ...filled({
      ...{ uid, annotations, labels, keep_firing_for: inputs.keepFiringFor && goDuration(seconds(inputs.keepFiringFor) ?? 0) },
      notification_settings: isObject(settings)
        ? { receiver: settings.contactPoint, active_time_intervals: [], group_by: null, mute_time_intervals: [] }
        : undefined,
      record: isObject(record)
        ? { metric: record.metric, from: record.from, target_datasource_uid: record.targetDatasourceUid }
        : undefined,
    }),
    ...{ title: inputs.name, folderUID: group.folderUid, ruleGroup: group.name, orgID: group.org },
    ...{ for: goDuration(pending), condition: condition ?? "" },
    noDataState: record ? "" : noDataState || "NoData",
    execErrState: record ? "" : execErrState || "Alerting",
    data: (inputs.datas as Values[]).map(({ refId, datasourceUid, relativeTimeRange, model }) => ({
      ...{ refId, datasourceUid, relativeTimeRange: filled(relativeTimeRange as Values), model: JSON.parse(String(model)) },
    })),
    updated: "0001-01-01T00:00:00.000Z",
  };
}
