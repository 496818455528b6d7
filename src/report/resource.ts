/** A changed resource in words: a head line, and lines on what changes in it. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Operation } from "./counts";
import { diffDashboards } from "./dashboard-diff";
import { describeDashboard } from "./dashboard-words";
import { diffJson, isObject, type Json, type JsonObject, own } from "./json";
import { match } from "./match";
import { permissionLines } from "./permissions";
import { isConnection, jsonText, type ResourceChange, replaceSecrets } from "./read";
import { pathWords, safeName, secretText, show, valueWords } from "./words";

/** What is told of a resource. */
export interface ResourceWords {
  operation: Operation;
  /** Whether nothing but the state loses it. */
  retained: boolean;
  /** The operation for readers. */
  word: string;
  /** What it is, in our own words, or its type as others named it: no Markdown. */
  kind: string;
  /** Its name as others gave it: no Markdown. */
  name: string;
  /** What happens, as Markdown. */
  note: string;
  lines: string[];
}

const dashboardType = "grafana:oss/dashboard:Dashboard";
const permissionType = "grafana:oss/folderPermission:FolderPermission";
const checksType = "command:local:Command";

/** Kinds of resources, with the property that holds the name by which people know one. */
const kinds: Record<string, [kind: string, name?: string]> = {
  "grafana:oss/folder:Folder": ["folder", "title"],
  "grafana:oss/dataSource:DataSource": ["datasource", "name"],
  [permissionType]: ["permissions of the folder", "folderUid"],
  "grafana:cloud/accessPolicy:AccessPolicy": ["access policy", "name"],
  "grafana:cloud/accessPolicyToken:AccessPolicyToken": ["access policy token", "name"],
  [dashboardType]: ["dashboard"],
  [checksType]: ["checks"],
};

/** Properties of a connection that are only about how it is registered: all of the provider's inputs that are not among its `registeredFields`. */
const unregistered = ["verifyConnection", "serviceApiKeyConfig", "serviceCaCert"];

const isProvider = (type: string) => type.startsWith("pulumi:providers:");

/** The resource in words. */
export function describeResource(change: ResourceChange): ResourceWords {
  const { type, operation } = change;
  const known = change.after ?? change.before ?? {};
  const [kind, property] =
    kinds[type] ?? (isConnection(type) ? ["connection"] : isProvider(type) ? ["access to"] : [type.split(":").at(-1) ?? type]);
  const title = type === dashboardType ? own(modelOf(known), "title") : property && own(known, property);
  const lines = change.before && change.after ? changeLines(change) : [];
  const name = typeof title === "string" && title !== "" ? title : change.name;
  return { operation, retained: change.retained, word: change.outside ? "drift" : operation, kind, name, note: noteOf(change), lines };
}

function noteOf(change: ResourceChange): string {
  const { type, operation, outside, gone, retained, before, after } = change;
  if (outside) return operation === "delete" ? "deleted outside of Pulumi" : "changed outside of Pulumi";
  if (retained) return "only forgotten here: it stays as it is";
  if (gone) return "deleted outside of Pulumi, will be created again";
  if (type === checksType)
    return operation === "delete" ? "" : operation === "create" ? "the checks will run" : "the checks will run again";
  if (!isConnection(type)) return "";
  const address = (known: JsonObject | undefined) => show(own(known, "serviceUrl") ?? "");
  if (operation === "delete") return `only forgotten here: the service at ${address(before)} keeps its copy`;
  if (operation === "create") return `will be registered at ${address(after)}`;
  const changed = Object.keys({ ...before, ...after }).filter((name) => !isDeepStrictEqual(own(before, name), own(after, name)));
  const isRegistered =
    operation === "replace" ||
    changed.length === 0 ||
    changed.some((name) => !unregistered.includes(name)) ||
    inPlaceLines(change).length > 0;
  if (!isRegistered) return "nothing is registered, unless a secret changed, too";
  const copy = operation === "replace" ? `; the service at ${address(before)} keeps its copy` : "";
  return `will be registered again at ${address(after)}${copy}`;
}

/** That the service, where it stays the same one, holds another connection than this one. */
function inPlaceLines({ type, operation, drift }: ResourceChange): string[] {
  const inPlace = own(drift[0]?.[1], "registeredConnection");
  const isLost = isConnection(type) && operation === "update" && (inPlace === "other" || inPlace === "none");
  return isLost ? [`registered at the service: ${inPlace === "other" ? "another connection" : "none"}`] : [];
}

function changeLines(change: ResourceChange): string[] {
  if (change.type === checksType) return [];
  const drifted = driftLines(change);
  const lines = change.outside
    ? drifted
    : [...programLines(change), ...drifted.map((line) => `changed outside of Pulumi, will be set back: ${line}`), ...inPlaceLines(change)];
  return lines.length > 0 ? lines : [invisibleWords(change)];
}

