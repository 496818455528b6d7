/** The stand-in for the Grafana plugin: access policies of Grafana Cloud, and their tokens. */
import { randomUUID } from "node:crypto";
import type { Call, State } from "../resource";
import { sameSet, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessMissing } from "./client";
import { type Clients, cloudOf } from "./config";
import { seconds } from "./duration";

/** A policy or a token in the server's response. */
interface CloudDto extends Values {
  id: string;
  createdAt: string;
  updatedAt?: string;
  expiresAt?: string | null;
}

type Realm = { type: string; identifier: string };

const isScopes = (value: unknown): string | undefined => {
  const wrong = (value as string[]).find((scope) => scope.split(":").length !== 2);
  return wrong && `invalid scope: ${wrong}. Should be in the \`service:permission\` format`;
};

const isGoDuration = (value: unknown): string | undefined =>
  /^(\d+[hms])+$/.test(String(value)) ? undefined : "must be a valid duration string (e.g. '24h', '30m', '1h30m')";

const shared = { region: { required: true, replace: true }, displayName: { required: true } } as const;
const named = { ...shared, name: { autonamed: true, replace: true } } as const;
const ofPolicy = { required: true, replace: true } as const;

export const accessPolicy = sdk({
  properties: {
    ...named,
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
  properties: { ...named, accessPolicyId: ofPolicy },
  computed: ["token", "createdAt", "updatedAt"],
  secrets: ["token"],
  create: (call, inputs) => createToken(call, inputs, { name: inputs.name }),
  read: readToken,
  update: updateToken,
  delete: deleteToken,
});

/** A token that is replaced in its last time. It stays valid until its end, unless it is to be deleted with the resource. */
export const accessPolicyRotatingToken = sdk({
  properties: {
    ...shared,
    accessPolicyId: ofPolicy,
    namePrefix: {
      required: true,
      replace: true,
      validate: (value) => (/^.{1,200}$/.test(String(value)) ? undefined : "expected length of name_prefix to be in the range (1 - 200)"),
    },
    expireAfter: { required: true, replace: true, validate: isGoDuration },
    earlyRotationWindow: { required: true, validate: isGoDuration },
    deleteOnDestroy: { default: false },
  },
  computed: ["name", "token", "expiresAt", "readyForRotation", "createdAt", "updatedAt"],
  secrets: ["token"],
  replaces: ({ expiresAt }, { earlyRotationWindow }) =>
    Date.now() > Date.parse(String(expiresAt)) - 1000 * Number(seconds(earlyRotationWindow)) ? "readyForRotation" : undefined,
  create(call, inputs) {
    const [lifetime = 0, window = 0] = [seconds(inputs.expireAfter), seconds(inputs.earlyRotationWindow)];
    if (window > lifetime) throw new Error("`early_rotation_window` cannot be bigger than `expire_after`");
    const end = Math.floor(Date.now() / 1000) + lifetime;
    return createToken(call, inputs, { name: `${inputs.namePrefix}-${end}`, expiresAt: new Date(1000 * end).toISOString() });
  },
  read: readToken,
  update: updateToken,
  delete: async (call, stateId, state) => (state.deleteOnDestroy ? deleteToken(call, stateId) : undefined),
});

/** Only this response contains the token. */
async function createToken(call: Call<Clients>, { accessPolicyId, region, displayName }: Values, more: Values) {
  const { id, token } = await write(call, "PostTokens", "POST /v1/tokens", String(region), {}, { accessPolicyId, displayName, ...more });
  return { id: `${region}:${id}`, outputs: { token } };
}

async function updateToken(call: Call<Clients>, stateId: string, state: Values, { displayName }: Values): Promise<State | undefined> {
  const { region, id } = splitCloudId(stateId);
  if (displayName !== state.displayName) await write(call, "PostToken", "POST /v1/tokens/{id}", region, { id }, { displayName });
  return readToken(call, stateId, state);
}

async function deleteToken(call: Call<Clients>, stateId: string): Promise<void> {
  const { region, id } = splitCloudId(stateId);
  await write(call, "DeleteToken", "DELETE /v1/tokens/{id}", region, { id });
}

function readPolicy(call: Call<Clients>, stateId: string) {
  const outputsOf = (dto: CloudDto) => ({ policyId: dto.id, scopes: dto.scopes, realms: realms(dto.realms) });
  return read(call, "GetAccessPolicy", "GET /v1/accesspolicies/{id}", stateId, outputsOf);
}

function readToken(call: Call<Clients>, stateId: string, { token }: Values) {
  const outputsOf = ({ accessPolicyId, expiresAt }: CloudDto) => ({ accessPolicyId, token, expiresAt: time(expiresAt) });
  return read(call, "GetToken", "GET /v1/tokens/{id}", stateId, outputsOf);
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
const time = (value: string | null | undefined): string | undefined =>
  value ? new Date(value).toISOString().replace(/\.\d+Z$/, "Z") : undefined;
