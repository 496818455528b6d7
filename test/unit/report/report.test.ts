/** Reports of recorded and of generated output of the engine. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/report/json";
import { parsePreview } from "../../../src/report/parse-preview";
import { type ReportOptions, renderReport } from "../../../src/report/render";
import { dashboardStep, linesOf, modelWith, preview, recorded, recordingRules, refreshed, ruleGroupType, step, type Values } from "./steps";

const report = (text: string, options?: ReportOptions) => renderReport([parsePreview(text)], options).markdown;
const connectionType = "pulumi-nodejs:dynamic/llm-observability:Connection";
const urls = { serviceUrl: "https://svc.example", metricsUrl: "https://m.example" };
const connection = { ...urls, platformApiKey: "[secret]", __provider: "exports.handler" };
const checks = "command:local:Command";

it.each<[file: string, markdown: string, options?: ReportOptions, blocked?: number]>([
  [
    "preview-changed.json",
    `## Changes in stack \`dev\`: 4 to update

- **update** folder \`LLM Observability (renamed)\`
  - title \`LLM Observability\` → \`LLM Observability (renamed)\`
- **update** datasource \`metrics\`
  - url \`http://127.0.0.1:9090\` → \`http://127.0.0.1:9091\`
- **update** dashboard \`svc - LLM Monitoring\`
  1. **\`Total Requests\`**: query A \`sum(up)\` → \`sum(x)\`
- **update** dashboard \`GenAI Observability\`
  1. **\`Total Requests\`**: query A \`sum(up)\` → \`sum(x)\`
`,
  ],
  [
    "preview-refresh-drift.json",
    `## Changes in stack \`dev\`: 1 to create, 1 to update

- **create** datasource \`logs\`: deleted outside of Pulumi, will be created again
- **update** dashboard \`svc - LLM Monitoring\`
  1. changed outside of Pulumi, will be reverted: **\`Edited\`**: title \`Total Requests\` → \`Edited\`
`,
  ],
  [
    "27-preview-refresh-parent-folder.json",
    `## Changes in stack \`dev\`: 1 to update

- **update** folder \`LLM Observability\`
  - changed outside of Pulumi, will be reverted: parentFolderUid \`team\` → (empty)
`,
  ],
  [
    "24c-preview-refresh-permission.json",
    `## Drift in stack \`dev\`: 1 resource; to restore: \`npx pulumi up --refresh --stack dev\`

- **drift** permissions of the folder \`llm-observability\`: changed outside of Pulumi
  - Viewer \`View\` → \`Edit\`
`,
    { drift: true, failOn: ["update"] },
    1,
  ],
  [
    "preview-changed.json",
    "No drift in stack `dev`.\n\n- Pulumi also counts 4 changes by the program or of secrets, which are not drift.\n",
    { drift: true },
  ],
  ["29b-preview-refresh-rule-group-unchanged.json", "No drift in stack `dev`.\n", { drift: true }],
])("recorded output of the engine: %s", (file, markdown, options, blocked = 0) => {
  expect(renderReport([parsePreview(recorded(file))], options)).toMatchObject({ markdown, blocked });
});

const [model, unknown] = [JSON.stringify({ title: "T" }), "04da6b54-80e4-46f7-96ec-b56ff0331ba9"];
const environment = (targets: string) => ({ environment: { secrets: "[secret]", LLM_OBSERVABILITY_CHECKS: targets } });
const load = "- **update** checks `it`: the checks will run; then load the rules: `npm run rules` writes them";
const unload = "the checks will run; unload the recording rules from the server that evaluates them: each minute would count twice";
const labeled = (service: string): Values => ({ rules: [{ for: "5m", labels: { service }, annotations: { summary: "x" } }] });
const rules = (version: string) => environment(`{"externalRules":"${version}"}`);
const [datasource, hidden] = ["grafana:oss/dataSource:DataSource", "  - changes that the preview does not show, such as a secret"];
const condition = (type: string, limit: number): Json => ({ evaluator: { params: [limit], type } });
const ruleWith = (...conditions: Json[]): Values => ({ rules: [{ datas: [{ refId: "C", model: JSON.stringify({ conditions }) }] }] });
/** Above 5 before. */
const ruleTo = (...after: Json[]) => ({ type: ruleGroupType, before: ruleWith(condition("gt", 5)), after: ruleWith(...after) });
const secrets = { url: "u", httpHeaders: "[secret]", secureJsonDataEncoded: "[secret]" };

