/** A stand-in for Grafana, part: listing and creating contact points with the provisioning API. */
import { z } from "zod";
import { type Answer, type Call, knownQuery, ok, type Route, readBody } from "./http";
import { authorize } from "./roles";
import { newUid } from "./state";

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

/** The default of each organization before 12.4: its receiver and its integration have different names. From 12.4 on, it notifies nobody. */
const usualReceiver = "grafana-default-email";
const usual = {
  uid: "",
  name: "email receiver",
  type: "email",
  settings: { addresses: "<example@email.com>" },
  disableResolveMessage: false,
};

/** The names of receivers that a rule can use. */
export const receivers = ({ org, version }: Call) => [
  ...(version === "12.3.0" ? [usualReceiver] : []),
  ...org.contactPoints.map(({ name }) => name),
];

function list(call: Call): Answer {
  const { org, query, version } = call;
  authorize(call, { permission: "alert.provisioning:read", role: "Viewer" });
  knownQuery(query, "name");
  const wanted = query.get("name");
  const before = version === "12.3.0" ? [{ receiver: usualReceiver, shown: usual }] : [];
  const all = [...before, ...org.contactPoints.map((point) => ({ receiver: point.name, shown: point }))];
  const found = all.filter(({ receiver }) => wanted === null || wanted === receiver);
  return ok(found.map(({ shown }) => shown));
}

/** Those of a new organization. */
function readPolicies(call: Call): Answer {
  authorize(call, { permission: "alert.provisioning:read", role: "Viewer" });
  return ok({ receiver: call.version === "12.3.0" ? usualReceiver : "empty", group_by: ["grafana_folder", "alertname"] });
}

function create(call: Call): Answer {
  const { org } = call;
  authorize(call, { permission: "alert.provisioning:write", role: "Admin" });
  const point = { uid: newUid(), ...readBody(call, schema) };
  org.contactPoints.push({ ...point, provenance: "api" });
  return { status: 202, body: point };
}
