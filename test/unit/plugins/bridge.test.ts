/** The stand-in for the Grafana plugin beyond what was recorded: what the Terraform bridge makes of errors, differences, inputs and groups of rules. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { withDefaults } from "../../sandbox/plugins/check";
import { diff, planned } from "../../sandbox/plugins/diff";
import { goDuration, seconds } from "../../sandbox/plugins/grafana/duration";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { importedInputs, refreshedInputs } from "../../sandbox/plugins/inputs";
import type { Values } from "../../sandbox/plugins/values";
import { answer, type RawServer, startRawServer } from "../raw-server";
import { stillClock } from "./clock";
import { Plugin, urnOf } from "./plugin";
import { occurred, types } from "./replay";
import { ruleProgram } from "./rule-program";

const waits = stillClock();

/** Answers by method and path; the last of several again and again. */
type Answers = Record<string, [status: number, body: string, type?: string][]>;

async function against(answers: Answers): Promise<{ plugin: Plugin; server: RawServer }> {
  const left = structuredClone(answers);
  const server = await startRawServer([
    ({ method, path }) => {
      const list = left[`${method} ${path}`] ?? [];
      const [status = 404, body = '{"message":"nothing here"}', type = "application/json"] =
        (list.length > 1 ? list.shift() : list[0]) ?? [];
      return answer(status, body, { "Content-Type": type });
    },
  ]);
  const plugin = await Plugin.start(grafana, { url: server.url, auth: "token" });
  onTestFinished(async () => {
    plugin.stop();
    await server.close();
  });
  return { plugin, server };
}

const inputs = { title: "F", uid: "f" };
const shown = JSON.stringify({ ...inputs, url: "/f" });
const broken = '{"message":"broken","traceID":"1"}';
const unread = 'error reading folder with ID`0:f`: [GET /folders/{folder_uid}][500] getFolderByUidInternalServerError {"message":"broken"}';

describe("an operation that fails halfway", () => {
  it("a folder that was made and cannot be read is kept", async () => {
    const { plugin } = await against({ "POST /api/folders": [[200, shown]], "GET /api/folders/f": [[500, broken]] });
    const error = await plugin.create(types.folder, "f", inputs).catch((failure) => failure);
    const urn = urnOf(types.folder, "f");
    expect(error).toMatchObject({ message: `creating ${urn}: ${occurred(unread)}`, id: "0:f", outputs: { ...inputs, id: "0:f" } });
  });

  it("a folder that is gone at once is not", async () => {
    const { plugin } = await against({ "POST /api/folders": [[200, shown]] });
    const error = await plugin.create(types.folder, "f", inputs).catch((failure) => failure);
    expect(error.message).toBe(`expected non-nil error with nil state during Create of ${urnOf(types.folder, "f")}`);
    expect(error).not.toHaveProperty("outputs");
  });

  it("an update has what was wanted in the state", async () => {
    const { plugin } = await against({ "GET /api/folders/f": [[200, shown]], "PUT /api/folders/f": [[500, broken]] });
    const state = { ...inputs, id: "0:f", url: "http://x/f", parentFolderUid: "", orgId: "0" };
    const error = await plugin.update(types.folder, "0:f", state, { ...inputs, title: "G" }).catch((failure) => failure);
    expect(error).toMatchObject({ id: "0:f", outputs: { ...state, title: "G" } });
    expect(error.message).toContain("[PUT /folders/{folder_uid}][500] updateFolderInternalServerError");
  });

  it("an update of what is gone says how to go on", async () => {
    const { plugin } = await against({
      "GET /api/folders/f": [
        [200, shown],
        [404, broken],
      ],
      "PUT /api/folders/f": [[200, shown]],
    });
    const update = plugin.update(types.folder, "0:f", { ...inputs, id: "0:f" }, { ...inputs, title: "G" });
    await expect(update).rejects.toThrow("fixed by running `pulumi refresh` before updating.");
  });

  it("a refresh and a delete name the resource", async () => {
    const { plugin } = await against({
      "GET /api/folders/f": [[500, broken]],
      "DELETE /api/folders/f?forceDeleteRules=true": [[403, broken]],
    });
    const urn = urnOf(types.folder, "name");
    await expect(plugin.read(types.folder, "0:f", { id: "0:f" })).rejects.toThrow(`refreshing ${urn}: ${occurred(unread)}`);
    const refused = 'error reading folder with ID`0:f`: [DELETE /folders/{folder_uid}][403] deleteFolderForbidden {"message":"broken"}';
    await expect(plugin.delete(types.folder, "0:f", { id: "0:f" })).rejects.toThrow(
      `deleting ${urnOf(types.folder, "name")}: ${occurred(refused)}`,
    );
  });

  it("a parent that there is not is waited for, two minutes", async () => {
    const { plugin, server } = await against({});
    const missing = '[GET /folders/{folder_uid}][404] getFolderByUidNotFound {"message":"nothing here"}';
    await expect(plugin.create(types.folder, "f", { ...inputs, parentFolderUid: "p" })).rejects.toThrow(
      occurred(`failed to find parent folder 'p': ${missing}`),
    );
    expect(server.requests).toHaveLength(16);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(120);
  });

  it("permissions without their folder cannot be taken away", async () => {
    const { plugin } = await against({});
    const missing = '[GET /access-control/{resource}/{resourceID}][404] getResourcePermissionsNotFound {"message":"nothing here"}';
    await expect(plugin.delete(types.permission, "0:f", { id: "0:f" })).rejects.toThrow(`Failed to update permissions: ${missing}`);
  });
});

