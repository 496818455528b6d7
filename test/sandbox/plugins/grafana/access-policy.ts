/** The stand-in for the Grafana plugin: access policies of Grafana Cloud. */
import { randomUUID } from "node:crypto";
import type { Call, State } from "../resource";
import { isZero, sameSet, type Values } from "../values";
import { sdk } from "./bridge";
import { unlessMissing } from "./client";
import { type Clients, cloudOf } from "./config";

interface PolicyDto {
  id: string;
  name: string;
  displayName: string;
  scopes: string[];
  realms: { type: string; identifier: string; labelPolicies?: { selector: string }[] }[];
  conditions?: { allowedSubnets?: string[] };
  createdAt: string;
  updatedAt?: string;
}

export const displayName = { same: (old: unknown, value: unknown) => isZero(value) || old === value } as const;

const isScopes = (value: unknown): string | undefined => {
  const wrong = (value as string[]).find((scope) => scope.split(":").length !== 2);
  return wrong && `invalid scope: ${wrong}. Should be in the \`service:permission\` format`;
};

export const accessPolicy = sdk({
  properties: {
    region: { required: true, replace: true },
    name: { autonamed: true, replace: true },
    displayName,
    scopes: { required: true, validate: isScopes, same: sameSet },
    realms: { required: true, same: (old, value) => sameSet(realms(old), realms(value)) },
    conditions: { same: sameSet },
  },
  computed: ["policyId", "createdAt", "updatedAt"],
  async create(call, inputs) {
    const body = { name: inputs.name, ...policyBody(inputs) };
    const { id } = await cloudOf(call).send<PolicyDto>(write("PostAccessPolicies", "POST /v1/accesspolicies", inputs.region, {}, body));
    return { id: `${inputs.region}:${id}` };
  },
  read: readPolicy,
  async update(call, stateId, _state, inputs) {
    const { region, id } = splitCloudId(stateId);
    await cloudOf(call).send(write("PostAccessPolicy", "POST /v1/accesspolicies/{id}", region, { id }, policyBody(inputs)));
    return readPolicy(call, stateId);
  },
  async delete(call, stateId) {
    const { region, id } = splitCloudId(stateId);
    await cloudOf(call).send(write("DeleteAccessPolicy", "DELETE /v1/accesspolicies/{id}", region, { id }));
  },
});

async function readPolicy(call: Call<Clients>, stateId: string): Promise<State | undefined> {
  const { region, id } = splitCloudId(stateId);
  const operation = { name: "GetAccessPolicy", route: "GET /v1/accesspolicies/{id}", params: { id }, query: { region } };
  const read = await unlessMissing(cloudOf(call).send<PolicyDto>(operation));
  if (!read) return undefined;
  const { name, displayName: shown, scopes, createdAt, updatedAt } = read;
  const subnets = read.conditions?.allowedSubnets ?? [];
  const conditions = subnets.length > 0 ? [{ allowedSubnets: subnets }] : undefined;
  const times = { createdAt: time(createdAt), updatedAt: time(updatedAt) };
  return {
    id: `${region}:${read.id}`,
    outputs: { region, policyId: read.id, name, displayName: shown, scopes, realms: realms(read.realms), conditions, ...times },
  };
}

/** Ids are `<region>:<id>`. */
export function splitCloudId(stateId: string): { region: string; id: string } {
  const [region, id] = stateId.split(":");
  if (!region || !id) throw new Error(`id "${stateId}" does not match expected format. Should be in the format: region:id`);
  return { region, id };
}

export const write = (name: string, route: string, region: unknown, params: Record<string, string>, body?: Values) => ({
  name,
  route,
  params,
  query: { region: String(region) },
  headers: { "X-Request-Id": `tf-${randomUUID()}` },
  body,
});

function policyBody(inputs: Values): Values {
  const subnets = ((inputs.conditions ?? []) as { allowedSubnets: string[] }[]).flatMap(({ allowedSubnets }) => allowedSubnets);
  return {
    displayName: inputs.displayName || inputs.name,
    scopes: inputs.scopes,
    realms: realms(inputs.realms),
    conditions: subnets.length > 0 ? { allowedSubnets: subnets } : {},
  };
}

const realms = (value: unknown): Values[] =>
  ((value ?? []) as PolicyDto["realms"]).map(({ type, identifier, labelPolicies = [] }) => ({ type, identifier, labelPolicies }));

/** To the second, as Go's RFC 3339. */
export const time = (value: string | undefined): string | undefined => value && new Date(value).toISOString().replace(/\.\d+Z$/, "Z");
