/** A stand-in for Grafana, part: service accounts and their tokens, whose secrets are shown once. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type Call, ok, type Route, readBody, refuseById } from "./http";
import { sha256 } from "./identity";
import type { ServiceAccount } from "./state";

const path = "/api/serviceaccounts";
const needs = (verb: string) => ({ permission: `serviceaccounts:${verb}`, role: "Admin" }) as const;

export const accountRoutes: Route[] = [
  { method: "POST", path, needs: needs("create"), handle: create },
  { method: "POST", path: `${path}/:id/tokens`, needs: needs("write"), handle: addToken },
  { method: "DELETE", path: `${path}/:id/tokens/:tokenId`, needs: needs("write"), handle: removeToken },
];

const createSchema = z.strictObject({ name: z.string().min(1), role: z.enum(["Viewer", "Editor", "Admin"]) });

function theAccount({ state, params }: Call): ServiceAccount {
  const found = state.accounts.find(({ id }) => String(id) === params.id);
  return found ?? refuseById(404, "serviceaccounts.ErrNotFound", "service account not found");
}

function create(call: Call) {
  const { state, org } = call;
  const { name, role } = readBody(call, createSchema);
  if (state.accounts.some((other) => other.name === name)) {
    refuseById(400, "serviceaccounts.ErrAlreadyExists", "service account already exists");
  }
  const account: ServiceAccount = { id: ++state.ids.account, name, role, tokens: [] };
  state.accounts.push(account);
  return { status: 201, body: { id: account.id, orgId: org.id, name, role, tokens: 0, isDisabled: false } };
}

/** The names of tokens are unique. */
function addToken(call: Call) {
  const { state } = call;
  const account = theAccount(call);
  const { name } = readBody(call, z.strictObject({ name: z.string().min(1) }));
  if (state.accounts.some(({ tokens }) => tokens.some((token) => token.name === name))) {
    const message = "service account token with given name already exists in the organization";
    refuseById(400, "serviceaccounts.ErrTokenAlreadyExists", message);
  }
  const key = `glsa_${randomBytes(24).toString("base64url").replace(/[-_]/g, "0")}_${randomBytes(4).toString("hex")}`;
  const id = ++state.ids.token;
  account.tokens.push({ id, name, sha256: sha256(key) });
  return ok({ id, name, key });
}

function removeToken(call: Call) {
  const account = theAccount(call);
  const token = account.tokens.find(({ id }) => String(id) === call.params.tokenId);
  if (!token) refuseById(404, "serviceaccounts.ErrTokenNotFound", "service account token not found");
  account.tokens = account.tokens.filter((other) => other !== token);
  return ok({ message: "Service account token deleted" });
}
