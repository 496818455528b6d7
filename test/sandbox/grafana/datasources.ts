/** A stand-in for Grafana, part: datasources. Their secrets can be written and used, but never read. */
import { z } from "zod";
import { type Call, newUid, ok, type Route, readBody, refuse } from "./http";
import type { Datasource, GrafanaState } from "./state";

const addSchema = z.strictObject({
  name: z.string().min(1),
  type: z.string().min(1),
  access: z.enum(["proxy", "direct"]),
  uid: z.string().optional(),
  url: z.string().optional(),
  user: z.string().optional(),
  database: z.string().optional(),
  basicAuth: z.boolean().optional(),
  basicAuthUser: z.string().optional(),
  withCredentials: z.boolean().optional(),
  isDefault: z.boolean().optional(),
  jsonData: z.record(z.string(), z.unknown()).nullish(),
  secureJsonData: z.record(z.string(), z.string()).nullish(),
});
/** `id`, `orgId` and `password` are in the documentation's example and do nothing. */
const updateSchema = addSchema.extend({
  version: z.number().optional(),
  id: z.number().optional(),
  orgId: z.literal(1).optional(),
  password: z.literal("").optional(),
});
type Fields = z.infer<typeof addSchema>;

export const datasourceRoutes: Route[] = [
  { method: "GET", path: "/api/datasources", handle: list },
  { method: "POST", path: "/api/datasources", handle: add },
  { method: "GET", path: "/api/datasources/uid/:uid", handle: (call) => ok(shown(theDatasource(call))) },
  { method: "GET", path: "/api/datasources/name/:name", handle: (call) => ok(shown(theDatasource(call))) },
  { method: "PUT", path: "/api/datasources/uid/:uid", handle: update },
  { method: "DELETE", path: "/api/datasources/uid/:uid", handle: remove },
];

function theDatasource({ state, params }: Call): Datasource {
  const found = state.datasources.find(({ uid, name }) => uid === params.uid || name === params.name);
  return found ?? refuse(404, { message: "Data source not found" });
}

function shown(datasource: Datasource): Record<string, unknown> {
  const { secrets, ...plain } = datasource;
  const set = Object.keys(secrets).filter((name) => secrets[name]);
  const secureJsonFields = Object.fromEntries(set.map((name) => [name, true]));
  return { ...plain, orgId: 1, typeLogoUrl: "", secureJsonFields, readOnly: false };
}

function list({ state }: Call) {
  const sorted = [...state.datasources].sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()));
  return ok(
    sorted.map((datasource) => {
      const { secureJsonFields, version, withCredentials, basicAuthUser, ...item } = shown(datasource);
      return { ...item, typeName: datasource.type };
    }),
  );
}

function add(call: Call) {
  const { state } = call;
  const fields = readBody(call, addSchema);
  checkUrlAndUid(fields);
  if (state.datasources.some(({ name }) => name === fields.name)) {
    refuse(409, { message: "data source with the same name already exists", traceID: "" });
  }
  if (fields.uid && state.datasources.some(({ uid }) => uid === fields.uid)) {
    refuse(409, { message: "data source with the same uid already exists", traceID: "" });
  }
  const own = { id: ++state.ids.datasource, uid: fields.uid || newUid(), version: 1 };
  const datasource: Datasource = { ...own, ...settled(fields), secrets: fields.secureJsonData ?? {} };
  state.datasources.push(datasource);
  oneDefault(state, datasource);
  return ok({ id: datasource.id, message: "Datasource added", name: datasource.name, datasource: shown(datasource) });
}

/** Replaces all but the secrets: of those, only the ones that are sent. Without a version it never conflicts, and restarts at 1. */
function update(call: Call) {
  const { state } = call;
  const { version = 0, ...fields } = readBody(call, updateSchema);
  checkUrlAndUid(fields);
  const datasource = theDatasource(call);
  const others = state.datasources.filter((other) => other !== datasource);
  if (others.some(({ name }) => name === fields.name)) {
    refuse(409, { message: "Failed to update datasource: data source with the same name already exists", traceID: "" });
  }
  if (others.some(({ uid }) => uid === fields.uid)) refuse(500, { message: "Failed to update datasource", traceID: "" });
  if (version && version < datasource.version) {
    refuse(409, { message: "Datasource has already been updated by someone else. Please reload and try again", traceID: "" });
  }
  const uid = fields.uid || datasource.uid;
  const secrets = { ...datasource.secrets, ...fields.secureJsonData };
  Object.assign(datasource, settled(fields), { uid, secrets, version: version + 1 });
  oneDefault(state, datasource);
  return ok({ id: datasource.id, message: "Datasource updated", name: datasource.name, datasource: shown(datasource) });
}

function remove(call: Call) {
  const datasource = theDatasource(call);
  call.state.datasources = call.state.datasources.filter((other) => other !== datasource);
  return ok({ id: datasource.id, message: "Data source deleted" });
}

function settled({ name, type, access, url = "", user = "", database = "", basicAuthUser = "", jsonData, ...flags }: Fields) {
  const { basicAuth = false, withCredentials = false, isDefault = false } = flags;
  return { name, type, access, url, user, database, basicAuth, basicAuthUser, withCredentials, isDefault, jsonData: jsonData ?? {} };
}

function checkUrlAndUid({ url, uid = "" }: Fields): void {
  if (url && !(URL.canParse(url) && /^https?:/.test(url))) refuse(400, { message: "Validation error, invalid URL", traceID: "" });
  if (!/^[\w-]{0,40}$/.test(uid)) {
    refuse(400, { message: "Invalid UID.", messageId: "datasource.uidInvalid", statusCode: 400, traceID: "" });
  }
}

function oneDefault(state: GrafanaState, { id, isDefault }: Datasource): void {
  for (const other of state.datasources) if (isDefault) other.isDefault = other.id === id;
}
