/** A stand-in for Grafana, part: the cloud's access policies and their tokens, whose secrets are shown once. */
import { randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { type Answer, type Call, ok, Refusal, type Route, readBody } from "./http";
import { sha256 as digest } from "./identity";
import type { AccessPolicy, CloudToken } from "./state";

const name = z.string().regex(/^[a-z0-9_-]{1,255}$/);
const displayName = z.string().min(1).max(255).optional();
const policyFields = {
  displayName,
  scopes: z.array(z.string().regex(/^[a-z-]+:(read|write|delete|import)$/)).min(1),
  realms: z
    .array(
      z.strictObject({
        type: z.enum(["org", "stack"]),
        identifier: z.string().min(1),
        labelPolicies: z.array(z.strictObject({ selector: z.string() })).nullish(),
      }),
    )
    .min(1),
  conditions: z.strictObject({ allowedSubnets: z.array(z.string()).nullish() }).nullish(),
};
const policySchema = z.strictObject({ name, ...policyFields });
const policyUpdateSchema = z.strictObject({ ...policyFields, status: z.enum(["active", "inactive"]).optional() });
const tokenSchema = z.strictObject({ name, displayName, accessPolicyId: z.string(), expiresAt: z.iso.datetime().nullish() });

const policiesPath = "/api/v1/accesspolicies";
const tokensPath = "/api/v1/tokens";

export const cloudRoutes: Route[] = [
  { method: "GET", path: policiesPath, handle: (call) => list(call, call.state.policies, shownPolicy, "name", "status") },
  { method: "POST", path: policiesPath, handle: addPolicy },
  { method: "GET", path: `${policiesPath}/:id`, handle: (call) => ok(shownPolicy(one(call, call.state.policies))) },
  { method: "POST", path: `${policiesPath}/:id`, handle: updatePolicy },
  { method: "DELETE", path: `${policiesPath}/:id`, handle: removePolicy },
  { method: "GET", path: tokensPath, handle: (call) => list(call, call.state.tokens, shownToken, "name", "accessPolicyId") },
  { method: "POST", path: tokensPath, handle: addToken },
  { method: "GET", path: `${tokensPath}/:id`, handle: (call) => ok(shownToken(one(call, call.state.tokens))) },
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

function list<T extends { region: string }>(call: Call, items: T[], show: (item: T) => object, ...filters: (keyof T & string)[]): Answer {
  const region = regionOf(call);
  const wanted = [...call.query].filter(([key]) => !["region", "pageSize", "pageCursor"].includes(key));
  for (const [key] of wanted) if (!filters.includes(key as keyof T & string)) refuse(400, "BadRequest", `unknown filter ${key}`);
  const found = items.filter((item) => item.region === region && wanted.every(([key, value]) => item[key as keyof T] === value));
  return ok({ items: found.map(show), metadata: { pagination: { pageSize: 500, pageCursor: "", nextPage: null } } });
}

const shownPolicy = ({ region: _, ...policy }: AccessPolicy) => ({ ...policy, orgId: "1" });
const shownToken = ({ region: _, sha256, expiresAt, ...token }: CloudToken) => {
  return { ...token, expiresAt: expiresAt ?? null, firstUsedAt: null, lastUsedAt: null };
};

function checkName(items: { name: string; region: string }[], name: string, region: string): void {
  if (items.some((item) => item.name === name && item.region === region)) refuse(409, "Conflict", `the name ${name} is taken in ${region}`);
}

function stamps() {
  const at = new Date().toISOString();
  return { id: randomUUID(), createdAt: at, updatedAt: at };
}

function addPolicy(call: Call): Answer {
  const region = regionOf(call);
  const fields = readBody(call, policySchema);
  checkName(call.state.policies, fields.name, region);
  const { displayName = fields.name, conditions = {}, ...rest } = fields;
  const policy: AccessPolicy = { ...stamps(), region, ...rest, displayName, conditions, status: "active" };
  call.state.policies.push(policy);
  return ok(shownPolicy(policy));
}

function updatePolicy(call: Call): Answer {
  const policy = one(call, call.state.policies);
  const fields = readBody(call, policyUpdateSchema);
  return ok(shownPolicy(Object.assign(policy, fields, { updatedAt: new Date().toISOString() })));
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
  const { name, displayName = name, accessPolicyId, expiresAt } = readBody(call, tokenSchema);
  const policy = call.state.policies.find((one) => one.id === accessPolicyId && one.region === region);
  if (!policy) return refuse(400, "BadRequest", "no such access policy");
  checkName(call.state.tokens, name, region);
  const holds = { o: "1", n: `${policy.name}-${name}`, k: randomBytes(18).toString("base64"), m: { r: region } };
  const secret = `glc_${Buffer.from(JSON.stringify(holds)).toString("base64")}`;
  const fields = { region, accessPolicyId, name, displayName, expiresAt: expiresAt ?? undefined };
  const token: CloudToken = { ...stamps(), ...fields, sha256: digest(secret) };
  call.state.tokens.push(token);
  return ok({ ...shownToken(token), token: secret });
}

function removeToken(call: Call): Answer {
  const { id } = one(call, call.state.tokens);
  call.state.tokens = call.state.tokens.filter((token) => token.id !== id);
  return { status: 204 };
}
