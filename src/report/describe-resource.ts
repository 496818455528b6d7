/** Describes a changed resource: a heading, and lines for its changed properties. */
import { isDeepStrictEqual } from "node:util";
import { describeAtPath, describeChange, describeValueChange, formatName, formatValue } from "./describe-change";
import { describeDashboard } from "./describe-dashboard";
import { nameInRule, onlyAlertRule } from "./describe-rule";
import { diff } from "./diff";
import { field, isObject, type Json, type JsonObject, keysOf, omit } from "./json";
import type { Operation } from "./operations";
import { isConnection, isProvider, type ResourceChange } from "./parse-preview";
import { containsSecret, parsedValue, secretText } from "./secrets";

export interface ResourceDescription {
  label: Operation | "drift";
  /** The kind of the resource, or the type of an unknown one. Not Markdown. */
  kind: string;
  /** Its title or name. Not Markdown. */
  name: string;
  /** The effect of the operation, as Markdown. Empty if the operation says it all. */
  note: string;
  /** The changed properties, as Markdown. */
  lines: string[];
  /** Whether the lines have numbers: those of a dashboard are the numbers of the panels in its picture. */
  numbered: boolean;
}

const dashboardType = "grafana:oss/dashboard:Dashboard";
const permissionType = "grafana:oss/folderPermission:FolderPermission";
const ruleGroupType = "grafana:alerting/ruleGroup:RuleGroup";
const checksType = "command:local:Command";

/** Kinds of resources by type, with the property that contains the name. */
const kinds: Record<string, [kind: string, nameProperty?: string]> = {
  "grafana:oss/folder:Folder": ["folder", "title"],
  "grafana:oss/dataSource:DataSource": ["datasource", "name"],
  [permissionType]: ["permissions of the folder", "folderUid"],
  "grafana:cloud/accessPolicy:AccessPolicy": ["access policy", "name"],
  "grafana:cloud/accessPolicyToken:AccessPolicyToken": ["access policy token", "name"],
  [dashboardType]: ["dashboard"],
  [ruleGroupType]: ["rule group", "name"],
  [checksType]: ["checks"],
};

function kindOf(type: string): [kind: string, nameProperty?: string] {
  if (isConnection(type)) return ["connection"];
  if (isProvider(type)) return ["provider"];
  return kinds[type] ?? [type.split(":").at(-1) ?? type];
}

export function describeResource(change: ResourceChange): ResourceDescription {
  const { type, before, after } = change;
  const known = after ?? before ?? {};
  const [usualKind, nameProperty = ""] = kindOf(type);
  const kind = type === ruleGroupType && onlyAlertRule(field(known, "rules")) ? "alert rule" : usualKind;
  const title = type === dashboardType ? field(modelOf(known), "title") : field(known, nameProperty);
  const name = typeof title === "string" && title !== "" ? title : change.name;
  const label = change.isDrift ? "drift" : change.operation;
  const lines = before && after ? describeChanges(change) : [];
  return { label, kind, name, note: noteOf(change), lines, numbered: type === dashboardType };
}

function noteOf(change: ResourceChange): string {
  const { type, operation } = change;
  if (change.isDrift) return `${operation === "delete" ? "deleted" : "changed"} outside of Pulumi`;
  if (change.isRetained) return "removed from the state only; the resource is kept";
  if (isRecreated(change)) return "deleted outside of Pulumi, will be created again";
  if (type === checksType && operation !== "delete") return `the checks will run${operation === "create" ? "" : " again"}`;
  return isConnection(type) ? noteOfConnection(change) : "";
}

/** Whether the resource is created again because it was deleted outside of Pulumi. */
export const isRecreated = ({ operation, isRefreshed }: ResourceChange) => operation === "create" && isRefreshed;

/** Inputs of a connection that are not registered: those that are missing in the provider's `registeredInputs`. */
const unregistered = ["verifyConnection", "serviceApiKeyConfig", "serviceCaCert"];

function noteOfConnection(change: ResourceChange): string {
  const { operation, before = {}, after = {} } = change;
  const serviceOf = (properties: JsonObject) => formatValue(field(properties, "serviceUrl") ?? "");
  if (operation === "delete") return `removed from the state only; the service at ${serviceOf(before)} keeps the connection`;
  if (operation === "create") return `will be registered at ${serviceOf(after)}`;
  const again = `will be registered again at ${serviceOf(after)}`;
  if (operation === "replace") return `${again}; the service at ${serviceOf(before)} keeps the old connection`;
  const changed = keysOf(before, after).filter((name) => !isDeepStrictEqual(field(before, name), field(after, name)));
  const found = otherConnection(change);
  // The provider replaces no other connection. A change that shows no property is one of a secret.
  const isRegistered = changed.some((name) => !unregistered.includes(name)) || found === "none" || (changed.length === 0 && !found);
  return isRegistered ? again : "will not be registered again, unless a secret changed too";
}

/** The connection that the service has in place of this one. Undefined if it has this one. */
function otherConnection({ type, operation, drift }: ResourceChange): Json | undefined {
  const registered = isConnection(type) && operation === "update" && field(drift[0]?.[1], "registeredConnection");
  return field({ other: "another one", none: "none" }, String(registered));
}

