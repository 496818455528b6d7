/** The last step of a model: sets the fields that the foundation SDK leaves open or sets otherwise than the spec. */
import type { Dashboard, DashboardLink, Panel, RowPanel } from "@grafana/grafana-foundation-sdk/dashboard";

/** The version of the model's schema (spec 9). The SDK writes a newer one. */
const schemaVersion = 39;

/**
 * The number of the saved version. Grafana overwrites an existing dashboard without a conflict if this equals the stored number. Stored numbers start at
 * 1, so 0 always conflicts.
 */
const version = 0;

/** The columns of Grafana's grid. */
const columns = 24;

/** A dashboard model for Grafana: plain data without undefined or null. */
export type DashboardModel = Record<string, unknown> & { uid: string; title: string };

/**
 * Sets refIds and versions, drops fields of newer schemas, and sorts all keys.
 *
 * @throws Error if a panel has no id, the id of another panel, or a place beyond the grid
 */
export function normalize(dashboard: Dashboard): DashboardModel {
  const panels = dashboard.panels ?? [];
  assertPlaced(panels);
  const model = {
    ...dashboard,
    schemaVersion,
    version,
    links: dashboard.links?.map(onlySpecified),
    annotations: { list: (dashboard.annotations?.list ?? []).map(({ placement: _newer, ...annotation }) => annotation) },
    templating: { list: dashboard.templating.list?.map(({ auto: _1, auto_min: _2, auto_count: _3, ...variable }) => variable) },
    panels: panels.map(withRefIds),
  };
  return sortKeys(model) as DashboardModel;
}

/** The model as the text of a file. */
export function render(model: DashboardModel): string {
  return `${JSON.stringify(model, null, 2)}\n`;
}

function assertPlaced(panels: readonly (Panel | RowPanel)[]): void {
  const unused = Math.max(0, ...panels.map(({ id }) => id ?? 0)) + 1;
  const names = new Map<number, string>();
  for (const { id, title, type, gridPos } of panels) {
    const name = `The panel "${title || type}"`;
    const other = id && names.get(id);
    if (!id) throw new Error(`${name} has no id. Links to panels contain the id: add .id(${unused}).`);
    if (other) throw new Error(`${name} has the id ${id} of the panel "${other}". Set an unused one: .id(${unused}).`);
    if (gridPos && gridPos.x + gridPos.w > columns)
      throw new Error(`${name} ends beyond the ${columns} columns: check the spans of its row.`);
    names.set(id, title || type);
  }
}

/** A link has exactly these fields (spec 2.2). */
function onlySpecified({ icon, tags, targetBlank, title, tooltip, type, url }: DashboardLink) {
  return { icon, tags, targetBlank, title, tooltip, type, url };
}

function withRefIds(panel: Panel | RowPanel): Panel | RowPanel {
  if (!("targets" in panel) || !panel.targets) return panel;
  return { ...panel, targets: panel.targets.map((target, index) => ({ ...target, refId: String.fromCharCode(65 + index) })) };
}

/** Sorts keys at every depth and drops undefined, null and the SDK's functions. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null && typeof part !== "function");
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, part]) => [key, sortKeys(part)]));
}
