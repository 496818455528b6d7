/** Describes a changed resource: a heading, and lines for its changed properties. */
import { isDeepStrictEqual } from "node:util";
import { targetsVariable } from "../checks/input";
import { describeChange, formatName, formatValue, type Names } from "./describe-change";
import { describePanels } from "./describe-dashboard";
import { diff } from "./diff";
import { field, isObject, type Json, type JsonObject, keysOf, valueAt } from "./json";
import { isProvider, type ResourceChange } from "./parse-preview";
import { containsSecret } from "./secrets";

export interface ResourceDescription extends ResourceChange {
  /** The kind of the resource, or the type of an unknown one. Not Markdown. */
  kind: string;
  /** Its title or name. Not Markdown. */
  title: string;
  /** The effect of the operation, as Markdown. Empty if the operation says it all. */
  note: string;
  /** The changed properties, as Markdown. */
  lines: string[];
}

const dashboardType = "grafana:oss/dashboard:Dashboard";
const permissionType = "grafana:oss/folderPermission:FolderPermission";
const ruleGroupType = "grafana:alerting/ruleGroup:RuleGroup";
const checksType = "command:local:Command";
const giveVariables = "give applications the new `otlpDotenv`";
export const alertRule = "alert rule";
/** Kinds by type, with the property that contains the name, by default `title`, and what ends if one is deleted or replaced. */
const kinds: Record<string, [kind: string, nameProperty?: string, lost?: string]> = {
  "grafana:oss/folder:Folder": ["folder", "title", "permissions set by hand end"],
  "grafana:oss/dataSource:DataSource": ["datasource", "name", "what others read by its former uid shows errors"],
  [permissionType]: ["permissions of the folder", "folderUid"],
  "grafana:cloud/accessPolicy:AccessPolicy": ["access policy", "name", `its tokens end: ${giveVariables}`],
  "grafana:cloud/accessPolicyRotatingToken:AccessPolicyRotatingToken": ["access policy token", "namePrefix", giveVariables],
  [dashboardType]: ["dashboard", "title", "its history and links to it end"],
  [alertRule]: [alertRule, "name", "firing and pending alerts end"],
  [ruleGroupType]: ["rule group", "name", "its series stop, and the gap stays until it is filled"],
  [checksType]: ["checks"],
};

const ruleNames: Names = [
  [/^name$/, "title"],
  [/^for$/, "pending period"],
  [/^keepFiringFor$/, "keep firing for"],
  [/^notificationSettings\.contactPoint$/, "contact point"],
  [/^datas\[.+\]\.model\.expr$/, "query"],
  [/^datas\[.+\]\.model\.conditions$/, "threshold"],
  [/^datas\[.+\]\.datasourceUid$/, "datasource"],
  [/^annotations\.__dashboardUid__$/, "dashboard"],
  [/^annotations\.__panelId__$/, "panel"],
  [/^annotations\.(.+)$/, "$1"],
  [/^labels\.(.+)$/, "label $1"],
];

const isConnection = (type: string) => /^pulumi-nodejs:dynamic\/.*:Connection$/.test(type);

/** Describes a change that the deployment makes, or one made by hand that it reverts. */
export function describeResource(change: ResourceChange): ResourceDescription {
  const reverted = driftLines(change).map((line) => `changed outside of Pulumi, will be reverted: ${line}`);
  const lines = change.before && change.after ? orUnknown([...programLines(change), ...reverted], change) : [];
  const head = headOf(change);
  return { ...head, note: noteOf(head), lines: change.type === checksType ? [] : lines };
}