describe("an error", () => {
  it("is logged, too", async () => {
    const { plugin } = await against({});
    await plugin.create(types.dashboard, "d", { configJson: "{}" }).catch(() => undefined);
    await plugin.create(types.permission, "p", { folderUid: "f" }).catch(() => undefined);
    const [posted, got] = ['[POST /dashboards/db][404] postDashboardNotFound {"message":"nothing here"}', "Uid"];
    expect(plugin.lines.slice(1)).toEqual([
      `d:   sdk-v2/provider2.go:572: sdk.helper_schema: ${posted}: provider=grafana@${grafana.version}`,
      `p: [ERROR] [GET /folders/{folder_uid}][404] getFolderBy${got}NotFound {"message":"nothing here"}: Failed to get folder`,
    ]);
  });

  const text = "is not supported by the TextConsumer, can be resolved by supporting TextUnmarshaler interface";
  it.each<[string, number, string, string, string]>([
    [
      "with all that is described",
      500,
      '{"message":"<a>","status":"s","error":"e","x":1}',
      "application/json",
      ' {"error":"e","message":"\\u003ca\\u003e","status":"s"}',
    ],
    ["without a message", 500, "{}", "application/json", ' {"message":null}'],
    ["without a body", 403, "", "application/json", ' {"message":null}'],
  ])("%s", async (_name, status, body, type, payload) => {
    const { plugin } = await against({ "POST /api/datasources": [[status, body, type]] });
    const reason = status === 500 ? "InternalServerError" : "Forbidden";
    await expect(plugin.create(types.dataSource, "d", { name: "d", type: "t" })).rejects.toThrow(
      occurred(`[POST /datasources][${status}] addDataSource${reason}${payload}`),
    );
  });

  it.each<[string, number, string, string, string]>([
    ["of a status that is not described", 502, "<html>", "text/html", "[POST /datasources] addDataSource (status 502): {}"],
    ["of a gateway", 500, "<html>", "text/html", `&{ <nil> } (*models.ErrorResponseBody) ${text}`],
    ["that is no JSON", 500, "<html>", "application/json", "invalid character '<' looking for beginning of value"],
  ])("%s", async (_name, status, body, type, message) => {
    const { plugin } = await against({ "POST /api/datasources": [[status, body, type]] });
    await expect(plugin.create(types.dataSource, "d", { name: "d", type: "t" })).rejects.toThrow(occurred(message));
  });

  it("of a look-up names it", async () => {
    const { plugin } = await against({});
    const token = "grafana:oss/getDataSource:getDataSource";
    await expect(plugin.invoke(token, { name: "n" })).rejects.toThrow(
      `invoking ${token}: ${occurred("[GET /datasources/name/{name}] getDataSourceByName (status 404): {}")}`,
    );
  });

  it("of an import's own question counts as nothing there", async () => {
    const { plugin } = await against({ "GET /api/datasources/uid/d": [[200, '{"orgId":1,"uid":"d","readOnly":true,"jsonData":{}}']] });
    expect(await plugin.read(types.dataSource, "d")).toBeUndefined();
    expect(plugin.lines.at(-1)).toContain("this Grafana data source is read-only. It cannot be imported as a resource.");
  });
});

