/** A stand-in for Grafana, part: listing and creating contact points with the provisioning API. A new organization has none, as from 12.4 on. */
import { z } from "zod";
import { type Answer, type Call, knownQuery, ok, type Route, readBody } from "./http";
import { newUid } from "./state";

const path = "/api/v1/provisioning/contact-points";
const reads = { permission: "alert.provisioning:read", role: "Viewer" } as const;

/** The notification policy of a new organization notifies nobody. */
const policies = { receiver: "empty", group_by: ["grafana_folder", "alertname"] };

export const contactPointRoutes: Route[] = [
  { method: "GET", path, needs: reads, handle: list },
  { method: "POST", path, needs: { permission: "alert.provisioning:write", role: "Admin" }, handle: create },
  { method: "GET", path: "/api/v1/provisioning/policies", needs: reads, handle: () => ok(policies) },
];

const schema = z.strictObject({
  name: z.string().min(1),
  type: z.string().min(1),
  settings: z.record(z.string(), z.unknown()),
  disableResolveMessage: z.boolean().default(false),
});

function list({ org, query }: Call): Answer {
  knownQuery(query, "name");
  const wanted = query.get("name");
  return ok(org.contactPoints.filter(({ name }) => wanted === null || wanted === name));
}

function create(call: Call): Answer {
  const point = { uid: newUid(), ...readBody(call, schema) };
  call.org.contactPoints.push({ ...point, provenance: "api" });
  return { status: 202, body: point };
}