it.each<[what: string, Parameters<typeof step>[0], lines: string[]]>([
  [
    "a new connection",
    { op: "create", type: connectionType, after: connection },
    ["- **create** connection `it`: will be registered at the service at `https://svc.example`"],
  ],
  [
    "another connection",
    { type: connectionType, before: connection, after: { ...connection, metricsUrl: "https://n.example" } },
    ["- **update** connection `it`", "  - metricsUrl `https://m.example` → `https://n.example`"],
  ],
  [
    "a deleted connection",
    { op: "delete", type: connectionType, before: connection },
    ["- **delete** connection `it`: removed from the state only; the service at `https://svc.example` keeps the connection"],
  ],
  ["a name with the separator of a URN", { op: "create", name: "a::b", after: {} }, ["- **create** dashboard `a::b`"]],
  [
    "another label of an alert",
    { type: ruleGroupType, before: labeled("a"), after: labeled("b") },
    ["- **update** alert rule `it`: new labels: a firing alert ends and begins again", "  - label service `a` → `b`"],
  ],
  ["new checks", { op: "create", type: checks, after: environment("1") }, ["- **create** checks `it`: the checks will run"]],
  ["other checks", { type: checks, before: environment("1"), after: environment("2") }, ["- **update** checks `it`: the checks will run"]],
  ["rules of another server", { type: checks, before: environment("{}"), after: rules("1") }, [load]],
  ["other rules there", { type: checks, before: rules("1"), after: rules("2") }, [load]],
  ["no rules there any more", { type: checks, before: rules("1"), after: environment("{}") }, [`- **update** checks \`it\`: ${unload}`]],
  [
    "a dashboard in another folder",
    { before: { configJson: model, folder: "a" }, after: { configJson: model, folder: "b" } },
    ["- **update** dashboard `T`", "  1. folder `a` → `b`"],
  ],
  [
    "an adopted dashboard",
    { before: { configJson: model, orgId: "1" }, after: { configJson: model, message: "Deployed", overwrite: false } },
    ["- **update** dashboard `T`", "  1. message set to `Deployed`", "  2. orgId removed, was `1`", "  3. overwrite set to false"],
  ],
  [
    "an unknown model",
    { before: { configJson: model }, after: { configJson: unknown } },
    ["- **update** dashboard `it`", '  1. configJson `{"title":"T"}` → known after the deployment'],
  ],
  [
    "what becomes a secret",
    { type: "a:b:C", before: { key: "x", data: '{"x":"x"}' }, after: { key: "[secret]", data: '{"x":"[secret]"}' } },
    ["- **update** C `it`", "  - data (secret) changed", "  - key (secret) changed"],
  ],
  [
    "a secret that the engine names",
    { type: datasource, before: secrets, after: { ...secrets, url: "v" }, more: { diffReasons: ["url", "httpHeaders"] } },
    ["- **update** datasource `it`", "  - url `u` → `v`", "  - httpHeaders (secret) changed"],
  ],
  [
    "no property that the preview shows, but one that is internal to a plugin",
    { type: "grafana:oss/folder:Folder", before: { title: "x" }, after: { title: "x" }, more: { diffReasons: ["__meta", "uid"] } },
    ["- **update** folder `x`", `${hidden}: uid`],
  ],
  ["another limit", ruleTo(condition("gt", 6)), ["- **update** alert rule `it`", "  - threshold 5 → 6"]],
  [
    "another comparison",
    ruleTo(condition("lt", 6)),
    ["- **update** alert rule `it`", '  - threshold 5 → `[{"evaluator":{"params":[6],"type":"lt"}}]`'],
  ],
  [
    "several conditions",
    ruleTo(condition("gt", 5), condition("lt", 9)),
    [
      "- **update** alert rule `it`",
      '  - threshold 5 → `[{"evaluator":{"params":[5],"type":"gt"}},{"evaluator":{"params":[9],"type":"lt…`',
    ],
  ],
  ["another secret", { type: "pulumi:providers:grafana", before: secrets, after: secrets }, ["- **update** provider `it`", hidden]],
])("lines of %s", (_what, options, lines) => {
  expect(linesOf([step(options)])).toEqual(lines);
});