/** Describes a change made outside of Pulumi, which a refresh found. Undefined if there is none. */
export function describeDrift(change: ResourceChange): ResourceDescription | undefined {
  const { operation, drift, before, after } = change;
  if (!drift) return undefined;
  if (operation === "create") return { ...headOf(change), operation: "delete", note: "deleted outside of Pulumi", lines: [] };
  if (operation !== "update" && operation !== "replace") return undefined;
  const lines = driftLines(change);
  // Without a deployment, the token ends.
  if (change.isRenewed && lines.length === 0) return { ...headOf(change), isRenewed: false, note: "due for renewal: npx pulumi up", lines };
  // If neither a property nor a secret of the program can be the cause, it is outside of Pulumi.
  const isProgram = programLines(change).length > 0 || [before, after].some(containsSecret);
  if (lines.length === 0 && isProgram) return undefined;
  return { ...headOf(change), operation: "update", note: "changed outside of Pulumi", lines: orUnknown(lines, change) };
}

function headOf(change: ResourceChange) {
  const { type, name } = change;
  const known = change.after ?? change.before;
  const unlisted = isConnection(type) ? "connection" : isProvider(type) ? "provider" : (type.split(":").at(-1) ?? type);
  const isAlertRule = type === ruleGroupType && onlyAlertRule(field(known, "rules"));
  const [kind, nameProperty = "title", lost] = kinds[isAlertRule ? alertRule : type] ?? [unlisted];
  const title = field(type === dashboardType ? field(known, "configJson") : known, nameProperty);
  return { ...change, kind, lost, title: typeof title === "string" && title !== "" ? title : name };
}

function noteOf(change: ReturnType<typeof headOf>): string {
  const { type, kind, lost, operation, before, after, drift, isRetained } = change;
  if (change.isRenewed) return "renewed because of its age; the former token is valid until its end: give applications the new one";
  if (isRetained && operation === "delete") return "removed from the state only; the resource is kept";
  if (change.hasLeftover) return "deletes what an earlier replacement left";
  if (operation === "create" && drift) return "deleted outside of Pulumi, will be created again";
  if (type === checksType && operation !== "delete") return aboutChecks(before, after);
  if (lost && /^(replace|delete)$/.test(operation)) return isRetained ? "the former one stays in Grafana, and no stack manages it" : lost;
  const [oldLabels, labels] = [before, after].map((side) => valueAt(side, ["rules", 0, "labels"]));
  if (kind === alertRule && before && !isDeepStrictEqual(oldLabels, labels)) return "new labels: a firing alert ends and begins again";
  if (!isConnection(type)) return "";
  const serviceOf = (properties: JsonObject | undefined) => `the service at ${formatValue(field(properties, "serviceUrl") ?? "")}`;
  if (operation === "create") return `will be registered at ${serviceOf(after)}`;
  if (operation === "replace") return `will be registered at ${serviceOf(after)}; ${serviceOf(before)} keeps the old connection`;
  return operation === "delete" ? `removed from the state only; ${serviceOf(before)} keeps the connection` : "";
}

/** What to do after a change of what the checks ask for, and what begins or ends. */
function aboutChecks(before: JsonObject | undefined, after: JsonObject | undefined): string {
  const [old, current] = [before, after].map((side) => valueAt(side, ["environment", targetsVariable]));
  // A version before may have stored no such value.
  const turns = (...path: string[]) => ![undefined, valueAt(current, path)].includes(valueAt(old, path));
  const [oldRules, rules] = [old, current].map((side) => field(side, "externalRules"));
  const sent = valueAt(current, ["applications", "contents"]) === "hide" ? "send" : "leave out";
  const texts = [
    "the checks will run",
    (turns("otlp", "endpoint") || turns("applications", "instanceId")) && `${giveVariables} before you revoke the old token`,
    // Only secrets changed.
    isDeepStrictEqual(before, after) && `if the OTLP token changed, ${giveVariables} before you revoke the old token`,
    turns("applications", "contents") && `applications ${sent} prompts until they get the new \`otlpDotenv\``,
    turns("onFailure") && `a failed check ${field(current, "onFailure") === "warn" ? "no longer" : "now"} fails the deployment`,
    rules && rules !== oldRules && "then load the rules: `npm run rules` writes them",
    oldRules && !rules && "unload the recording rules from the server that evaluates them: each minute would count twice",
  ];
  return texts.filter(Boolean).join("; ");
}

