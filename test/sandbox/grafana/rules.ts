/** A stand-in for Grafana, part: groups of alert rules with the provisioning API, and the states of rules. */
import { z } from "zod";
import { type Answer, type Call, checkUid, ok, type Route, readBody, refuse, refuseById } from "./http";
import { atLeast, authorize, findFolder, levelIn } from "./roles";
import { contentOf, longestName, ruleSchema, type SentRule, wrongState } from "./rule-model";
import { newUid, type Rule } from "./state";

const groupPath = "/api/v1/provisioning/folder/:folder/rule-groups/:group";
const rulePath = "/api/v1/provisioning/alert-rules";

export const ruleRoutes: Route[] = [
  { method: "GET", path: rulePath, handle: list },
  { method: "GET", path: `${rulePath}/:uid`, handle: read },
  { method: "PUT", path: `${rulePath}/:uid`, handle: update },
  { method: "DELETE", path: `${rulePath}/:uid`, handle: remove },
  { method: "GET", path: groupPath, handle: readGroup },
  { method: "PUT", path: groupPath, handle: replaceGroup },
  { method: "GET", path: "/api/prometheus/grafana/api/v1/rules", handle: states },
];

const groupSchema = z.strictObject({
  title: z.string().min(1).max(longestName),
  folderUid: z.string(),
  interval: z.number().int().positive().multipleOf(10),
  rules: z.array(ruleSchema),
});

/** Requires a permission in the folder, which a missing folder cannot grant, or the role Admin. */
function authorizeRules(call: Call, verb: "read" | "write", folderUid: string): void {
  const mayOthers = atLeast(levelIn(call, folderUid), verb === "read" ? "View" : "Edit");
  if (!mayOthers) authorize(call, { permission: `alert.provisioning:${verb}`, role: "Admin" });
}

const inGroup = ({ org, params }: Call) => org.rules.filter((rule) => rule.folderUid === params.folder && rule.group === params.group);

function theRule({ org, params }: Call): Rule {
  return org.rules.find(({ uid }) => uid === params.uid) ?? notFound();
}

const notFound = () => refuseById(404, "alerting.alert-rule.notFound", "NotFound");

/** Includes `provenance` for a single rule, and in the list of all rules. */
function shown({ org }: Call, { id, uid, folderUid, group, content }: Rule, withProvenance: boolean) {
  const place = { id, uid, orgID: org.id, folderUID: folderUid, ruleGroup: group };
  return { ...place, ...content, ...(withProvenance && { provenance: "api" }) };
}

function list(call: Call): Answer {
  const { org } = call;
  authorizeRules(call, "read", "");
  const readable = org.rules.filter(({ folderUid }) => levelIn(call, folderUid));
  return ok(readable.map((rule) => shown(call, rule, true)));
}

function read(call: Call): Answer {
  const rule = theRule(call);
  authorizeRules(call, "read", rule.folderUid);
  return ok(shown(call, rule, true));
}

/** The provisioning API may change its own rules. */
function update(call: Call): Answer {
  const rule = theRule(call);
  authorizeRules(call, "write", rule.folderUid);
  const sent = readBody(call, ruleSchema);
  check(call, sent);
  const taken = call.org.rules.some((other) => other !== rule && other.folderUid === rule.folderUid && other.content.title === sent.title);
  if (taken) conflict();
  rule.content = contentOf(sent);
  return ok(shown(call, rule, true));
}

/** Deleting a missing rule succeeds. */
function remove(call: Call): Answer {
  const { org, params } = call;
  const gone = org.rules.find(({ uid }) => uid === params.uid);
  authorizeRules(call, "write", gone?.folderUid ?? "");
  org.rules = org.rules.filter((rule) => rule !== gone);
  return { status: 204 };
}

function readGroup(call: Call): Answer {
  authorizeRules(call, "read", call.params.folder ?? "");
  const rules = inGroup(call);
  const [first] = rules;
  if (!first) return notFound();
  const { group: title, folderUid, interval } = first;
  return ok({ title, folderUid, interval, rules: rules.map((rule) => shown(call, rule, false)) });
}

/**
 * Replaces the whole group: creates rules without a uid, and deletes rules that the request omits. The folder need not exist. Grafana
 * repeats the rules in its response.
 */
