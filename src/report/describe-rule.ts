/** Describes a changed alert rule in words. */
import { isDeepStrictEqual } from "node:util";
import type { AlertUnit } from "../alerts/rule";
import { formats } from "../alerts/template";
import { describeValueChange } from "./describe-change";
import { field, isObject, type Json, type JsonObject, keysOf } from "./json";
import { parsedValue } from "./secrets";

/** The rule of a group that contains one alert rule; undefined for another group. */
export function onlyAlertRule(rules: Json | undefined): JsonObject | undefined {
  const [rule, ...others] = Array.isArray(rules) ? rules : [];
  return isObject(rule) && others.length === 0 && !isObject(field(rule, "record")) ? rule : undefined;
}

/** Describes the changes of an alert rule. No lines if words do not show them. */
export function describeRule(before: JsonObject, after: JsonObject): string[] {
  const [old, current] = [inWords(before), inWords(after)];
  return keysOf(old, current).flatMap((name) => {
    const [was, is] = [field(old, name), field(current, name)];
    return isDeepStrictEqual(was, is) ? [] : [describeValueChange(name, was, is)];
  });
}

/** Annotations that link a rule to its panel. */
const links: Record<string, string> = { __dashboardUid__: "dashboard", __panelId__: "panel" };

/** The properties of a rule by the words for them. */
function inWords(rule: JsonObject): JsonObject {
  const datas = field(rule, "datas");
  const queries = (Array.isArray(datas) ? datas : []).map((data) => ({ data, model: parsedValue(field(data, "model")) ?? null }));
  const isCondition = ({ data }: { data: Json }) => field(data, "refId") === field(rule, "condition");
  const [condition] = queries.filter(isCondition);
  const read = queries.filter((query) => !isCondition(query));
  const [labels, annotations] = [entriesOf(field(rule, "labels")), entriesOf(field(rule, "annotations"))];
  const unit = unitIn(annotations.map(([, text]) => text).join());
  const words: [string, Json | undefined][] = [
    ["title", field(rule, "name")],
    threshold(field(condition?.model, "expression"), unit),
    ...read.flatMap(({ data, model }): [string, Json | undefined][] => [
      ["query", field(model, "expr")],
      ["datasource", field(data, "datasourceUid")],
    ]),
    ["pending period", pendingPeriod(field(rule, "for"))],
    ...labels.map(([name, value]): [string, Json] => [name === "severity" ? name : `label ${name}`, value]),
    ...annotations.map(([name, value]): [string, Json] => [links[name] ?? name, value]),
    ["contact point", field(field(rule, "notificationSettings"), "contactPoint")],
    ["state without data", field(rule, "noDataState")],
    ["state after an error", field(rule, "execErrState")],
    ["paused", field(rule, "isPaused") ?? false],
  ];
  return Object.fromEntries(words.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

const entriesOf = (values: Json | undefined) => (isObject(values) ? Object.entries(values) : []);

/** The threshold of a condition as this program writes it; another condition as it is. */
function threshold(expression: Json | undefined, unit: ReturnType<typeof unitIn>): [string, Json | undefined] {
  const [, above] = /^\$A > ([\d.e-]+)$/.exec(String(expression)) ?? [];
  return above === undefined ? ["condition", expression] : ["threshold", withUnit(Number(above), unit)];
}

/** A duration without the parts that are zero: `5m` for `5m0s`. */
const pendingPeriod = (value: Json | undefined) => (typeof value === "string" ? value.replace(/(?<!\d)0[hms]/g, "") || "none" : value);

/** The unit of the value in a template; undefined for a count, and without a value. */
const unitIn = (template: string): AlertUnit | undefined =>
  (Object.keys(formats) as AlertUnit[]).find((unit) => template.includes(`| ${formats[unit]} }}`));

/** A threshold as people write it. */
function withUnit(threshold: number, unit: AlertUnit | undefined): string {
  // Without the error of floating point: 0.07 is 7 %, not 7.000000000000001 %.
  if (unit === "share") return `${Number((100 * threshold).toPrecision(12))} %`;
  if (unit === undefined || formats[unit] === undefined) return String(threshold);
  return `${threshold} ${unit === "seconds" ? "s" : unit}`;
}
