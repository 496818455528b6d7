/** A stand-in for Grafana, part: the cloud's access policies and their tokens, whose secrets are shown once. */
import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Answer, type Call, ok, Refusal, type Route, readBody } from "./http";
import { sha256 as digest } from "./identity";
import type { AccessPolicy, CloudToken } from "./state";

const name = z.string().regex(/^[a-z0-9_-]{1,255}$/);
const displayName = z.string().min(1).max(255);
const policyFields = {
  displayName,
  scopes: z.array(z.string().regex(/^[a-z-]+:(read|write|delete|import)$/)).min(1),
  realms: z
    .array(z.strictObject({ type: z.enum(["org", "stack"]), identifier: z.string().min(1), labelPolicies: z.array(z.never()) }))
    .min(1),
  conditions: z.strictObject({}),
};
const policySchema = z.strictObject({ name, ...policyFields });
const expiresAt = z.iso.datetime({ offset: true }).optional();
const tokenSchema = z.strictObject({ name, displayName, accessPolicyId: z.string(), expiresAt });

const policiesPath = "/api/v1/accesspolicies";
const tokensPath = "/api/v1/tokens";

export const cloudRoutes: Route[] = [
  { method: "POST", path: policiesPath, handle: addPolicy },
  { method: "GET", path: `${policiesPath}/:id`, handle: (call) => ok(shownPolicy(one(call, call.state.policies))) },
  { method: "POST", path: `${policiesPath}/:id`, handle: (call) => ok(shownPolicy(changed(call, call.state.policies, policyFields))) },
  { method: "DELETE", path: `${policiesPath}/:id`, handle: removePolicy },
  { method: "POST", path: tokensPath, handle: addToken },
  { method: "GET", path: `${tokensPath}/:id`, handle: (call) => ok(shownToken(one(call, call.state.tokens))) },
  { method: "POST", path: `${tokensPath}/:id`, handle: (call) => ok(shownToken(changed(call, call.state.tokens, { displayName }))) },
  { method: "DELETE", path: `${tokensPath}/:id`, handle: removeToken },
];

function refuse(status: number, code: string, message: string): never {
  throw new Refusal({ status, body: { code, message } });
}

function regionOf({ query }: Call): string {
  return query.get("region") || refuse(400, "BadRequest", "region is required");
}

/** A policy exists in its region only. */
function one<T extends { id: string; region: string }>(call: Call, items: T[]): T {
  const region = regionOf(call);
  const found = items.find((item) => item.id === call.params.id && item.region === region);
  return found ?? refuse(404, "NotFound", "not found");
}

const shownPolicy = ({ region: _, ...policy }: AccessPolicy) => ({ ...policy, orgId: "1", status: "active" });
const shownToken = ({ region: _, sha256, ...token }: CloudToken) => ({ expiresAt: null, ...token, firstUsedAt: null, lastUsedAt: null });

function checkName(items: { name: string; region: string }[], name: string, region: string): void {
  if (items.some((item) => item.name === name && item.region === region)) refuse(409, "Conflict", `the name ${name} is taken in ${region}`);
}

function stamps() {
  const at = new Date().toISOString();
  return { id: randomUUID(), createdAt: at, updatedAt: at };
}

/** The item of the path with the fields of the body. */
const changed = <T extends { id: string; region: string }>(call: Call, items: T[], fields: z.ZodRawShape): T =>
  Object.assign(one(call, items), readBody(call, z.strictObject(fields)), { updatedAt: new Date().toISOString() });

function addPolicy(call: Call): Answer {
  const region = regionOf(call);
  const fields = readBody(call, policySchema);
  checkName(call.state.policies, fields.name, region);
  const policy: AccessPolicy = { ...stamps(), region, ...fields };
  call.state.policies.push(policy);
  return ok(shownPolicy(policy));
}

/** Deletes the policy's tokens, too. */
function removePolicy(call: Call): Answer {
  const { id } = one(call, call.state.policies);
  call.state.policies = call.state.policies.filter((policy) => policy.id !== id);
  call.state.tokens = call.state.tokens.filter((token) => token.accessPolicyId !== id);
  return { status: 204 };
}

function addToken(call: Call): Answer {
  const region = regionOf(call);
  const fields = readBody(call, tokenSchema);
  const policy = call.state.policies.find((one) => one.id === fields.accessPolicyId && one.region === region);
  if (!policy) return refuse(400, "BadRequest", "no such access policy");
  checkName(call.state.tokens, fields.name, region);
  const holds = { o: "1", n: `${policy.name}-${fields.name}`, k: randomBytes(18).toString("base64"), m: { r: region } };
  const secret = `glc_${Buffer.from(JSON.stringify(holds)).toString("base64")}`;
  const token: CloudToken = { ...stamps(), region, ...fields, sha256: digest(secret) };
  call.state.tokens.push(token);
  return ok({ ...shownToken(token), token: secret });
}

function removeToken(call: Call): Answer {
  const { id } = one(call, call.state.tokens);
  call.state.tokens = call.state.tokens.filter((token) => token.id !== id);
  return { status: 204 };
}