function replaceGroup(call: Call): Answer {
  const { org, state, params } = call;
  const [folderUid, group] = [params.folder ?? "", params.group ?? ""];
  authorizeRules(call, "write", folderUid);
  const { interval, rules: sent } = readBody(call, groupSchema);
  for (const rule of sent) check(call, rule);
  const before = inGroup(call);
  const others = org.rules.filter((rule) => !before.includes(rule));
  const known = new Map(before.map((rule) => [rule.uid, rule]));
  const elsewhere = sent.find(({ uid }) => others.some((rule) => rule.uid === uid));
  if (elsewhere) refuse(400, { message: `the stand-in: the rule ${elsewhere.uid} is in another group` });
  // The recordings do not show whether Grafana requires unique titles in a folder.
  const titles = [
    ...others.filter((rule) => rule.folderUid === folderUid).map(({ content }) => content.title),
    ...sent.map(({ title }) => title),
  ];
  if (new Set(titles).size < titles.length) conflict();
  const after = sent.map((rule): Rule => {
    const own = known.get(rule.uid) ?? { id: ++state.ids.rule, uid: rule.uid || newUid() };
    const place = { id: own.id, uid: own.uid, folderUid, group, interval };
    return { ...place, content: contentOf(rule) };
  });
  org.rules = [...others, ...after];
  return ok({ title: group, folderUid, interval });
}

/** Of one folder and one group: Grafana has no others in its answer. The fields of a rule that the checks read, with those that tell the rule. */
function states(call: Call): Answer {
  const { org, query } = call;
  const { folder_uid: folderUid = "", rule_group: group = "", ...others } = Object.fromEntries(query);
  if (!folderUid || !group || Object.keys(others).length > 0)
    refuse(400, { message: "the stand-in requires folder_uid and rule_group alone" });
  const readable = levelIn(call, folderUid) ? org.rules.filter((rule) => rule.folderUid === folderUid && rule.group === group) : [];
  const rules = readable.map(({ uid, content }) => {
    const lastError = writeError(call, content.record as SentRule["record"]);
    const state = { health: lastError ? "error" : "ok", ...(lastError && { lastError }) };
    return { uid, name: content.title, folderUid, type: content.record ? "recording" : "alerting", ...state };
  });
  const groups = rules.length > 0 ? [{ name: group, file: findFolder(org, folderUid)?.title, folderUid, rules }] : [];
  return ok({ status: "success", data: { groups } });
}

/** As 12.4 writes: to the path of a Prometheus only if the datasource says that it is one. Every server behind the stand-in is one. */
function writeError({ org }: Call, record: SentRule["record"]): string | undefined {
  const target = org.datasources.find(({ uid }) => uid === record?.target_datasource_uid);
  if (!record || target?.jsonData.prometheusType === "Prometheus") return undefined;
  if (!target) return "remote write failed: data source not found";
  return "remote write failed: failed to write time series\nexpected HTTP 200 status code: actual=404, body=404 page not found";
}

function conflict(): never {
  const why = "a conflicting alert rule is found: rule title under the same organisation and folder should be unique";
  return refuseById(409, "alerting.alert-rule.conflict", why);
}

function check(call: Call, rule: SentRule): void {
  checkUid(rule.uid);
  const wrong = wrongState(rule);
  if (wrong) refuse(400, { message: `invalid alert rule\n${wrong}` });
  checkLinks(rule);
  const receiver = rule.notification_settings?.receiver;
  if (receiver !== undefined && !call.org.contactPoints.some(({ name }) => name === receiver)) {
    refuse(400, { message: `invalid alert rule\nreceiver ${receiver} does not exist` });
  }
}

/** The messages are those of 12.4. */
function checkLinks({ annotations = {} }: SentRule): void {
  const { __dashboardUid__: dashboard, __panelId__: panel } = annotations;
  const wrong = (why: string) => refuse(400, { message: `invalid alert rule: ${why}` });
  if (panel !== undefined && !/^-?\d+$/.test(panel)) wrong("annotation __panelId__ must be a valid integer Panel ID");
  if (!dashboard !== !panel) wrong("both annotations __dashboardUid__ and __panelId__ must be specified");
}