function describeChanges(change: ResourceChange): string[] {
  if (change.type === checksType) return [];
  const [drift, connection] = [describeDrift(change), otherConnection(change)];
  const reverted = drift.map((line) => `changed outside of Pulumi, will be reverted: ${line}`);
  const registered = connection ? [`connection at the service: ${connection}`] : [];
  const lines = change.isDrift ? drift : [...describeProgramChanges(change), ...reverted, ...registered];
  return lines.length > 0 ? lines : [describeUnknown(change)];
}

/** Describes the changes by the program. The model of a dashboard comes first, so that its lines have the numbers of the picture. */
export const describeProgramChanges = ({ type, before = {}, after = {} }: ResourceChange): string[] =>
  [...new Set(["configJson", ...keysOf(before, after)])].flatMap((name) =>
    describeProperty(type, name, field(before, name), field(after, name)),
  );

/** Describes the changes made outside of Pulumi. No lines if no property shows a difference. */
export function describeDrift(change: ResourceChange): string[] {
  const { type, drift, isRefreshed, isDrift, reasons } = change;
  // A refresh of a connection reads only `registeredConnection`.
  if (isConnection(type) && !(isDrift && otherConnection(change))) return [];
  const lines = drift.map(([stored, found]) => {
    const names = reasons.length > 0 || !isRefreshed ? propertiesIn(reasons) : keysOf(stored, found);
    const compared = names.filter((name) => !isComputed(name, type));
    return compared.flatMap((name) => describeProperty(type, name, withoutIds(name, stored), withoutIds(name, found)));
  });
  return lines.find((each) => each.length > 0) ?? [];
}

/** Outputs that Grafana computes. */
const isComputed = (name: string, type: string) =>
  ["id", "version", "dashboardId", "orgId"].includes(name) || (name === "url" && !type.endsWith(":DataSource"));

/** The property names in the engine's paths. */
const propertiesIn = (reasons: readonly string[]) => [...new Set(reasons.map((reason) => reason.split(/[.[]/)[0] ?? reason))];

/** A property without the ids that Grafana assigns in a dashboard model. */
function withoutIds(name: string, properties: JsonObject): Json | undefined {
  const model = name === "configJson" ? modelOf(properties) : undefined;
  if (!model) return field(properties, name);
  const panels = field(model, "panels");
  const rest = omit(model, "id", "version") as JsonObject;
  return JSON.stringify(Array.isArray(panels) ? { ...rest, panels: panels.map((panel) => omit(panel, "id")) } : rest);
}

function modelOf(properties: JsonObject): JsonObject | undefined {
  const model = parsedValue(field(properties, "configJson"));
  return isObject(model) ? model : undefined;
}

function describeProperty(type: string, name: string, before: Json | undefined, after: Json | undefined): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const label = formatName(name);
  // If the engine marks one of the values as secret, the other one is secret, too.
  if (before === secretText || after === secretText) return [describeValueChange(label, before, after)];
  const [old, current] = [parsedValue(before), parsedValue(after)];
  if (type === dashboardType && name === "configJson")
    return isObject(old) && isObject(current) ? describeDashboard(old, current) : ["the model is known after the deployment"];
  if (containsSecret(old) || containsSecret(current)) return [`${label} (contains secrets) changed`];
  if (old === undefined || current === undefined) return [describeValueChange(label, before, after)];
  const [was, is] =
    type === permissionType && name === "permissions"
      ? [byHolder(old), byHolder(current)]
      : [{ [name]: withModels(old) }, { [name]: withModels(current) }];
  const isAlertRule = type === ruleGroupType && onlyAlertRule(current);
  return diff(was, is).map((change) => {
    const words = isAlertRule ? nameInRule(change.path) : undefined;
    return words ? describeChange(change, formatName(words)) : describeAtPath(change, is);
  });
}

/** The permission of each role, team and user: Grafana returns them in any order. An id can start with the organization, as in `0:5`; 0 is none. */
function byHolder(permissions: Json): JsonObject {
  const entries = (Array.isArray(permissions) ? permissions : []).map((each): [string, Json] => {
    const [role, team, user] = ["role", "teamId", "userId"].map((name) => String(field(each, name) ?? "").replace(/^(\d+:)?0$/, ""));
    return [role || (team ? `team ${team}` : `user ${user}`), field(each, "permission") ?? null];
  });
  return Object.fromEntries(entries);
}

/** The models of rules' queries are JSON texts. */
const withModels = (value: Json): Json => JSON.parse(JSON.stringify(value), (name, part) => (name === "model" ? parsedValue(part) : part));

/** The names of the properties with secrets, only the changed ones if the engine reports these. */
export function changedSecrets({ before = {}, after = {}, reasons }: ResourceChange): string[] {
  const secrets = keysOf(before, after).filter((name) => [before, after].some((properties) => containsSecret(field(properties, name))));
  return reasons.length === 0 ? secrets : secrets.filter((name) => propertiesIn(reasons).includes(name));
}

/** Describes a change that no property shows. */
function describeUnknown(change: ResourceChange): string {
  const secrets = changedSecrets(change);
  const names = propertiesIn(change.reasons).filter((name) => secrets.length === 0 || secrets.includes(name));
  const text = secrets.length > 0 ? "a secret changed" : "changes that the preview does not show";
  return names.length > 0 ? `${text}: ${names.map(formatName).join(", ")}` : text;
}