describe("differences in detail", () => {
  let plugin: Plugin;
  beforeAll(async () => {
    plugin = await Plugin.start(grafana, { url: "http://127.0.0.1:1", auth: "token" });
  });
  afterAll(() => plugin.stop());

  it("headers by their names", async () => {
    const [olds, news] = [
      { "X-A": "1", B: "1", C: "1" },
      { "X-A": "2", C: "1", D: "1" },
    ];
    const { details } = await plugin.diff(types.dataSource, { httpHeaders: olds }, { httpHeaders: news });
    const kinds = Object.fromEntries(Object.entries(details ?? {}).map(([path, { kind }]) => [path, kind]));
    expect(kinds).toEqual({ 'httpHeaders["X-A"]': "update", "httpHeaders.B": "delete", "httpHeaders.D": "add" });
  });

  it("a dashboard's uid is in the model: a path that there is not says that it is a new one", async () => {
    const of = (uid: string) => ({ configJson: JSON.stringify({ uid, title: "T" }) });
    expect(await plugin.diff(types.dashboard, of("a"), of("b"))).toEqual({
      op: "replace",
      changed: ["__meta", "configJson"],
      replaces: ["__meta"],
      details: { configJson: { kind: "update", inputDiff: false }, __meta: { kind: "update-replace", inputDiff: false } },
    });
  });
});

describe("groups of rules", () => {
  const names = { of: "", title: "" };
  const group = (more: Values = {}, own = false): Values => {
    const [, , declared] = ruleProgram(names, ["Error rate", "Latency p95"], { own });
    return { ...declared?.inputs, ...more };
  };
  const [first, second] = group().rules as [Values, Values];
  const list = "GET /api/v1/provisioning/alert-rules";

  it.each<[string, Values, string]>([
    ["without rules", { rules: [] }, "rules: Attribute rules requires 1 item minimum, but config has only 0 declared."],
    ["a rule with a property that there is not", { rules: [{ ...first, fro: 1 }] }, 'rules[0].fro: Invalid or unknown key "fro"'],
    ["a rule without queries", { rules: [first, { ...second, datas: undefined }] }, "rules[1].datas: Missing required property"],
    [
      "a query without a time",
      { rules: [{ ...first, datas: [{ refId: "A", datasourceUid: "d", model: "{}", relativeTimeRange: { to: 0 } }] }] },
      "rules[0].datas[0].relativeTimeRange.from: Missing",
    ],
    [
      "a query that is no JSON",
      { rules: [{ ...first, datas: [{ refId: "A", datasourceUid: "d", model: "{", relativeTimeRange: { from: 1, to: 0 } }] }] },
      "rules[0].datas[0].model: contains an invalid JSON",
    ],
    ["a duration that is none", { rules: [{ ...first, for: "5 min" }] }, 'rules[0].for: "5 min" is not a valid duration'],
    ["a folder that cannot be", { folderUid: "a/b" }, "folderUid: folder UIDs can only be"],
  ])("%s: refused", async (_name, more, failure) => {
    const { plugin } = await against({});
    expect((await plugin.check(types.ruleGroup, "r", group(more))).failures).toEqual([expect.stringContaining(failure)]);
  });

  it.each<[string, Values, string]>([
    ["a rule without a condition", { rules: [{ ...first, condition: "" }] }, '"condition" is required'],
    [
      "a recording rule that alerts",
      { rules: [{ ...first, record: { metric: "m", from: "A" } }] },
      'conflicting fields "record" and "for"',
    ],
    [
      "a recording rule with a condition",
      { rules: [{ name: "n", condition: "C", datas: first.datas, record: { metric: "m", from: "A" } }] },
      'conflicting fields "record" and "condition"',
    ],
    [
      "one uid for two",
      {
        rules: [
          { ...first, uid: "u" },
          { ...second, uid: "u" },
        ],
      },
      'rule with UID "u" is defined more than once. Rules with name "Error rate" and "Latency p95" have the same uid',
    ],
  ])("%s: fails before the group is sent", async (_name, more, message) => {
    const { plugin, server } = await against({ [list]: [[200, "[]"]] });
    await expect(plugin.create(types.ruleGroup, "r", group(more))).rejects.toThrow(occurred(message));
    expect(server.requests).toHaveLength(1);
  });

  it("one that exists already is left alone", async () => {
    const { plugin, server } = await against({ [list]: [[200, '[{"ruleGroup":"LLM","folderUID":"llm-observability"}]']] });
    await expect(plugin.create(types.ruleGroup, "r", group())).rejects.toThrow(occurred('rule group with name "LLM" already exists'));
    expect(server.requests).toHaveLength(1);
  });

  it("what ends a delete", async () => {
    const path = "/api/v1/provisioning/folder/f/rule-groups/a:b'";
    const { plugin, server } = await against({ [`GET ${path.replace("'", "%27")}`]: [[200, '{"rules":[{"uid":"1"},{"uid":"2"}]}']] });
    await plugin.delete(types.ruleGroup, "0:f:a:b'", { id: "0:f:a:b'" });
    // The first rule is gone: the second one stays.
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
    const route = "[GET /v1/provisioning/folder/{FolderUID}/rule-groups/{Group}][404] getAlertRuleGroupNotFound";
    await expect(plugin.delete(types.ruleGroup, "0:f:g", { id: "0:f:g" })).rejects.toThrow(occurred(route));
  });
});

