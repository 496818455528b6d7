/** A stand-in for Grafana, part: listing and creating contact points with the provisioning API. */
import { z } from "zod";
import { type Answer, type Call, knownQuery, ok, type Route, readBody } from "./http";
import { authorize } from "./roles";
import { newUid, type Org } from "./state";

const path = "/api/v1/provisioning/contact-points";

export const contactPointRoutes: Route[] = [
  { method: "GET", path, handle: list },
  { method: "POST", path, handle: create },
  { method: "GET", path: "/api/v1/provisioning/policies", handle: readPolicies },
];

const schema = z.strictObject({
  name: z.string().min(1),
  type: z.string().min(1),
  settings: z.record(z.string(), z.unknown()),
  disableResolveMessage: z.boolean().default(false),
});

/** The default of each organization: its receiver and its integration have different names. */
const usualReceiver = "grafana-default-email";
const usual = {
  uid: "",
  name: "email receiver",
  type: "email",
  settings: { addresses: "<example@email.com>" },
  disableResolveMessage: false,
};

/** The names of receivers that a rule can use. */
export const receivers = ({ contactPoints }: Org) => [usualReceiver, ...contactPoints.map(({ name }) => name)];

function list(call: Call): Answer {
  const { org, query, release } = call;
  authorize(call, { permission: "alert.provisioning:read", role: release === "9.4" ? "Admin" : "Viewer" });
  knownQuery(query, "name");
  const wanted = query.get("name");
  // 9.4 uses the name of the integration, 12.3 that of the receiver.
  const all = [{ receiver: usualReceiver, shown: usual }, ...org.contactPoints.map((point) => ({ receiver: point.name, shown: point }))];
  const found = all.filter(({ receiver, shown }) => wanted === null || wanted === (release === "9.4" ? shown.name : receiver));
  return ok(found.map(({ shown }) => shown));
}

/** That of a new organization, in both releases. From 12.4 on, the receiver is "empty". */
function readPolicies(call: Call): Answer {
  authorize(call, { permission: "alert.provisioning:read", role: call.release === "9.4" ? "Admin" : "Viewer" });
  return ok({ receiver: usualReceiver, group_by: ["grafana_folder", "alertname"] });
}

function create(call: Call): Answer {
  const { org, release } = call;
  authorize(call, { permission: "alert.provisioning:write", role: "Admin" });
  const point = { uid: newUid(), ...readBody(call, schema) };
  org.contactPoints.push({ ...point, provenance: "api" });
  if (release === "12.3") return { status: 202, body: point };
  // 9.4 lists every secret field of a webhook, set or not.
  const secrets = point.type === "webhook" ? { authorization_credentials: "[REDACTED]", password: "[REDACTED]" } : {};
  return { status: 202, body: { ...point, settings: { ...point.settings, ...secrets }, provenance: "api" } };
}
