/** The stand-in for the Grafana plugin: dashboards. */
import type { Call, State } from "../resource";
import { goJson, isJson, isObject, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaOf, splitId } from "./config";

type DashboardDto = { dashboard: Values; meta: { url: string; folderUid?: string } };

export const dashboard = sdk({
  properties: {
    configJson: { required: true, validate: isModel, normalize: normalized },
    folder: {},
    message: {},
    overwrite: { validate: (value) => (value === true ? "the stand-in overwrites no dashboards" : undefined) },
  },
  computed: ["dashboardId", "uid", "url", "version", "orgId"],
  replaces: (olds, news) => (parsed(olds.configJson)?.uid === parsed(news.configJson)?.uid ? undefined : "__meta"),
  create: async (call, inputs) => ({ id: await save(call, inputs, {}, undefined) }),
  update: async (call, _id, { dashboardId }, inputs) => readDashboard(call, await save(call, inputs, { id: dashboardId }, true), inputs),
  read: readDashboard,
  async delete(call, id) {
    const { org, uid } = splitId(id);
    const operation = { name: "deleteDashboardByUID", route: "DELETE /dashboards/uid/{uid}", params: { uid } };
    await unlessGone("dashboard", id, grafanaOf(call, org).send(operation));
  },
});

function isModel(value: unknown): string | undefined {
  const model = parsed(value);
  if (!model) return "contains an invalid JSON";
  return typeof model.uid === "string" && !("apiVersion" in model) ? undefined : "the stand-in serves classic dashboards with a uid alone";
}

function parsed(value: unknown): Values | undefined {
  const model: unknown = isJson(value) ? undefined : JSON.parse(String(value));
  return isObject(model) ? model : undefined;
}

/** The model without the server's changes: ids, version. */
function normalized(configJson: string): string {
  const model = parsed(configJson);
  if (!model) return configJson;
  const { id: _id, version: _version, ...rest } = model;
  return goJson(Array.isArray(rest.panels) ? { ...rest, panels: rest.panels.map(({ id: _, ...panel }: Values) => panel) } : rest);
}

/**
 * Sends the model without `id`. Sends `version` if the model comes from the program, not from the state.
 *
 * @returns the id of the saved dashboard, which can be another one
 */
async function save(call: Call<Clients>, { configJson, folder, message }: Values, ids: Values, overwrite?: true): Promise<string> {
  const { org, send } = grafanaOf(call);
  const { id: _, ...model } = parsed(configJson) ?? {};
  const given = { folderUid: folder || undefined, message: message || undefined, overwrite };
  const body = { UpdatedAt: "0001-01-01T00:00:00.000Z", dashboard: { ...model, ...ids }, ...given };
  const { uid } = await send<{ uid: string }>({ name: "postDashboard", route: "POST /dashboards/db", body });
  return `${org}:${uid}`;
}

async function readDashboard(call: Call<Clients>, id: string, { message, overwrite }: Values): Promise<State | undefined> {
  const { org: idOrg, uid } = splitId(id);
  const { org, send, page } = grafanaOf(call, idOrg);
  const operation = { name: "getDashboardByUID", route: "GET /dashboards/uid/{uid}", params: { uid } };
  const read = await unlessGone("dashboard", id, send<DashboardDto>(operation));
  if (!read) return undefined;
  const { dashboard: model, meta } = read;
  const given = { configJson: normalized(JSON.stringify(model)), folder: meta.folderUid ?? "", message, overwrite };
  const computed = { dashboardId: model.id, orgId: String(org), uid: model.uid, url: page(meta.url), version: model.version };
  return { id: `${org}:${uid}`, outputs: { ...given, ...computed } };
}
