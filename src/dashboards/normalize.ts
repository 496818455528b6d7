/** The last step of a model: sets the fields that Grafana's SDK leaves open, or sets in another way than specified. */
import type { Dashboard, DashboardLink } from "@grafana/grafana-foundation-sdk/dashboard";
import { asSaved } from "./saved";

/** The specified version of the model's schema. The SDK writes a newer one. */
const schemaVersion = 39;

/**
 * The number of the saved version. Grafana overwrites an existing dashboard if its number is the same. Stored numbers start at 1, so 0
 * never overwrites.
 */
const version = 0;

/** A dashboard model for Grafana: plain data without undefined or null. */
export type DashboardModel = Record<string, unknown> & { uid: string; title: string };

/** Sets versions and what the page would set, drops fields of newer schemas, and sorts all keys. */
export function normalize(dashboard: Dashboard): DashboardModel {
  const model = {
    ...dashboard,
    schemaVersion,
    version,
    links: dashboard.links?.map(onlySpecified),
    templating: { list: dashboard.templating.list?.map(({ auto: _1, auto_min: _2, auto_count: _3, ...variable }) => variable) },
  };
  return JSON.parse(JSON.stringify(asSaved(model), sorted)) as DashboardModel;
}

/** The model as the text of a file. */
export const render = (model: DashboardModel) => `${JSON.stringify(model, null, 2)}\n`;

/** The specified fields of a link. Links between dashboards also have what they keep. */
function onlySpecified({ icon, tags, targetBlank, title, tooltip, type, url, keepTime, includeVars }: DashboardLink) {
  return { icon, tags, targetBlank, title, tooltip, type, url, ...(keepTime && { keepTime }), ...(includeVars && { includeVars }) };
}

/** An object with sorted keys and without null. JSON drops undefined and the SDK's functions. */
function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
