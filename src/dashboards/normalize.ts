/** The last pass over a model: what the foundation SDK leaves open or sets otherwise than the spec. Pure. */
import type { Dashboard, DashboardLink, Panel, RowPanel } from "@grafana/grafana-foundation-sdk/dashboard";

/** The version of the model's schema (spec 9). The SDK writes a newer one. */
const schemaVersion = 39;

/**
 * The number of the saved version. Grafana saves a new dashboard over an existing one without a word where this equals the stored number, and
 * stored numbers begin at 1: with 0, that is always refused.
 */
const version = 0;

/** A dashboard model, ready for Grafana: plain data without undefined or null. */
export type DashboardModel = Record<string, unknown> & { uid: string; title: string };

/** Ids, refIds and versions set, fields of newer schemas dropped, keys in a stable order. */
export function normalize(dashboard: Dashboard): DashboardModel {
  const model = {
    ...dashboard,
    schemaVersion,
    version,
    links: dashboard.links?.map(onlySpecified),
    annotations: { list: (dashboard.annotations?.list ?? []).map(({ placement: _newer, ...annotation }) => annotation) },
    templating: { list: dashboard.templating.list?.map(({ auto: _1, auto_min: _2, auto_count: _3, ...variable }) => variable) },
    panels: dashboard.panels?.map(number),
  };
  return inOrder(model) as DashboardModel;
}

/** The model as text, for a file that people read in diffs. */
export function render(model: DashboardModel): string {
  return `${JSON.stringify(model, null, 2)}\n`;
}

/** A link has exactly these fields (spec 2.2). */
function onlySpecified({ icon, tags, targetBlank, title, tooltip, type, url }: DashboardLink) {
  return { icon, tags, targetBlank, title, tooltip, type, url };
}

function number(panel: Panel | RowPanel, index: number): Panel | RowPanel {
  const id = index + 1;
  if (!("targets" in panel) || !panel.targets) return { ...panel, id };
  return { ...panel, id, targets: panel.targets.map((target, place) => ({ ...target, refId: String.fromCharCode(65 + place) })) };
}

/** Keys sorted at every depth; undefined, null and the SDK's functions left out. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null && typeof part !== "function");
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, part]) => [key, inOrder(part)]));
}
