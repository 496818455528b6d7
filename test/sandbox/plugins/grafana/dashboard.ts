/** The stand-in for the Grafana plugin: dashboards. */
import type { Call, State } from "../resource";
import { goJson, same, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaForNew, grafanaOf, orgId, splitId } from "./config";

interface DashboardDto {
  dashboard: Values;
  meta: { url: string; folderUid?: string };
}

export const dashboard = sdk({
  properties: {
    configJson: { required: true, validate: isModel, normalize: normalized },
    folder: { same: (old, value) => same(folderUid(old), folderUid(value)) },
    message: {},
    overwrite: {},
    orgId,
  },
  computed: ["dashboardId", "uid", "url", "version"],
  replaces: (olds, news) => uidOf(olds.configJson) !== uidOf(news.configJson),
  async create(call, inputs) {
    grafanaForNew(call, inputs.orgId);
    return { id: await save(call, inputs, {}, inputs.overwrite) };
  },
  update: async (call, _id, { dashboardId }, inputs) => readDashboard(call, await save(call, inputs, { id: dashboardId }, true), inputs),
  read: readDashboard,
  async delete(call, id) {
    const { org, uid } = splitId(id);
    const operation = { name: "deleteDashboardByUID", route: "DELETE /dashboards/uid/{uid}", params: { uid } };
    await unlessGone("dashboard", id, grafanaOf(call, org).send(operation));
  },
});

/** The folder's uid. The input may include its organization. */
const folderUid = (value: unknown): string => {
  const { uid } = splitId(String(value ?? ""));
  return uid === "0" ? "" : uid;
};

function isModel(value: unknown): string | undefined {
  const model = parsed(value);
  if (!model) return "contains an invalid JSON";
  return "apiVersion" in model ? "the stand-in serves dashboards of the classic API alone" : undefined;
}

function parsed(value: unknown): Values | undefined {
  try {
    const model: unknown = JSON.parse(String(value));
    return typeof model === "object" && model !== null && !Array.isArray(model) ? (model as Values) : undefined;
  } catch {
    return undefined;
  }
}

const uidOf = (configJson: unknown): unknown => parsed(configJson)?.uid ?? "";

/** The model without the server's changes: ids, version, additions to library panels. */
function normalized(configJson: unknown): string {
  const model = parsed(configJson);
  if (!model) return String(configJson);
  const { id: _id, version: _version, ...rest } = model;
  if (!Array.isArray(rest.panels)) return goJson(rest);
  const panels = rest.panels.map(({ id: _, libraryPanel, ...panel }: Values) => {
    const { name, uid } = (libraryPanel ?? {}) as Values;
    return libraryPanel ? { ...panel, libraryPanel: { name, uid } } : panel;
  });
  return goJson({ ...rest, panels });
}

/**
 * Sends the model without `id`. Sends `version` if the model comes from the program, not from the state.
 *
 * @returns the id of the saved dashboard, which can be another one
 */
async function save(call: Call<Clients>, inputs: Values, ids: Values, overwrite: unknown): Promise<string> {
  const { org, send } = grafanaOf(call, inputs.orgId);
  const { id: _, ...model } = parsed(inputs.configJson) ?? {};
  const body = {
    UpdatedAt: "0001-01-01T00:00:00.000Z",
    dashboard: { ...model, ...ids },
    folderUid: splitId(String(inputs.folder ?? "")).uid || undefined,
    message: inputs.message || undefined,
    overwrite: overwrite || undefined,
  };
  const { uid } = await send<{ uid: string }>({ name: "postDashboard", route: "POST /dashboards/db", body });
  return `${org}:${uid}`;
}

async function readDashboard(call: Call<Clients>, id: string, { configJson, message, overwrite }: Values): Promise<State | undefined> {
  const { org: idOrg, uid } = splitId(id);
  const { org, send, page } = grafanaOf(call, idOrg);
  const operation = { name: "getDashboardByUID", route: "GET /dashboards/uid/{uid}", params: { uid } };
  const read = await unlessGone("dashboard", id, send<DashboardDto>(operation));
  if (!read) return undefined;
  const { dashboard: model, meta } = read;
  // Without a uid in the program, the server generates one.
  const { uid: _, ...withoutUid } = model;
  const wanted = configJson === undefined || uidOf(configJson) !== "" ? model : withoutUid;
  const outputs = {
    configJson: normalized(JSON.stringify(wanted)),
    dashboardId: model.id,
    folder: meta.folderUid ?? "",
    message,
    orgId: String(org),
    overwrite,
    uid: model.uid,
    url: page(meta.url),
    version: model.version,
  };
  return { id: `${org}:${uid}`, outputs };
}
