/** The stand-in for the Grafana plugin: access policies of Grafana Cloud, and their tokens. */
import { randomUUID } from "node:crypto";
import type { Call } from "../resource";
import { sameSet, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessMissing } from "./client";
import { type Clients, cloudOf } from "./config";

/** A policy or a token in the server's response. */
interface CloudDto extends Values {
  id: string;
  createdAt: string;
  updatedAt?: string;
}

interface Realm {
  type: string;
  identifier: string;
}

const isScopes = (value: unknown): string | undefined => {
  const wrong = (value as string[]).find((scope) => scope.split(":").length !== 2);
  return wrong && `invalid scope: ${wrong}. Should be in the \`service:permission\` format`;
};

const shared = {
  region: { required: true, replace: true },
  name: { autonamed: true, replace: true },
  displayName: { required: true },
} as const;

export const accessPolicy = sdk({
  properties: {
    ...shared,
    scopes: { required: true, validate: isScopes, same: sameSet },
    realms: { required: true, same: (old, value) => sameSet(realms(old), realms(value)) },
  },
  computed: ["policyId", "createdAt", "updatedAt"],
  async create(call, inputs) {
    const body = { name: inputs.name, ...policyBody(inputs) };
    const { id } = await write(call, "PostAccessPolicies", "POST /v1/accesspolicies", String(inputs.region), {}, body);
    return { id: `${inputs.region}:${id}` };
  },
  read: readPolicy,
  async update(call, stateId, _state, inputs) {
    const { region, id } = splitCloudId(stateId);
    await write(call, "PostAccessPolicy", "POST /v1/accesspolicies/{id}", region, { id }, policyBody(inputs));
    return readPolicy(call, stateId);
  },
  async delete(call, stateId) {
    const { region, id } = splitCloudId(stateId);
    await write(call, "DeleteAccessPolicy", "DELETE /v1/accesspolicies/{id}", region, { id });
  },
});

export const accessPolicyToken = sdk({
  properties: { ...shared, accessPolicyId: { required: true, replace: true } },
  computed: ["token", "createdAt", "updatedAt"],
  secrets: ["token"],
  /** Only this response contains the token. */
  async create(call, { accessPolicyId, region, name, displayName }) {
    const body = { accessPolicyId, name, displayName };
    const { id, token } = await write(call, "PostTokens", "POST /v1/tokens", String(region), {}, body);
    return { id: `${region}:${id}`, outputs: { token } };
  },
  read: readToken,
  async update(call, stateId, state, { displayName }) {
    const { region, id } = splitCloudId(stateId);
    await write(call, "PostToken", "POST /v1/tokens/{id}", region, { id }, { displayName });
    return readToken(call, stateId, state);
  },
  async delete(call, stateId) {
    const { region, id } = splitCloudId(stateId);
    await write(call, "DeleteToken", "DELETE /v1/tokens/{id}", region, { id });
  },
});

function readPolicy(call: Call<Clients>, stateId: string) {
  const outputsOf = (dto: CloudDto) => ({ policyId: dto.id, scopes: dto.scopes, realms: realms(dto.realms) });
  return read(call, "GetAccessPolicy", "GET /v1/accesspolicies/{id}", stateId, outputsOf);
}

function readToken(call: Call<Clients>, stateId: string, { token }: Values) {
  return read(call, "GetToken", "GET /v1/tokens/{id}", stateId, ({ accessPolicyId }) => ({ accessPolicyId, token }));
}

async function read(call: Call<Clients>, name: string, route: string, stateId: string, outputsOf: (dto: CloudDto) => Values) {
  const { region, id } = splitCloudId(stateId);
  const dto = await unlessMissing(cloudOf(call).send<CloudDto>({ name, route, params: { id }, query: { region } }));
  if (!dto) return undefined;
  const times = { createdAt: time(dto.createdAt), updatedAt: time(dto.updatedAt) };
  return { id: stateId, outputs: { region, name: dto.name, displayName: dto.displayName, ...times, ...outputsOf(dto) } };
}

function write(call: Call<Clients>, name: string, route: string, region: string, params: Record<string, string>, body?: Values) {
  const headers = { "X-Request-Id": `tf-${randomUUID()}` };
  return cloudOf(call).send<CloudDto>({ name, route, params, query: { region }, headers, body });
}

/** Ids are `<region>:<id>`. */
function splitCloudId(stateId: string): { region: string; id: string } {
  const [region, id] = stateId.split(":");
  if (!region || !id) throw new Error(`id "${stateId}" does not match expected format. Should be in the format: region:id`);
  return { region, id };
}

const policyBody = ({ displayName, scopes, realms: given }: Values): Values => ({
  ...{ displayName, scopes, realms: realms(given), conditions: {} },
});

const realms = (value: unknown): Values[] =>
  ((value ?? []) as Realm[]).map(({ type, identifier }) => ({ type, identifier, labelPolicies: [] }));

/** To the second, as Go's RFC 3339. */
const time = (value: string | undefined): string | undefined => value && new Date(value).toISOString().replace(/\.\d+Z$/, "Z");
