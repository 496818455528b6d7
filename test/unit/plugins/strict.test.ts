/** The stand-in for the Grafana plugin, beyond the recordings: what it refuses, and which changes replace a resource. */
import { describe, expect, it } from "vitest";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { Operations } from "../../sandbox/plugins/operations";
import { secret, unknown, type Values } from "../../sandbox/plugins/values";
import { opOf, urnOf } from "./deployment";
import { types } from "./replay";

const { folder, permission, dashboard, dataSource, ruleGroup } = types;
const policy = "grafana:cloud/accessPolicy:AccessPolicy";
const policyToken = "grafana:cloud/accessPolicyToken:AccessPolicyToken";

const query = { refId: "A", datasourceUid: "metrics", relativeTimeRange: { from: 600, to: 0 }, model: '{"expr":"up"}' };
const displayName = "Push";

/** A complete set of inputs for each kind. */
const inputs: Record<string, Values> = {
  [folder]: { title: "Title", uid: "uid", preventDestroyIfNotEmpty: false },
  [permission]: { folderUid: "uid", permissions: [{ role: "Viewer", permission: "View" }] },
  [dashboard]: { configJson: '{"uid":"d","title":"T"}', folder: "uid", message: "by test" },
  [dataSource]: { name: "metrics", type: "prometheus", uid: "uid", url: "http://m", jsonDataEncoded: '{"a":1,"b":2}' },
  [ruleGroup]: { name: "group", folderUid: "uid", intervalSeconds: 60, rules: [{ name: "rule", condition: "A", datas: [query] }] },
  [policy]: { region: "eu", name: "push", displayName, scopes: ["a:b", "c:d"], realms: [{ type: "stack", identifier: "1" }] },
  [policyToken]: { region: "eu", name: "push", displayName, accessPolicyId: "p1" },
};

const plugin = new Operations(grafana, () => undefined);
plugin.configure({ url: "http://127.0.0.1:1", auth: "token", cloudAccessPolicyToken: "cloud" });

/** The inputs of a check, and its failures as texts. */
function check(type: string, values: Values) {
  const { inputs, failures } = plugin.check(urnOf(type, "name"), {}, values);
  return { inputs, failures: failures.map(({ property, reason }) => `${property}: ${reason}`) };
}

describe.each(Object.entries(inputs))("%s", (type, values) => {
  it("refuses an unknown property, and keeps secrets and unknown values", async () => {
    const { failures } = check(type, { ...values, unexpected: 1 });
    expect(failures).toEqual([expect.stringMatching(/^unexpected: Invalid or unknown key "unexpected"; known are /)]);
    for (const [name, value] of Object.entries(values)) {
      for (const given of [unknown, secret(value)]) {
        expect(check(type, { ...values, [name]: given })).toMatchObject({ inputs: { [name]: given }, failures: [] });
      }
    }
  });

  it("sends no request in a preview", async () => {
    expect(await plugin.create(urnOf(type, "name"), values, true)).toMatchObject({ id: "", outputs: values });
  });
});

it.each<[string, Values, RegExp]>([
  [folder, { title: undefined }, /^title: Missing required property 'title'/],
  [folder, { uid: "a/b" }, /^uid: folder UIDs can only be alphanumeric/],
  [permission, { permissions: [{ role: "Viewer", permission: "Look" }] }, /^permissions: expected permission to be one of/],
  [permission, { permissions: [{ roll: "Viewer", permission: "View" }] }, /^permissions: Invalid or unknown key "roll"/],
  [dashboard, { configJson: secret("[]") }, /^configJson: contains an invalid JSON/],
  [dataSource, { jsonDataEncoded: '{"httpHeaderName1":"a"}' }, /^jsonDataEncoded: httpHeaderName\{num\} is a reserved key/],
  [dataSource, { accessMode: "direct" }, /^accessMode: the stand-in knows only "proxy"/],
  [policy, { scopes: ["metrics"] }, /^scopes: invalid scope: metrics/],
  [ruleGroup, { rules: [{ name: "rule", datas: [query], isPaused: true }] }, /^rules\[0\]\.isPaused: the stand-in does not know/],
])("%s refuses %j", async (type, change, reason) => {
  const { failures } = check(type, { ...inputs[type], ...change });
  expect(failures).toEqual([expect.stringMatching(reason)]);
});

it.each<[string, Values, string]>([
  [folder, { title: "other" }, "update"],
  [folder, { uid: "other" }, "replace"],
  [permission, { folderUid: "other" }, "replace"],
  [permission, { permissions: [] }, "update"],
  [dashboard, { configJson: '{"title":"T","uid":"d","id":7,"version":7}' }, "same"],
  [dashboard, { configJson: '{"uid":"e","title":"T"}' }, "replace"],
  [dataSource, { uid: unknown }, "replace, delete first"],
  [dataSource, { url: secret("http://m"), jsonDataEncoded: '{ "b": 2, "a": 1 }' }, "same"],
  [ruleGroup, { name: "other" }, "replace"],
  [ruleGroup, { folderUid: "other" }, "replace, delete first"],
  [policy, { scopes: ["c:d", "a:b"] }, "same"],
  [policy, { region: "us" }, "replace, delete first"],
  [policyToken, { accessPolicyId: "p2" }, "replace, delete first"],
])("%s with %j: %s", (type, change, op) => {
  expect(opOf(plugin.diff(urnOf(type, "name"), inputs[type] ?? {}, { ...inputs[type], ...change }))).toBe(op);
});
