/** A stand-in for Grafana, part: datasources. The API never returns their secrets. Each keeps the uid of its creator. */
import { z } from "zod";
import { type Call, ok, type Route, readBody, refuse } from "./http";
import type { Datasource, Org } from "./state";

const addSchema = z.strictObject({
  name: z.string().min(1),
  type: z.string().min(1),
  access: z.enum(["proxy", "direct"]),
  uid: z.string().min(1),
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
type Fields = z.infer<typeof addSchema>;

const path = "/api/datasources";
const reads = { permission: "datasources:read", role: "Viewer" } as const;
const needs = (verb: string) => ({ permission: `datasources:${verb}`, role: "Admin" }) as const;

export const datasourceRoutes: Route[] = [
  { method: "GET", path, needs: reads, handle: list },
  { method: "POST", path, needs: needs("create"), handle: add },
  { method: "GET", path: `${path}/uid/:uid`, needs: reads, handle: (call) => ok(shown(call, theDatasource(call))) },
  { method: "PUT", path: `${path}/uid/:uid`, needs: needs("write"), handle: update },
  { method: "DELETE", path: `${path}/uid/:uid`, needs: needs("delete"), handle: remove },
];

function theDatasource({ org, params }: Call): Datasource {
  return org.datasources.find(({ uid }) => uid === params.uid) ?? refuse(404, { message: "Data source not found" });
}

/** Grafana would take what it found less than 5 s ago, unless a header skips its cache: the checks send it, see test/unit/grafana-access.test.ts. */
export const datasourceBehind = ({ org }: Call, uid: string) => org.datasources.find((datasource) => datasource.uid === uid);

function shown({ org }: Call, datasource: Datasource) {
  const { secrets, ...plain } = datasource;
  const set = Object.keys(secrets).filter((name) => secrets[name]);
  const secureJsonFields = Object.fromEntries(set.map((name) => [name, true]));
  return { ...plain, orgId: org.id, secureJsonFields, readOnly: false, apiVersion: "" };
}

function list(call: Call) {
  const { org } = call;
  const sorted = [...org.datasources].sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()));
  return ok(
    sorted.map((datasource) => {
      const { secureJsonFields, version, withCredentials, basicAuthUser, apiVersion, ...item } = shown(call, datasource);
      return item;
    }),
  );
}

function add(call: Call) {
  const { state, org } = call;
  const fields = readBody(call, addSchema);
  checkUrlAndUid(fields);
  for (const key of ["name", "uid"] as const) {
    const isTaken = org.datasources.some((other) => other[key] === fields[key]);
    if (isTaken) refuse(409, { message: `data source with the same ${key} already exists` });
  }
  const own = { id: ++state.ids.datasource, uid: fields.uid, version: 1 };
  const datasource: Datasource = { ...own, ...settled(fields), secrets: fields.secureJsonData ?? {} };
  // The first one becomes the default one.
  if (org.datasources.length === 0) datasource.isDefault = true;
  org.datasources.push(datasource);
  oneDefault(org, datasource);
  return ok({ id: datasource.id, message: "Datasource added", name: datasource.name, datasource: shown(call, datasource) });
}

/** Replaces all fields, except secrets that the request omits. A request without a version never conflicts, and restarts the version at 1. */
function update(call: Call) {
  const { org } = call;
  const fields = readBody(call, addSchema);
  checkUrlAndUid(fields);
  const datasource = theDatasource(call);
  const others = org.datasources.filter((other) => other !== datasource);
  if (others.some(({ name }) => name === fields.name)) {
    refuse(409, { message: "Failed to update datasource: data source with the same name already exists" });
  }
  if (fields.uid !== datasource.uid) refuse(400, { message: "the stand-in does not change the uid of a datasource" });
  const secrets = { ...datasource.secrets, ...fields.secureJsonData };
  Object.assign(datasource, settled(fields), { secrets, version: 1 });
  oneDefault(org, datasource);
  return ok({ id: datasource.id, message: "Datasource updated", name: datasource.name, datasource: shown(call, datasource) });
}

function remove(call: Call) {
  const { org } = call;
  const datasource = theDatasource(call);
  org.datasources = org.datasources.filter((other) => other !== datasource);
  return ok({ id: datasource.id, message: "Data source deleted" });
}

function settled({ name, type, access, url = "", user = "", database = "", basicAuthUser = "", jsonData, ...flags }: Fields) {
  const { basicAuth = false, withCredentials = false, isDefault = false } = flags;
  return { name, type, access, url, user, database, basicAuth, basicAuthUser, withCredentials, isDefault, jsonData: jsonData ?? {} };
}

function checkUrlAndUid({ url, uid }: Fields): void {
  if (url && !(URL.canParse(url) && /^https?:/.test(url))) refuse(400, { message: "Validation error, invalid URL" });
  if (!/^[\w-]{1,40}$/.test(uid)) refuse(400, { message: "Invalid UID.", messageId: "datasource.uidInvalid", statusCode: 400 });
}

function oneDefault({ datasources }: Org, { id, isDefault }: Datasource): void {
  for (const other of datasources) if (isDefault) other.isDefault = other.id === id;
}