/** What the program asks for anew. */
export function programLines({ type, before = {}, after = {} }: ResourceChange): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => propertyLines(type, name, own(before, name), own(after, name)));
}

/** What others changed, as far as a property shows it. */
export function driftLines(change: ResourceChange): string[] {
  const { type, drift, refreshed, outside, reasons } = change;
  const isLost = inPlaceLines(change).length > 0;
  // What is in place is all that a refresh asks of a connection.
  if (isConnection(type) && !(isLost && outside)) return [];
  for (const [stored, found] of drift) {
    const all = [...new Set([...Object.keys(stored), ...Object.keys(found)])];
    const names = reasons.length > 0 || !refreshed ? driftNames(reasons) : all;
    const lines = names
      .filter((name) => !isComputed(name, type))
      .flatMap((name) => propertyLines(type, name, asStored(type, name, stored), asStored(type, name, found)));
    if (lines.length > 0) return lines;
  }
  return [];
}

/** Outputs that Grafana makes up itself. */
const isComputed = (name: string, type: string) =>
  ["id", "version", "dashboardId", "orgId"].includes(name) || (name === "url" && !type.endsWith(":DataSource"));

/** The properties in which the engine saw a difference, by their first names. */
const driftNames = (reasons: readonly string[]) => [...new Set(reasons.map((reason) => reason.split(/[.[]/)[0] ?? reason))];

/** A property as the state keeps it: models without the numbers that Grafana gives. */
function asStored(type: string, name: string, properties: JsonObject): Json | undefined {
  if (type !== dashboardType || name !== "configJson") return own(properties, name);
  const model = modelOf(properties);
  if (!model) return own(properties, name);
  const { id: _id, version: _version, ...rest } = model;
  const panels = own(rest, "panels");
  return JSON.stringify({ ...rest, ...(Array.isArray(panels) && { panels: panels.map(withoutId) }) });
}

const withoutId = (panel: Json): Json =>
  isObject(panel) ? Object.fromEntries(Object.entries(panel).filter(([key]) => key !== "id")) : panel;

function propertyLines(type: string, name: string, before: Json | undefined, after: Json | undefined): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  // Only one of them known as a secret: the other is one too.
  if (before === secretText || after === secretText) return [valueWords(safeName(name), secretText, secretText)];
  const [old, wanted] = [parsed(before), parsed(after)];
  if (type === dashboardType && name === "configJson") {
    if (isObject(old) && isObject(wanted)) return describeDashboard(old, diffDashboards(old, wanted));
    return ["its model is known only after the deployment"];
  }
  // What is no secret on one side may be one on the other.
  if (holdsSecret(old) || holdsSecret(wanted)) return [`${safeName(name)}, which holds secrets, changed`];
  const ofFolder = type === permissionType && name === "permissions" ? permissionLines(old, wanted) : undefined;
  if (ofFolder) return ofFolder;
  if (old === undefined || wanted === undefined) return [valueWords(safeName(name), before, after)];
  return diffJson({ [name]: old }, { [name]: wanted }, match).map((change) => pathWords(change, { [name]: wanted }));
}

/** A value, or what it holds as JSON. */
function parsed(value: Json | undefined): Json | undefined {
  const inner = typeof value === "string" ? jsonText(value) : undefined;
  return inner === undefined ? value : replaceSecrets(inner);
}

function modelOf(properties: JsonObject): JsonObject | undefined {
  const model = parsed(own(properties, "configJson"));
  return isObject(model) ? model : undefined;
}

const holdsSecret = (value: Json | undefined) => JSON.stringify(value ?? null).includes(secretText);

/** The names of the properties with secrets, where a change of one of them explains what is not shown. */
export function changedSecrets({ before = {}, after = {}, reasons }: ResourceChange): string[] {
  const secrets = Object.keys({ ...before, ...after }).filter((name) => holdsSecret(own(before, name)) || holdsSecret(own(after, name)));
  const named = driftNames(reasons);
  return named.length === 0 ? secrets : secrets.filter((name) => named.includes(name));
}

/** Why a resource changes that looks the same before and after. */
function invisibleWords(change: ResourceChange): string {
  const [secrets, named] = [changedSecrets(change), driftNames(change.reasons)];
  if (secrets.length > 0) {
    const which = named.filter((name) => secrets.includes(name)).map(safeName);
    return `one of the secrets changed${which.length > 0 ? `: ${which.join(", ")}` : ""}`;
  }
  return named.length > 0
    ? `changes that the preview does not show: ${named.map(safeName).join(", ")}`
    : "changes that the preview does not show";
}
