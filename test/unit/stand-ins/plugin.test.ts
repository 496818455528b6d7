/** The stand-in for the Grafana plugin: the differences that previews of the genuine one have, which changes replace a resource, and what it refuses. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { Operations } from "../../sandbox/plugins/operations";
import { secret, unknown, type Values } from "../../sandbox/plugins/values";

const plugin = new Operations(grafana, () => undefined);
const recorded = join(__dirname, "../../recorded/pulumi");

// The stand-in does not know nested folders.
it.each(readdirSync(recorded).filter((file) => !file.includes("parent-folder")))("the differences of %s", (file) => {
  const { steps = [] } = JSON.parse(readFileSync(join(recorded, file), "utf8").replaceAll('"[secret]"', "null"));
  for (const { urn, op, oldState, newState, diffReasons = [] } of steps) {
    // A refresh alone finds a new state, a deployment brings new inputs.
    const [found, given] = file.includes("preview-only") ? [newState, oldState] : [oldState, newState];
    if (!urn.includes("::grafana:") || !found?.outputs || !given?.inputs) continue;
    const { changed } = plugin.diff(urn, found.outputs, given.inputs);
    expect({ urn, op: changed.length > 0 ? "update" : op, changed }).toEqual({ urn, op, changed: diffReasons });
  }
});

const query = { refId: "A", datasourceUid: "metrics", relativeTimeRange: { from: 600, to: 0 }, model: '{"expr":"up"}' };
const shared = { region: "eu", name: "push", displayName: "Push" };
const complete: Record<string, Values> = {
  "oss/folder:Folder": { title: "Title", uid: "uid" },
  "oss/folderPermission:FolderPermission": { folderUid: "uid", permissions: [{ role: "Viewer", permission: "View" }] },
  "oss/dashboard:Dashboard": { configJson: '{"uid":"d","title":"T"}' },
  "oss/dataSource:DataSource": { name: "metrics", type: "prometheus", uid: "uid", url: "http://m", jsonDataEncoded: '{"a":1,"b":2}' },
  "alerting/ruleGroup:RuleGroup": {
    name: "g",
    folderUid: "uid",
    intervalSeconds: 60,
    rules: [{ name: "r", condition: "A", datas: [query] }],
  },
  "cloud/accessPolicy:AccessPolicy": { ...shared, scopes: ["a:b", "c:d"], realms: [{ type: "stack", identifier: "1" }] },
  "cloud/accessPolicyToken:AccessPolicyToken": { ...shared, accessPolicyId: "p1" },
  "cloud/accessPolicyRotatingToken:AccessPolicyRotatingToken": {
    ...{ region: "eu", displayName: "Push", namePrefix: "push", accessPolicyId: "p1" },
    ...{ expireAfter: "48h", earlyRotationWindow: "24h" },
  },
};
/** URN and complete inputs of a type. */
const resource = (name: string): [urn: string, inputs: Values] => {
  const [type = "", inputs = {}] = Object.entries(complete).find(([type]) => type.endsWith(`:${name}`)) ?? [];
  return [`urn:pulumi:test::project::grafana:${type}::name`, inputs];
};

it.each<[type: string, change: Values, replaces: string[], deleteBeforeReplace?: boolean]>([
  ["Folder", { uid: "other" }, ["uid"]],
  ["FolderPermission", { folderUid: "other" }, ["folderUid"]],
  ["Dashboard", { configJson: '{"uid":"e","title":"T"}' }, ["__meta"]],
  ["Dashboard", { configJson: '{"title":"T","uid":"d","id":7,"version":7}' }, []],
  ["DataSource", { uid: unknown }, ["uid"], true],
  ["DataSource", { url: secret("http://m"), jsonDataEncoded: '{ "b": 2, "a": 1 }' }, []],
  ["RuleGroup", { name: "other" }, ["name"]],
  ["RuleGroup", { folderUid: "other" }, ["folderUid"], true],
  ["AccessPolicy", { scopes: ["c:d", "a:b"] }, []],
  ["AccessPolicy", { region: "us" }, ["region"], true],
  ["AccessPolicyToken", { accessPolicyId: "p2" }, ["accessPolicyId"], true],
  ["AccessPolicyRotatingToken", { earlyRotationWindow: "23h" }, []],
  ["AccessPolicyRotatingToken", { expireAfter: "49h" }, ["expireAfter"]],
])("a %s with %j replaces for %j", (type, change, replaces, deleteBeforeReplace = false) => {
  const [urn, inputs] = resource(type);
  expect(plugin.diff(urn, inputs, { ...inputs, ...change })).toMatchObject({ replaces, deleteBeforeReplace });
});

it.each<[type: string, given: Values, reason: RegExp]>([
  ...Object.keys(complete).map((type): [string, Values, RegExp] => [
    type.replace(/.*:/, ""),
    { other: 1 },
    /^Invalid or unknown key "other"/,
  ]),
  ["Folder", { title: undefined }, /^Missing required property 'title'/],
  ["FolderPermission", { permissions: [{ roll: "Viewer", permission: "View" }] }, /^Invalid or unknown key "roll"/],
  ["DataSource", { accessMode: "direct" }, /^the stand-in knows only "proxy"/],
  ["RuleGroup", { rules: [{ name: "rule", datas: [query], isPaused: true }] }, /^the stand-in does not know this property/],
  ["AccessPolicy", { scopes: ["metrics"] }, /^invalid scope: metrics/],
  ["AccessPolicyRotatingToken", { expireAfter: "365d" }, /^must be a valid duration string/],
  ["AccessPolicyRotatingToken", { namePrefix: "" }, /^expected length of name_prefix/],
])("a %s refuses %j", (type, given, reason) => {
  const [urn, inputs] = resource(type);
  const { failures } = plugin.check(urn, {}, { ...inputs, ...given });
  expect(failures).toEqual([{ property: expect.any(String), reason: expect.stringMatching(reason) }]);
});
