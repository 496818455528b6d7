/** The stand-in for the Grafana plugin: datasources. */
import type { Call, State } from "../resource";
import { goJson, isJson, isZero, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaOf, splitId } from "./config";

/** A datasource in the server's response. */
type DataSourceDto = Values & { orgId: number; uid: string; jsonData?: Values };

/** The fields of a datasource by property, with the value for none. */
const fields: Readonly<Record<string, [field: string, none?: unknown]>> = {
  name: ["name"],
  type: ["type"],
  uid: ["uid"],
  url: ["url", ""],
  accessMode: ["access", "proxy"],
  basicAuthEnabled: ["basicAuth", false],
  basicAuthUsername: ["basicAuthUser", ""],
  databaseName: ["database", ""],
  username: ["user", ""],
  isDefault: ["isDefault", false],
};

const headerName = /^httpHeaderName\d+$/;

/** Whether two JSON texts are equal. No text equals an empty object. */
const sameJson = (old: unknown, value: unknown): boolean =>
  goJson(JSON.parse(String(old || "{}"))) === goJson(JSON.parse(String(value || "{}")));

const isJsonWithout = (reserved: string) => (value: unknown) =>
  String(value).includes(reserved)
    ? `${reserved}{num} is a reserved key and cannot be used in JSON data. Use the http_headers attribute instead`
    : isJson(value);

/** A property that the program does not set. */
const only = (standard: unknown) => ({
  default: standard,
  validate: (value: unknown) => (value === standard ? undefined : `the stand-in knows only ${JSON.stringify(standard)}`),
});

const normalize = (value: string): string => goJson(JSON.parse(value));

export const dataSource = sdk({
  properties: {
    type: { required: true },
    name: { required: true, unique: true },
    uid: { required: true, replace: true },
    url: {},
    accessMode: only("proxy"),
    basicAuthEnabled: { default: false },
    basicAuthUsername: { default: "" },
    databaseName: only(""),
    username: only(""),
    // A default datasource always exists: the first one, which may be an imported one.
    isDefault: { default: false, same: () => true },
    jsonDataEncoded: { validate: isJsonWithout("httpHeaderName"), same: sameJson, normalize },
    secureJsonDataEncoded: { secret: true, normalize, validate: isJsonWithout("httpHeaderValue"), same: sameJson },
    httpHeaders: { secret: true },
    privateDataSourceConnectNetworkId: only(""),
  },
  computed: ["orgId"],
  async create(call, inputs) {
    const { org, send } = grafanaOf(call);
    const operation = { name: "addDataSource", route: "POST /datasources", body: toDto(inputs) };
    const { datasource } = await send<{ datasource: DataSourceDto }>(operation);
    return { id: `${org}:${datasource.uid}` };
  },
  read: readDataSource,
  /** Ignores the response: the state has the sent values. */
  async update(call, id, _state, inputs) {
    const { org, uid } = splitId(id);
    const operation = { name: "updateDataSourceByUID", route: "PUT /datasources/uid/{uid}", params: { uid } };
    await grafanaOf(call, org).send({ ...operation, body: toDto(inputs) });
    return { id, outputs: {} };
  },
  async delete(call, id) {
    const { org, uid } = splitId(id);
    const operation = { name: "deleteDataSourceByUID", route: "DELETE /datasources/uid/{uid}", params: { uid } };
    await unlessGone("datasource", id, grafanaOf(call, org).send(operation));
  },
});

/** Omits empty values except `jsonData`. Headers are numbered. */
function toDto(inputs: Values): Values {
  const json = (value: unknown): Values => JSON.parse(String(value || "{}"));
  const headers = Object.entries((inputs.httpHeaders ?? {}) as Record<string, string>).sort();
  const numbered = (prefix: string, index: 0 | 1) => Object.fromEntries(headers.map((header, i) => [`${prefix}${i + 1}`, header[index]]));
  const all = {
    ...Object.fromEntries(Object.entries(fields).map(([property, [field]]) => [field, inputs[property]])),
    secureJsonData: { ...json(inputs.secureJsonDataEncoded), ...numbered("httpHeaderValue", 1) },
  };
  const jsonData = { ...json(inputs.jsonDataEncoded), ...numbered("httpHeaderName", 0) };
  return { ...Object.fromEntries(Object.entries(all).filter(([, value]) => !isZero(value))), jsonData };
}

/** The state from a response, without secrets, which the server never returns: with those of the state, and its headers that still exist. */
async function readDataSource(call: Call<Clients>, id: string, state: Values): Promise<State | undefined> {
  const { org, uid } = splitId(id);
  const operation = { name: "getDataSourceByUID", route: "GET /datasources/uid/{uid}", params: { uid } };
  const ask = () => unlessGone("datasource", id, grafanaOf(call, org).send<DataSourceDto>(operation));
  // An import requests it twice.
  if (Object.keys(state).length === 0) await ask();
  const dto = await ask();
  if (!dto) return undefined;
  const { httpHeaders, secureJsonDataEncoded } = state;
  const options = Object.entries(dto.jsonData ?? {});
  const present = options.flatMap(([name, value]) => (headerName.test(name) ? [value] : []));
  const outputs = {
    ...Object.fromEntries(Object.entries(fields).map(([property, [field, none]]) => [property, dto[field] ?? none])),
    jsonDataEncoded: goJson(Object.fromEntries(options.filter(([name]) => !headerName.test(name)))),
    httpHeaders: httpHeaders && Object.fromEntries(Object.entries(httpHeaders).filter(([name]) => present.includes(name))),
    secureJsonDataEncoded,
    orgId: String(dto.orgId),
    privateDataSourceConnectNetworkId: "",
  };
  return { id: `${dto.orgId}:${dto.uid}`, outputs };
}