const targets = { otlp: { endpoint: "https://o.example" }, applications: { instanceId: "1", contents: "show" }, onFailure: "warn" };

it.each([
  ["give applications the new `otlpDotenv` before you revoke the old token", { otlp: { endpoint: "https://n.example" } }],
  ["give applications the new `otlpDotenv` before you revoke the old token", { applications: { instanceId: "2", contents: "show" } }],
  ["if the OTLP token changed, give applications the new `otlpDotenv` before you revoke the old token", {}],
  ["applications send prompts until they get the new `otlpDotenv`", { applications: { instanceId: "1", contents: "hide" } }],
  ["a failed check now fails the deployment", { onFailure: "fail" }],
])("other checks: %s", (note, changed) => {
  const [before, after] = [targets, { ...targets, ...changed }].map((each) => environment(JSON.stringify(each)));
  expect(linesOf([step({ type: checks, before, after })])).toEqual([`- **update** checks \`it\`: the checks will run; ${note}`]);
});

it.each<[line: string, type: string, before: Values]>([
  ["dashboard `it`: its history and links to it end", "grafana:oss/dashboard:Dashboard", {}],
  ["alert rule `it`: firing and pending alerts end", ruleGroupType, labeled("a")],
  ["rule group `it`: its series stop, and the gap stays until it is filled", ruleGroupType, {}],
  ["access policy `p`: its tokens end: give applications the new `otlpDotenv`", "grafana:cloud/accessPolicy:AccessPolicy", { name: "p" }],
])("a deletion or a replacement: %s", (line, type, before) => {
  expect(linesOf([step({ op: "delete", type, before })])).toEqual([`- **delete** ${line}`]);
  expect(linesOf([step({ op: "replace", type, before, after: { ...before, x: 1 } })])[0]).toBe(`- **replace** ${line}`);
});

