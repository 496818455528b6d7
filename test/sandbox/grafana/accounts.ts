/** A stand-in for Grafana, part: service accounts and their tokens, whose secrets are shown once. Tests alone create them, under new names. */
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
  const account: ServiceAccount = { id: ++state.ids.account, name, role, tokens: [] };
  state.accounts.push(account);
  return { status: 201, body: { id: account.id, orgId: org.id, name, role, tokens: 0, isDisabled: false } };
}

function addToken(call: Call) {
  const { state } = call;
  const account = theAccount(call);
  const { name } = readBody(call, z.strictObject({ name: z.string().min(1) }));
  const key = `glsa_${randomBytes(24).toString("base64url").replace(/[-_]/g, "0")}_${randomBytes(4).toString("hex")}`;
  const id = ++state.ids.token;
  account.tokens.push({ id, name, sha256: sha256(key) });
  return ok({ id, name, key });
}

function removeToken(call: Call) {
  const account = theAccount(call);
  account.tokens = account.tokens.filter(({ id }) => String(id) !== call.params.tokenId);
  return ok({ message: "Service account token deleted" });
}
