/** Names the properties of an alert rule in words. */
import { field, isObject, type Json, type JsonObject, type Path } from "./json";

/** The rule of a group that contains one alert rule; undefined for another group. */
export function onlyAlertRule(rules: Json | undefined): JsonObject | undefined {
  const [rule, ...others] = Array.isArray(rules) ? rules : [];
  return isObject(rule) && others.length === 0 && !isObject(field(rule, "record")) ? rule : undefined;
}

/** Words for paths in a rule. */
const words: [path: RegExp, name: string][] = [
  [/^name$/, "title"],
  [/^for$/, "pending period"],
  [/^datas\/\d+\/model\/expr$/, "query"],
  [/^datas\/\d+\/model\/expression$/, "condition"],
  [/^datas\/\d+\/datasourceUid$/, "datasource"],
  [/^annotations\/__dashboardUid__$/, "dashboard"],
  [/^annotations\/__panelId__$/, "panel"],
  [/^(?:annotations|labels)\/(.+)$/, "$1"],
];

/** The name of a property of a group's only alert rule; undefined if no word describes it. @param path in the group */
export function nameInRule([list, index, ...path]: Path): string | undefined {
  const text = path.join("/");
  const [pattern, name] = words.find(([pattern]) => list === "rules" && index === 0 && pattern.test(text)) ?? [];
  return pattern && name && text.replace(pattern, name);
}