describe("resources", () => {
  it("a replacement of several steps is one line", () => {
    const [before, after] = [{ serviceUrl: "https://old.example" }, { serviceUrl: "https://new.example" }];
    const steps = ["create-replacement", "replace", "delete-replaced"].map((op) => step({ op, type: connectionType, before, after }));
    expect(report(preview(...steps))).toBe(`## Changes in stack \`dev\`: 1 to replace

- **replace** connection \`it\`: will be registered at the service at \`https://new.example\`; the service at \`https://old.example\` keeps the old connection
  - serviceUrl \`https://old.example\` → \`https://new.example\`
`);
  });

  it("a retained resource is kept and does not block", () => {
    const removed = step({ op: "delete", type: "grafana:oss/folder:Folder", before: { title: "LLM" } });
    const kept = preview({ ...removed, oldState: { ...removed.oldState, retainOnDelete: true } });
    expect(report(kept)).toContain("- **delete** folder `LLM`: removed from the state only; the resource is kept");
    expect(renderReport([parsePreview(kept)], { failOn: ["delete"] }).blocked).toBe(0);
    const replaced = step({ op: "replace", type: datasource, before: { x: 1 }, after: { x: 2 }, state: { retainOnDelete: true } });
    expect(linesOf([replaced])[0]).toBe("- **replace** datasource `it`: the former one stays in Grafana, and no stack manages it");
    expect(renderReport([parsePreview(preview(replaced))], { failOn: ["replace"] }).blocked).toBe(1);
  });

  it("options that save resources from deletion: one line for each change, also if nothing else changes", () => {
    const same = (name: string, old: object, current: object, type = "a:b:C") => {
      const each = step({ op: "same", name, type, before: {}, after: {} });
      return { ...each, oldState: { ...each.oldState, ...old }, newState: { ...each.newState, ...current } };
    };
    const [on, kept] = [{ protect: true }, { retainOnDelete: true }];
    const others = [same("f", on, { custom: false }), same("p", on, {}, "pulumi:providers:grafana"), same("o", on, on)];
    const off = preview(same("a", on, {}), same("b", { ...on, ...kept }, kept), ...others);
    const [title, ended] = ["## Changes in stack `dev`: only protection against deletion", "No longer protected against deletion"];
    expect(report(off)).toBe(`${title}\n\n- ${ended}: 2 resources.\n`);
    expect(report(off, { drift: true })).toBe("No drift in stack `dev`.\n");
    expect(linesOf([{ ...same("u", {}, kept), op: "update" }, same("a", {}, on), same("b", kept, {})]).slice(0, 4)).toEqual([
      "- From now on protected against deletion: 1 resource.",
      "- From now on kept in Grafana if they leave the stack: 1 resource.",
      "- No longer kept in Grafana if they leave the stack: 1 resource.",
      "- **update** C `u`",
    ]);
  });

  // The reasons are those of the genuine provider in the last three months of a token.
  it.each([
    [
      "its age",
      "readyForRotation",
      0,
      "- **replace** access policy token `p`: renewed because of its age; the former token is valid until its end: give applications the new one",
      ["- **drift** access policy token `p`: due for renewal: npx pulumi up"],
    ],
    [
      "another region",
      "region",
      1,
      "- **replace** access policy token `p`: give applications the new `otlpDotenv`",
      ["- **drift** access policy token `p`: changed outside of Pulumi"],
    ],
  ])("a token that is replaced because of %s", (_what, reason, blocked, line, drift) => {
    const [inputs, reasons] = [{ namePrefix: "p" }, { diffReasons: [reason], replaceReasons: [reason] }];
    const type = "grafana:cloud/accessPolicyRotatingToken:AccessPolicyRotatingToken";
    const token = { op: "replace", type, before: inputs, after: inputs, more: reasons };
    const steps = [...refreshed(token, inputs, inputs), step({ ...token, op: "create-replacement" })];
    const lines = linesOf(steps);
    expect([renderReport([parsePreview(preview(...steps))], { failOn: ["replace"] }).blocked, lines[0]]).toEqual([blocked, line]);
    expect(lines).toHaveLength(1 + blocked);
    expect(linesOf(steps, { drift: true }).filter((each) => each.startsWith("- **"))).toEqual(drift);
    expect(renderReport([parsePreview(preview(...steps))], { drift: true, failOn: ["replace", "update"] }).blocked).toBe(1);
  });

  it("what an earlier replacement left is deleted next to an update", () => {
    const folder = (title: string) => ({ type: "grafana:oss/folder:Folder", before: { title }, after: { title: "B" } });
    const leftover = step({ ...folder("old"), op: "delete-replaced", after: undefined });
    const note = ": deletes what an earlier replacement left";
    expect(linesOf([leftover, step(folder("A"))])).toEqual([`- **update** folder \`B\`${note}`, "  - title `A` → `B`"]);
    expect(linesOf([leftover, step({ ...folder("B"), op: "same" })])).toEqual([`- **delete** folder \`old\`${note}`]);
  });

  it("recording rules: a line for each changed query, as text", () => {
    const before = recordingRules({ "a:b": `max(last_over_time(a{b="c"}[3h]))`, "c:d": "b", "e:f": "a" });
    const after = recordingRules({ "a:b": `max(last_over_time(a{b="c"}[6h]))`, "c:d": "c", "e:f": "a" });
    expect(linesOf([step({ type: ruleGroupType, before, after })]).slice(1)).toEqual([
      '  - `rules[a:b].datas[A].model.expr` `max(last_over_time(a{b="c"}[` ~~`3h`~~ **`6h`** `]))`',
      "  - `rules[c:d].datas[A].model.expr` `b` → `c`",
    ]);
    // Another rule in the same place is no other version of it. A long path shows which rule, and what of it.
    const of = (name: string, query: string) =>
      recordingRules({ "a:b": "a", [`application:gen_ai_cached_tokens:increase1m ${name}`]: query });
    const firstLine = (before: Values, after: Values) => linesOf([step({ type: ruleGroupType, before, after })])[1];
    expect(firstLine(of("usage", "b"), of("agentgateway", "c"))).toBe(
      "  - rules `application:gen_ai_cached_tokens:increase1m usage` removed, `application:gen_ai_cached_tokens:increase1m agentgateway` added",
    );
    expect(firstLine(of("agentgateway", "b"), of("agentgateway", "c"))).toBe(
      "  - `rules[application:gen_ai_cached_tokens:i…ease1m agentgateway].datas[A].model.expr` `b` → `c`",
    );
  });

  it("a query of several lines: each changed line, with what surrounds the change and its end; a new line by its start and end", () => {
    const price = (usd: number, kind: string) => `label_replace(vector(${usd}), "gen_ai_token_type", "${kind}", "", "")`;
    const line = (model: string, output: number) => {
      return `label_replace(${[price(2.5, "input"), price(output, "output"), price(1, "cached")].join(" or ")}, "priced_as", "${model}", "", "")`;
    };
    const rules = (...lines: string[]) => recordingRules({ prices: lines.join("\nor ") });
    const before = rules(line("gpt-4", 30), line("gpt-4o", 10), line("o1", 60));
    const after = rules(line("gpt-4", 30), line("gpt-4o", 8), line("my-model", 2), line("o1", 60));
    expect(linesOf([step({ type: ruleGroupType, before, after: rules(line("gpt-4", 30), line("gpt-4o", 8), line("o1", 60)) })])[1]).toBe(
      '  - query `or label_replace(label_replace(vector(2.…input", "", "") or label_replace(vector(` ~~`10`~~ **`8`** ' +
        '`), "gen_ai_token_type", "output", "", ""… "", ""), "priced_as", "gpt-4o", "", "")`',
    );
    expect(linesOf([step({ type: ruleGroupType, before, after })])[1]).toMatch(/"priced_as", "my-model", "", ""\)`\*\*$/);
    const many = (usd: number) => rules(...[...Array(40).keys()].map((place) => line(`model-${place}`, place < 15 ? usd : 1)));
    expect(linesOf([step({ type: ruleGroupType, before: many(1), after: many(2) })])[1]).toMatch(
      /"model-11", "", ""\)` … and 3 more lines$/,
    );
  });

  it("an edit in Grafana and a change by the program are both reported", () => {
    const model = (title: string, unit: string): Json => ({
      title: "T",
      panels: [{ title, type: "stat", targets: [], fieldConfig: { defaults: { unit } } }],
    });
    const text = (title: string, unit: string) => ({ configJson: JSON.stringify(model(title, unit)) });
    const update = { before: text("A", "s"), after: text("A", "ms"), more: { diffReasons: ["configJson"] } };
    const [refresh, changed] = refreshed(update, text("A", "s"), text("Edited", "s"));
    expect(linesOf([refresh, changed]).slice(1)).toEqual([
      "  1. **`A`**: unit `s` → `ms`",
      "  2. changed outside of Pulumi, will be reverted: **`Edited`**: title `A` → `Edited`",
    ]);
    // An input that the program ignores has the refreshed value.
    const [stored, found, after] = [{ url: "u" }, { url: "u", isDefault: true }, { url: "v", isDefault: true }];
    const steps = refreshed({ type: datasource, before: found, after, more: { diffReasons: ["url"] } }, found, found);
    Object.assign(steps[0]?.oldState ?? {}, { inputs: stored });
    expect(linesOf(steps)).toEqual(["- **update** datasource `it`", "  - url `u` → `v`"]);
    // Without a refresh, outputs that differ from the inputs of the last deployment are not drift.
    expect(linesOf([changed]).slice(1)).toEqual(["  1. **`A`**: unit `s` → `ms`"]);
  });
});