/** The changes of these properties, by name. The lines of a dashboard's model have the numbers of the picture. */
const linesOf = (type: string, names: readonly string[], before: JsonObject, after: JsonObject): string[] =>
  [...names].sort().flatMap((name) => describeProperty(type, name, field(before, name), field(after, name)));

/** The changes by the program. After a refresh, a property that the program ignores has the refreshed value. */
function programLines({ type, before = {}, after = {}, drift, reasons }: ResourceChange): string[] {
  const isSame = (name: string, old: JsonObject | undefined) => isDeepStrictEqual(field(after, name), field(old, name));
  const names = keysOf(before, after).filter((name) => !drift || reasons.includes(name) || !isSame(name, drift[1]?.[1]));
  const secrets = reasons.filter((name) => isSame(name, before) && containsSecret(field(after, name)));
  return [...linesOf(type, names, before, after), ...secrets.map((name) => `${formatName(name)} (secret) changed`)];
}

/**
 * The changes made outside of Pulumi: of the outputs or else of the inputs, which may show drift that the outputs do not. A refresh writes
 * inputs in the words of the provider, such as `5m0s`: in a property that the program changes, that is no drift.
 */
function driftLines({ type, drift = [], reasons, before = {}, after = {} }: ResourceChange): string[] {
  const lines = drift.map(([stored, found], index) => {
    const changed = reasons.length > 0 ? reasons : keysOf(stored, found);
    const names = index === 0 ? changed : changed.filter((name) => isDeepStrictEqual(field(before, name), field(after, name)));
    return linesOf(type, names, stored, found);
  });
  return lines.find((each) => each.length > 0) ?? [];
}

/** The lines, or one for a change that no property shows. */
function orUnknown(lines: string[], { reasons, isRenewed }: ResourceChange): string[] {
  const names = reasons.map(formatName).join(", ");
  return lines.length > 0 || isRenewed ? lines : [`changes that the preview does not show, such as a secret${names && `: ${names}`}`];
}

function describeProperty(type: string, name: string, before: Json | undefined, after: Json | undefined): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (type === dashboardType && name === "configJson" && isObject(before) && isObject(after))
    return describePanels(before, after).map(({ text }) => text);
  // If the engine marks one of the values as secret, the other one is secret, too.
  if (containsSecret(before) || containsSecret(after)) return [`${formatName(name)} (secret) changed`];
  if (type === permissionType && name === "permissions")
    return diff(byHolder(before), byHolder(after)).map((change) => describeChange(change, {}));
  const [oldRule, rule] = type === ruleGroupType && name === "rules" ? [onlyAlertRule(before), onlyAlertRule(after)] : [];
  if (oldRule && rule) return diff(oldRule, rule).map((change) => describeChange(change, rule, ruleNames));
  return diff(before, after, [name]).map((change) => describeChange(change, { [name]: after ?? null }));
}

/** The rule of a group that contains one alert rule, with a lower limit as its number; undefined for another group. */
function onlyAlertRule(rules: Json | undefined): JsonObject | undefined {
  const [rule, ...others] = Array.isArray(rules) ? rules : [];
  if (!isObject(rule) || others.length > 0 || isObject(field(rule, "record"))) return undefined;
  return JSON.parse(JSON.stringify(rule), (key, value) => {
    const { type, params } = (key === "conditions" && value?.length === 1 && value[0]?.evaluator) || {};
    return type === "gt" ? (params?.[0] ?? value) : value;
  });
}

/** The permission of each role, team and user, in any order. An id can begin with the organization, as in `0:5`; 0 is none. */
function byHolder(permissions: Json | undefined): JsonObject {
  const entries = (Array.isArray(permissions) ? permissions : []).map((each): [string, Json] => {
    const [role, team, user] = ["role", "teamId", "userId"].map((name) => String(field(each, name) ?? "").replace(/^(\d+:)?0$/, ""));
    return [role || (team ? `team ${team}` : `user ${user}`), field(each, "permission") ?? null];
  });
  return Object.fromEntries(entries);
}
