/** A stand-in for Grafana, part: organizations. */
import { z } from "zod";
import { type Call, ok, type Route, readBody, refuse } from "./http";
import { authorize } from "./roles";
import { emptyOrg } from "./state";

const needs = (verb: string) => ({ permission: `orgs:${verb}`, serverAdmin: true }) as const;

export const orgRoutes: Route[] = [
  { method: "GET", path: "/api/org", handle: current },
  { method: "POST", path: "/api/orgs", needs: needs("create"), handle: create },
  { method: "DELETE", path: "/api/orgs/:id", needs: needs("delete"), handle: remove },
];

const address = { address1: "", address2: "", city: "", zipCode: "", state: "", country: "" };

function current(call: Call) {
  const { id, name } = call.org;
  authorize(call, { permission: "orgs:read", role: "Viewer" });
  return id ? ok({ id, name, address }) : refuse(404, { message: "Organization not found" });
}

function create(call: Call) {
  const { state } = call;
  const { name } = readBody(call, z.strictObject({ name: z.string().min(1) }));
  if (state.orgs.some((org) => org.name === name)) refuse(409, { message: "Organization name taken" });
  const org = emptyOrg(++state.ids.org, name);
  state.orgs.push(org);
  return ok({ message: "Organization created", orgId: org.id });
}

/** Deletes the organization and its contents. */
function remove({ state, org, params }: Call) {
  const id = Number(params.id);
  if (id === org.id) refuse(400, { message: "Can not delete org for current user" });
  if (!state.orgs.some((other) => other.id === id)) refuse(404, { message: "Failed to delete organization. ID not found" });
  state.orgs = state.orgs.filter((other) => other.id !== id);
  state.accounts = state.accounts.filter(({ orgId }) => orgId !== id);
  return ok({ message: "Organization deleted" });
}