const canary = "canary-2fb1";
const mark = "4dabf18193072939515e22adb298388d";
const wrapped = { [mark]: "1b47061264138c4ac30d75fd1eb44270", plaintext: `"${canary}"`, value: canary };
const types = ["a:b:C", connectionType, "grafana:oss/dashboard:Dashboard", checks];

it.each<[shape: string, inputs: Values, state?: { additionalSecretOutputs: string[] }]>([
  ["marked", { key: wrapped }],
  ["marked inside", { list: [{ key: wrapped }], more: { deep: [wrapped] } }],
  ["marked in JSON text", { text: JSON.stringify({ a: wrapped }), odd: `{"broken ${JSON.stringify(wrapped)}` }],
  ["marked in JSON text in JSON text", { text: JSON.stringify({ a: JSON.stringify({ b: wrapped }) }) }],
  ["known as secret outputs", { key: canary }, { additionalSecretOutputs: ["key"] }],
])("a secret that is %s: no value is shown", (_shape, inputs, state = { additionalSecretOutputs: [] }) => {
  const withOther = (text: string): Values => JSON.parse(text.replaceAll(canary, `${canary}-new`));
  const rotated = withOther(JSON.stringify(inputs));
  const unmarked = withOther(JSON.stringify(inputs).replaceAll(mark, "unmarked"));
  const pairs: [Values, Values][] = [[inputs, rotated]];
  if (state.additionalSecretOutputs.length === 0) pairs.push([inputs, unmarked], [unmarked, inputs]);
  for (const type of types) {
    for (const op of ["create", "update", "replace", "delete"]) {
      const changes = pairs.map(([before, after], place) => ({ op, type, name: `${place}`, before, after, state }));
      // With a refresh that returned the same values as outputs.
      const both = preview(...changes.flatMap((change) => refreshed(change, change.before, change.after)));
      const reports = [report(preview(...changes.map(step))), report(both), report(both, { drift: true })];
      expect(reports.join("\n")).not.toContain(canary);
    }
  }
});