describe("rules of the bridge, for any values", () => {
  const resource = grafana.resources[types.ruleGroup];
  if (!resource) throw new Error("no rule groups");
  const duration = fc.constantFrom("", "0", "5m", "300s", "1h", "1d");
  const model = fc.constantFrom(
    '{"a":1,"intervalMs":1000}',
    '{"a":1}',
    '{ "a": 1 }',
    '{"a":2,"maxDataPoints":9}',
    '{"maxDataPoints":43200,"a":2}',
  );
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const rule = fc.record({
    name: fc.constantFrom("x", "y"),
    uid: optional(fc.constantFrom("u", "v")),
    for: optional(duration),
    keepFiringFor: optional(duration),
    noDataState: optional(fc.constantFrom("", "OK", "NoData")),
    labels: optional(fc.dictionary(fc.constantFrom("a", "b-c"), fc.constantFrom("1", "2"))),
    notificationSettings: optional(fc.record({ contactPoint: fc.constantFrom("p", "q"), groupWait: optional(fc.constant("1m")) })),
    datas: fc.array(
      fc.record({ refId: fc.constant("A"), datasourceUid: fc.constant("d"), model, relativeTimeRange: fc.constant({ from: 1, to: 0 }) }),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  });
  const plain = (values: Values): Values => JSON.parse(JSON.stringify(values));
  const checked = fc
    .record({
      name: fc.constant("g"),
      folderUid: fc.constant("f"),
      intervalSeconds: fc.constantFrom(60, 120),
      rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
    })
    .map((values) => withDefaults(resource, {}, plain(values), "g"));

  it("an update leaves no difference", () => {
    fc.assert(
      fc.property(checked, checked, (before, wanted) => {
        const state = planned(resource.properties, before, wanted);
        expect(diff(resource, state, wanted, []).changed).toEqual([]);
      }),
    );
  });

  it("nor does a refresh that finds what was written", () => {
    fc.assert(
      fc.property(checked, checked, (before, wanted) => {
        const state = planned(resource.properties, before, wanted);
        const inputs = refreshedInputs(resource, wanted, state);
        expect(diff(resource, state, inputs, []).changed).toEqual([]);
        expect(refreshedInputs(resource, inputs, state)).toEqual(inputs);
      }),
    );
  });

  it("nor does an import, once the program says the same", () => {
    fc.assert(
      fc.property(checked, (wanted) => {
        const state = planned(resource.properties, {}, wanted);
        expect(diff(resource, state, withDefaults(resource, {}, importedInputs(resource, state), "g"), []).changed).toEqual([]);
      }),
    );
  });

  it("a difference is one of the details, and names what is changed", () => {
    fc.assert(
      fc.property(checked, checked, (before, wanted) => {
        const { changed, details } = diff(resource, before, wanted, []);
        expect([...new Set(Object.keys(details ?? {}).map((path) => path.replace(/[.[].*/, "")))].sort()).toEqual(changed);
      }),
    );
  });

  it("durations are what they were", () => {
    fc.assert(fc.property(fc.nat(10_000_000), (total) => seconds(goDuration(total)) === total));
    expect([0, 0.25, 1.5, 60, 300, 3600, 5400, 90_061].map(goDuration)).toEqual([
      "0s",
      "250ms",
      "1.5s",
      "1m0s",
      "5m0s",
      "1h0m0s",
      "1h30m0s",
      "25h1m1s",
    ]);
  });
});
