/** Converts responses of Prometheus, Loki and Tempo to Grafana's frames, as its datasources' backends do. */
import type { DataFrame, Field, FieldDTO } from "@grafana/data";
import type { LokiResult, PrometheusResult, Sample, TempoAttribute, TempoTrace } from "./client";
import { grafana } from "./library";

const { createDataFrame, FieldType } = grafana;

/** The parts of a query that frames contain. */
export interface SentQuery {
  refId: string;
  /** The query as it was sent: the name of a series without labels. */
  expr: string;
  legendFormat?: string | undefined;
  step: number;
}

/** A frame for each series (pkg/promlib/converter/prom.go, pkg/promlib/querydata/response.go); without any, an empty one. */
export function prometheusFrames({ resultType, result }: PrometheusResult, sent: SentQuery): DataFrame[] {
  const series = resultType === "scalar" ? [{ metric: {}, value: result as Sample }] : (result as Exclude<typeof result, Sample>);
  if (series.length === 0) return [createDataFrame({ refId: sent.refId, fields: [] })];
  return series.map(({ metric, value, values = value ? [value] : [] }) => {
    const name = legend(metric, sent);
    return createDataFrame({
      refId: sent.refId,
      fields: [
        { name: "Time", type: FieldType.time, config: { interval: sent.step }, values: values.map(([time]) => Math.round(time * 1000)) },
        {
          name: metric.__name__ ?? "Value",
          type: FieldType.number,
          labels: metric,
          config: name ? { displayNameFromDS: name } : {},
          values: values.map(([, text]) => float(text)),
        },
      ],
    });
  });
}

/**
 * The frames of queries with labels as columns (transformDFToTable in packages/grafana-prometheus/src/result_transformer.ts): one for each query, without a row
 * if it has no series.
 */
export function prometheusTables(answers: readonly DataFrame[][]): DataFrame[] {
  return answers.flatMap((frames) => {
    const [first] = frames;
    if (!first || (answers.length === 1 && first.length === 0)) return frames;
    const rows = frames.flatMap(({ fields: [time, value] }) =>
      (time?.values ?? []).map((at: number, index: number) => ({ at, value: value?.values[index], labels: value?.labels ?? {} })),
    );
    const labels = [...new Set(rows.flatMap((row) => Object.keys(row.labels).sort()))];
    const name = answers.length > 1 ? `Value #${first.refId}` : "Value";
    return createDataFrame({
      ...(first.refId && { refId: first.refId }),
      fields: [
        { name: "Time", type: FieldType.time, values: rows.map(({ at }) => at) },
        ...labels.map((label) => ({ name: label, type: FieldType.string, values: rows.map((row) => row.labels[label] ?? "") })),
        { name, type: FieldType.number, values: rows.map(({ value }) => value) },
      ],
    });
  });
}