it("alert rules with the same changes are one entry, which is counted and folded once", () => {
  const ruleOf = (contactPoint: string, limit: number): Values => {
    const model = JSON.stringify({ conditions: [condition("gt", limit)] });
    return { rules: [{ datas: [{ refId: "C", model }], notificationSettings: { contactPoint } }] };
  };
  const ruled = (name: string, after: Values) => step({ type: ruleGroupType, name, before: ruleOf("a", 5), after });
  const steps = [ruled("One", ruleOf("b", 5)), ruled("Two", ruleOf("b", 6)), ruled("Three", ruleOf("b", 5))];
  expect(linesOf(steps)).toEqual([
    "- **update** alert rule `One`, `Three`",
    "  - contact point `a` → `b`",
    "- **update** alert rule `Two`",
    "  - threshold 5 → 6",
    "  - contact point `a` → `b`",
  ]);
  const many = [...Array(16).keys()].map((place) => ruled(`Rule${place}`, ruleOf("b", 5)));
  const { markdown } = renderReport([parsePreview(preview(...many))]);
  expect(markdown).toMatch(
    /^## Changes in stack `dev`: 16 to update\n\n- \*\*update\*\* alert rule `Rule0`, (`Rule\d+`, ){14}`Rule15`\n {2}- /,
  );
  // A note says what only its own rules do; a rule that is created has no line to share.
  const labels = { type: ruleGroupType, before: labeled("a"), after: labeled("b") };
  const added = ["A", "B"].map((name) => step({ op: "create", type: ruleGroupType, name, after: labeled("a") }));
  expect(linesOf([step({ ...labels, name: "One" }), step({ ...labels, name: "Two" }), ...added])).toEqual([
    "- **create** alert rule `A`",
    "- **create** alert rule `B`",
    "- **update** alert rule `One`, `Two`: new labels: a firing alert ends and begins again",
    "  - label service `a` → `b`",
  ]);
  const folded = "<details><summary><code>alert rule Rule0</code> and 15 more: 1 change</summary>";
  expect(report(preview(...many, changed(16, "it")))).toContain(folded);
});

