/** A stand-in for Grafana, part: listing and creating contact points with the provisioning API. */
import { z } from "zod";
import { type Answer, type Call, knownQuery, ok, type Route, readBody } from "./http";
import { authorize } from "./roles";
import { newUid, type Org } from "./state";

const path = "/api/v1/provisioning/contact-points";

export const contactPointRoutes: Route[] = [
  { method: "GET", path, handle: list },
  { method: "POST", path, handle: create },
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
  const { org, query } = call;
  authorize(call, { permission: "alert.provisioning:read", role: "Viewer" });
  knownQuery(query, "name");
  const wanted = query.get("name");
  const all = [{ receiver: usualReceiver, shown: usual }, ...org.contactPoints.map((point) => ({ receiver: point.name, shown: point }))];
  const found = all.filter(({ receiver }) => wanted === null || wanted === receiver);
  return ok(found.map(({ shown }) => shown));
}

function create(call: Call): Answer {
  const { org } = call;
  authorize(call, { permission: "alert.provisioning:write", role: "Admin" });
  const point = { uid: newUid(), ...readBody(call, schema) };
  org.contactPoints.push({ ...point, provenance: "api" });
  return { status: 202, body: point };
}
