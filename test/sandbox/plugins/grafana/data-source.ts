/** The stand-in for the Grafana plugin: datasources. */
import type { Call, State } from "../resource";
import { goJson, isZero, same, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaForNew, grafanaOf, orgId, splitId } from "./config";

/** A datasource in the server's response. */
export interface DataSourceDto {
  orgId: number;
  uid: string;
  name: string;
  type: string;
  access: string;
  url?: string;
  user?: string;
  database?: string;
  basicAuth?: boolean;
  basicAuthUser?: string;
  isDefault?: boolean;
  jsonData?: Values;
  readOnly?: boolean;
}

const headerName = /^httpHeaderName\d+$/;

/** Whether two JSON texts are equal. No text equals an empty object. */
const sameJson = (old: unknown, value: unknown): boolean =>
  goJson(JSON.parse(String(old || "{}"))) === goJson(JSON.parse(String(value || "{}")));

const normalized = (value: string): string => {
  try {
    return goJson(JSON.parse(value));
  } catch {
    return value;
  }
};

const isJsonWithout = (reserved: string) => (value: unknown) => {
  if (String(value).includes(reserved)) {
    return `${reserved}{num} is a reserved key and cannot be used in JSON data. Use the http_headers attribute instead`;
  }
  try {
    JSON.parse(String(value));
    return undefined;
  } catch (error) {
    return `contains an invalid JSON: ${(error as Error).message}`;
  }
};

export const dataSource = sdk({
  properties: {
    type: { required: true },
    name: { autonamed: true },
    uid: { replace: true, computed: true },
    url: {},
    accessMode: { default: "proxy" },
    basicAuthEnabled: { default: false },
    basicAuthUsername: { default: "" },
    databaseName: { default: "" },
    username: { default: "" },
    // A default datasource always exists. It changes only when another one becomes the default.
    isDefault: { default: false, same: (old, value) => same(old, value) || (old === true && value === false) },
    jsonDataEncoded: { validate: isJsonWithout("httpHeaderName"), same: sameJson, normalize: normalized },
    secureJsonDataEncoded: { secret: true, normalize: normalized, validate: isJsonWithout("httpHeaderValue"), same: sameJson },
    httpHeaders: { secret: true },
    privateDataSourceConnectNetworkId: {
      default: "",
      validate: (value) => (isZero(value) ? undefined : "the stand-in has no private datasource connect"),
    },
    orgId,
  },
  computed: [],
  async create(call, inputs) {
    const { org, send } = grafanaForNew(call, inputs.orgId);
    const operation = { name: "addDataSource", route: "POST /datasources", body: toDto(inputs) };
    const { datasource } = await send<{ datasource: DataSourceDto }>(operation);
    return { id: `${org}:${datasource.uid}` };
  },
  read: readDataSource,
  async importer(call, id) {
    const { readOnly } = await getByUid(call, id);
    if (!readOnly) return;
    throw new Error(
      "this Grafana data source is read-only. It cannot be imported as a resource. Use the `data_grafana_data_source` data source instead",
    );
  },
  /** Ignores the response: the state has the sent values. */
  async update(call, id, _state, inputs) {
    const { org, uid } = splitId(id);
    const operation = { name: "updateDataSourceByUID", route: "PUT /datasources/uid/{uid}", params: { uid } };
    await grafanaOf(call, org).send({ ...operation, body: toDto({ ...inputs, uid }) });
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
  const fields = {
    access: inputs.accessMode,
    basicAuth: inputs.basicAuthEnabled,
    basicAuthUser: inputs.basicAuthUsername,
    database: inputs.databaseName,
    isDefault: inputs.isDefault,
    name: inputs.name,
    secureJsonData: { ...json(inputs.secureJsonDataEncoded), ...numbered("httpHeaderValue", 1) },
    type: inputs.type,
    uid: inputs.uid,
    url: inputs.url,
    user: inputs.username,
  };
  const jsonData = { ...json(inputs.jsonDataEncoded), ...numbered("httpHeaderName", 0) };
  return { ...Object.fromEntries(Object.entries(fields).filter(([, value]) => !isZero(value))), jsonData };
}

/** The state from a response, without secrets, which the server never returns. */
export function fromDto(dto: DataSourceDto): State {
  const jsonData = Object.fromEntries(Object.entries(dto.jsonData ?? {}).filter(([name]) => !headerName.test(name)));
  return {
    id: `${dto.orgId}:${dto.uid}`,
    outputs: {
      accessMode: dto.access,
      basicAuthEnabled: dto.basicAuth ?? false,
      basicAuthUsername: dto.basicAuthUser ?? "",
      databaseName: dto.database ?? "",
      isDefault: dto.isDefault ?? false,
      jsonDataEncoded: goJson(jsonData),
      name: dto.name,
      orgId: String(dto.orgId),
      privateDataSourceConnectNetworkId: "",
      type: dto.type,
      uid: dto.uid,
      url: dto.url ?? "",
      username: dto.user ?? "",
    },
  };
}

function getByUid(call: Call<Clients>, id: string): Promise<DataSourceDto> {
  const { org, uid } = splitId(id);
  return grafanaOf(call, org).send({ name: "getDataSourceByUID", route: "GET /datasources/uid/{uid}", params: { uid } });
}

/** The headers of the state that still exist on the server, with the values of the state. */
async function readDataSource(call: Call<Clients>, id: string, { httpHeaders, secureJsonDataEncoded }: Values): Promise<State | undefined> {
  const dto = await unlessGone("datasource", id, getByUid(call, id));
  if (!dto) return undefined;
  const { id: newId, outputs } = fromDto(dto);
  const present = Object.entries(dto.jsonData ?? {}).flatMap(([name, value]) => (headerName.test(name) ? [value] : []));
  const headers = httpHeaders && Object.fromEntries(Object.entries(httpHeaders).filter(([name]) => present.includes(name)));
  return { id: newId, outputs: { ...outputs, httpHeaders: headers, secureJsonDataEncoded } };
}