const changed = (panels: number, name: string) => dashboardStep(modelWith(panels, "a"), modelWith(panels, `b_${name}`), name);

it("15 changes are not folded, more are", () => {
  const some = (panels: number) => report(preview(changed(panels, "it")));
  expect(some(15)).not.toContain("<details>");
  expect(some(16)).toContain(
    "- **update** dashboard `T`: 16 changes below\n\n<details><summary><code>dashboard T</code>: 16 changes</summary>\n",
  );
});

it("a report that exceeds the limit is folded and cut: its summary is complete, with deletions and replacements first", () => {
  const long = { type: "a:b:C", before: { x: "" }, after: { x: ".".repeat(300) } };
  const operations = ["import", "create", "replace", "delete"].map((op) => step({ op, type: "a:b:C", name: op, before: {} }));
  const steps = [step({ ...long, name: "a" }), step({ ...long, name: "b" }), ...operations];
  const lines = renderReport([parsePreview(preview(...steps))], { limit: 400 }).markdown.split("\n");
  expect(lines[0]).toBe("## Changes in stack `dev`: 1 to delete, 1 to replace, 1 to create, 2 to update, 1 to import");
  const heads = ["- **delete** C `delete`", "- **replace** C `replace`", "- **create** C `create`", "- **update** C `a`: 1 change below"];
  expect(lines.slice(2, 6)).toEqual(heads);
  const previews = [parsePreview(preview(...["a", "b", "c", "d"].map((name) => changed(17, name))))];
  const { full } = renderReport(previews);
  const footer = "\nThe report is too long for a comment. All of it is in `there`.\n";
  for (let limit = 400; limit < full.length; limit += 97) {
    const { markdown } = renderReport(previews, { limit, fullReport: "`there`" });
    expect(markdown.length).toBeLessThanOrEqual(limit);
    expect(markdown.match(/^- \*\*update.*: 17 changes below$/gm)).toHaveLength(4);
    expect(markdown.endsWith(footer)).toBe(true);
    // Whole lists of changes, the first ones first.
    expect(markdown.split("<details>").length).toBe(markdown.split("</details>").length);
    expect(full.startsWith(markdown.slice(0, -footer.length).trim())).toBe(true);
  }
  expect(renderReport(previews, { limit: full.length }).markdown).toBe(full);
});

it.each([
  ["{", "the input is not JSON"],
  ["{}", "the input has neither steps nor diagnostics"],
  ["[]", "expected object"],
  ['{"steps":[{"op":1}]}', "steps"],
])("unreadable input: %s", (text, reason) => {
  expect(() => parsePreview(text)).toThrow(/^Cannot read the preview: /);
  expect(() => parsePreview(text)).toThrow(reason);
});

it("a failed preview: the report contains the errors and warnings", () => {
  const diagnostics = [
    { severity: "error", message: "<{%reset%}>The config has 1 problem:\n  metricsUrl```<{%reset%}>\n" },
    { severity: "warning", message: "warning: using pulumi-resource-grafana from $PATH" },
    { severity: "warning", message: "warning: Grafana cannot be reached\n" },
  ];
  expect(report(JSON.stringify({ diagnostics }))).toBe(
    "## Changes in the stack: the preview failed\n\nError:\n````text\nThe config has 1 problem:\n  metricsUrl```\n````\n\nWarning:\n```text\nGrafana cannot be reached\n```\n",
  );
  expect(report('{"steps":[]}')).toBe("No changes in the stack.\n");
});
