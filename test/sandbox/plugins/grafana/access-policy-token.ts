/** The stand-in for the Grafana plugin: tokens of access policies of Grafana Cloud. */
import type { Call, State } from "../resource";
import type { Values } from "../values";
import { displayName, splitCloudId, time, write } from "./access-policy";
import { sdk } from "./bridge";
import { unlessMissing } from "./client";
import { type Clients, cloudOf } from "./config";

interface TokenDto {
  id: string;
  accessPolicyId: string;
  name: string;
  displayName: string;
  token?: string;
  createdAt: string;
  updatedAt?: string;
  expiresAt?: string;
}

export const accessPolicyToken = sdk({
  properties: {
    accessPolicyId: { required: true, replace: true },
    region: { required: true, replace: true },
    name: { autonamed: true, replace: true },
    displayName,
    expiresAt: { replace: true },
  },
  computed: ["token", "createdAt", "updatedAt"],
  secrets: ["token"],
  /** Only this response contains the token. */
  async create(call, inputs) {
    const { accessPolicyId, region, name, displayName: shown = "", expiresAt } = inputs;
    const body = { accessPolicyId, name, displayName: shown, expiresAt };
    const { id, token } = await cloudOf(call).send<TokenDto>(write("PostTokens", "POST /v1/tokens", region, {}, body));
    return { id: `${region}:${id}`, outputs: { token } };
  },
  read: readToken,
  async update(call, stateId, state, inputs) {
    const { region, id } = splitCloudId(stateId);
    const body = { displayName: inputs.displayName || inputs.name };
    await cloudOf(call).send(write("PostToken", "POST /v1/tokens/{id}", region, { id }, body));
    return readToken(call, stateId, state);
  },
  async delete(call, stateId) {
    const { region, id } = splitCloudId(stateId);
    await cloudOf(call).send(write("DeleteToken", "DELETE /v1/tokens/{id}", region, { id }));
  },
});

async function readToken(call: Call<Clients>, stateId: string, state: Values): Promise<State | undefined> {
  const { region, id } = splitCloudId(stateId);
  const operation = { name: "GetToken", route: "GET /v1/tokens/{id}", params: { id }, query: { region } };
  const read = await unlessMissing(cloudOf(call).send<TokenDto>(operation));
  if (!read) return undefined;
  const { accessPolicyId, name, displayName: shown } = read;
  const times = { createdAt: time(read.createdAt), updatedAt: time(read.updatedAt), expiresAt: time(read.expiresAt) };
  return {
    id: `${region}:${read.id}`,
    outputs: { accessPolicyId, region, name, displayName: shown, token: state.token, ...times },
  };
}