/** Parses a number of Go: non-finite values have other names than in JavaScript. */
function float(text: string): number {
  const infinite = /^([+-]?)Inf$/.exec(text);
  if (infinite) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** The name of a series (getName in pkg/promlib/querydata/response.go). If empty, the library names it by its labels. */
function legend(labels: Record<string, string>, { legendFormat, expr }: SentQuery): string {
  const name = named(labels, legendFormat);
  return name === "{}" ? expr : name;
}

function named(labels: Record<string, string>, legendFormat: string | undefined): string {
  const { __name__: metric = "", ...others } = labels;
  if (legendFormat === "__auto" && Object.keys(labels).length > 0) return "";
  if (legendFormat && legendFormat !== "__auto")
    return legendFormat.replace(/\{\{\s*(.+?)\s*\}\}/g, (_all, label: string) => labels[label] ?? "");
  const pairs = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  if (pairs.length === 0) return metric || "{}";
  return `${metric}{${pairs.sort().join(", ")}}`;
}

/** One frame of all lines, stream after stream (readCategorizedStream in pkg/promlib/converter/loki.go and pkg/tsdb/loki/frame.go). */
export function lokiFrames({ resultType, result }: LokiResult, refId: string): DataFrame[] {
  if (resultType !== "streams") throw new Error(`Loki returned a ${resultType} in place of lines`);
  const lines = result.flatMap(({ stream, values }) =>
    values.map(([time, line, categories]) => ({
      labels: { ...stream, ...categories?.structuredMetadata, ...categories?.parsed },
      time,
      line,
    })),
  );
  return [
    createDataFrame({
      refId,
      fields: [
        { name: "labels", type: FieldType.other, values: lines.map(({ labels }) => labels) },
        { name: "Time", type: FieldType.time, values: lines.map(({ time }) => Number(BigInt(time) / 1_000_000n)) },
        { name: "Line", type: FieldType.string, values: lines.map(({ line }) => line) },
        { name: "tsNs", type: FieldType.string, values: lines.map(({ time }) => time) },
      ],
    }),
  ];
}

/**
 * One frame with a row for each span (transformSpanSearchResponse in grafana-tempo-datasource, pkg/tempo/search.go; before Grafana 12,
 * createTableFrameFromTraceQlQueryAsSpans in the browser): newest traces first, a column for each attribute that any span has.
 */
export function tempoFrames(traces: readonly TempoTrace[], refId: string): DataFrame[] {
  const newestFirst = [...traces].sort((left, right) => Number(nanoseconds(right.startTimeUnixNano) - nanoseconds(left.startTimeUnixNano)));
  const spans = newestFirst.flatMap((trace) =>
    (trace.spanSets ?? []).flatMap(({ spans = [], attributes: common = [] }) =>
      spans.map((span) => ({
        trace,
        span,
        attributes: new Map([...common, ...(span.attributes ?? [])].map(({ key, value }) => [key, value])),
      })),
    ),
  );
  const column = (
    name: string,
    type: Field["type"],
    config: FieldDTO["config"],
    value: (row: (typeof spans)[number]) => unknown,
  ): FieldDTO => ({
    name,
    type,
    ...(config && { config }),
    values: spans.map(value),
  });
  const keys = [...new Set(spans.flatMap(({ attributes }) => [...attributes.keys()]))].sort();
  const { string, number, time } = FieldType;
  return [
    createDataFrame({
      refId,
      name: "Spans",
      fields: [
        // Hidden by an option that tables ignore since Grafana 12: they show the column.
        column("traceIdHidden", string, { custom: { hidden: true } }, ({ trace }) => trace.traceID),
        column(
          "traceService",
          string,
          { displayNameFromDS: "Trace Service", custom: { width: 200 } },
          ({ trace }) => trace.rootServiceName ?? "",
        ),
        column("traceName", string, { displayNameFromDS: "Trace Name", custom: { width: 200 } }, ({ trace }) => trace.rootTraceName ?? ""),
        column("spanID", string, { displayNameFromDS: "Span ID", unit: "string", custom: { width: 200 } }, ({ span }) => span.spanID),
        {
          // A frame's times are full milliseconds. The remainder is separate; sorting uses both.
          ...column("time", time, { displayNameFromDS: "Start time" }, ({ span }) =>
            Number(nanoseconds(span.startTimeUnixNano) / 1_000_000n),
          ),
          nanos: spans.map(({ span }) => Number(nanoseconds(span.startTimeUnixNano) % 1_000_000n)),
        },
        column(
          "name",
          string,
          { displayNameFromDS: "Name", custom: { hidden: !spans.some(({ span }) => span.name) } },
          ({ span }) => span.name ?? "",
        ),
        ...keys.map((key) =>
          column(
            key,
            typeOf(
              key,
              spans.map(({ attributes }) => attributes.get(key)),
            ),
            { displayNameFromDS: key },
            ({ attributes }) => plain(attributes.get(key)),
          ),
        ),
        column("duration", number, { displayNameFromDS: "Duration", unit: "ns", custom: { width: 120 } }, ({ span }) =>
          Number(span.durationNanos ?? 0),
        ),
      ],
    }),
  ];
}

const nanoseconds = (text: string | undefined) => BigInt(text ?? 0);

/** A column has one type. If an attribute has text and numbers, Grafana's backend fails. */
function typeOf(key: string, values: (TempoAttribute["value"] | undefined)[]): Field["type"] {
  const types = new Set(values.flatMap((value) => (value ? [typeof plain(value)] : [])));
  if (types.size > 1) throw new Error(`Spans have ${key} as ${[...types].join(" and as ")}: Grafana fails to make a column of that`);
  if (types.has("number")) return FieldType.number;
  return types.has("boolean") ? FieldType.boolean : FieldType.string;
}

function plain(value: TempoAttribute["value"] | undefined): string | number | boolean | null {
  const number = value?.intValue ?? value?.doubleValue;
  return number === undefined ? (value?.boolValue ?? value?.stringValue ?? null) : Number(number);
}
