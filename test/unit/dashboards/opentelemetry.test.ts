/**
 * "GenAI Observability (OpenTelemetry)": its variables, what counts as a request, links, and how spans are shown. Its panels are in panels.test.ts. That queries
 * filter by what is selected, what they count, and what empty panels say, real servers show: test/truth.
 */
import { describe, expect, it } from "vitest";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { exampleC, forAnyC, type Panel, panelsOf, targetsOf, variablesOf } from "../../support/models";
import { PromQL, passes, TraceQL } from "./queries";

/** The variables that select, which are the labels of recorded series. */
const variables = ["application", "environment", "provider", "model"];

const panelOf = (id: number) => panelsOf(exampleC).find((panel) => panel.id === id) as Panel;

/** What a panel sets for a column. */
const settingsOf = (id: number, column: string) =>
  panelOf(id).fieldConfig?.overrides.find(({ matcher }) => matcher.options === column)?.properties ?? [];
const settingOf = (id: number, column: string, setting: string) => settingsOf(id, column).find((each) => each.id === setting)?.value;

const filter = (label: string) => ({ label, op: "=~", value: `$${label}` });

it("has variables of the labels that panels select. All is any value, and the values are those of the series that panels read", () => {
  forAnyC((model, { uid, uids }) => {
    expect(model).toMatchObject({ title: "GenAI Observability (OpenTelemetry)", uid, schemaVersion: 39, editable: true });
    const [traces, metrics, ...all] = variablesOf(model);
    const [others, [by, slow]] = [all.slice(0, 4), all.slice(4)];
    expect(traces).toMatchObject({ name: "traceDatasource", query: "tempo", current: { value: uids.tempo } });
    expect(metrics).toMatchObject({ name: "metricsDatasource", query: "prometheus", current: { value: uids.prometheus } });
    expect(others.map(({ name }) => name)).toEqual(["environment", "application", "provider", "model"]);
    expect(by).toMatchObject({
      type: "custom",
      name: "by",
      query: "Model : model,Provider : provider,Application : application,Environment : environment",
    });
    expect(slow).toMatchObject({ type: "custom", name: "slow", current: { value: "30s" } });
    for (const variable of others) {
      const any = { includeAll: true, allValue: ".*", current: { value: ["$__all"] } };
      expect(variable).toMatchObject({ type: "query", multi: true, refresh: 2, ...any });
      const [, selector = "", label] = /^label_values\((.*), (.*)\)$/.exec(String(variable.query)) ?? [];
      expect(label).toBe(variable.name);
      expect(new PromQL(selector).errors).toEqual([]);
      expect(selector).toContain("application:gen_ai_requests_count:increase1m");
      // The applications of the environments, the models of the providers.
      const before = others.slice(0, others.indexOf(variable)).map(({ name }) => filter(name));
      expect(new PromQL(selector).selectors()[0]?.matchers.slice(1)).toEqual(before);
    }
  });
});

// Steps of agents contain requests that are counted themselves. Names are those of OpenLIT, Envoy AI Gateway, Spring AI, LangChain4j, kagent and the conventions.
it.each([
  [
    true,
    "chat,text_completion,generate_content,embeddings,generateText,streamText,image,audio,messages,responses,completion,embedding,rerank",
  ],
  [true, "image_generation,speech_to_text,moderation,tomorrow"],
  [false, "create_agent,invoke_agent,invoke_workflow,execute_tool,retrieval,search_memory,plan,framework,vectordb,task"],
])("a request to a model is %s for the operations %s: in recording rules, and in the table", (isRequest, operations) => {
  const rules = openTelemetryRecordingRules("prometheus").filter(({ name }) => /gen_ai_(requests|tokens)/.test(name));
  const matchers = rules.flatMap(({ query }) => new PromQL(query).selectors().flatMap((selector) => selector.matchers));
  const filters = [
    ...matchers.filter(({ label, op }) => label === "gen_ai_operation_name" && op !== "="),
    // The first condition is that on the span above.
    new TraceQL(targetsOf(exampleC, "tempo")[0]?.target.query ?? "").conditions()[1],
  ];
  expect(filters.length).toBeGreaterThan(10);
  for (const operation of operations.split(","))
    for (const filter of filters) expect([operation, filter && passes(filter, operation)]).toEqual([operation, isRequest]);
});

it("an error rate of 0 is no green number: some SDKs measure only successful requests", () => {
  const { fieldConfig, description } = panelOf(3);
  expect(JSON.stringify(fieldConfig?.defaults)).toMatch(/"0":\{"color":"gray",[^}]*"text":"None measured"/);
  expect(description).toMatch(/None measured can mean/);
});

it("the course of a number is its query for each interval; a share needs more than a few requests there", () => {
  for (const id of [2, 3, 4, 39, 5]) {
    const { targets: [number, course] = [] } = panelOf(id);
    expect(course?.expr).toBe(number?.expr?.replaceAll("$__range", "$__interval").replace(/> 0\)$/, "> 9.5)"));
  }
});

it("a click on a name selects it, and keeps what else is selected", () => {
  for (const label of variables) {
    const [{ url }] = settingOf(40, label, "links") as [{ url: string }];
    const others = ["traceDatasource", "metricsDatasource", "by", "slow", ...variables.filter((other) => other !== label)];
    expect(url).toMatch(/^\/d\/genai-otel\?\$\{__url_time_range\}&/);
    for (const other of others) expect(url).toContain(`\${${other}:queryparam}`);
    expect(url).toContain(`&var-${label}=\${__value.text:percentencode}`);
  }
});

it("links to Explore name the row or the series, and have no sign that Grafana's decoding of addresses would break", () => {
  const linksOf = ({ fieldConfig }: Panel) =>
    (fieldConfig?.overrides ?? []).flatMap(({ matcher, properties }) =>
      properties.flatMap(({ id, value }) => (id === "links" ? (value as { url: string }[]).map(({ url }) => ({ matcher, url })) : [])),
    );
  for (const [ids, name, to] of [
    [[9, 41, 10, 13, 11], "${__field.displayName:percentencode}", "${__value.time}"],
    [[40], "${__data.fields[0].text:percentencode}", "${__to}"],
  ] as const)
    for (const id of ids) {
      const links = linksOf(panelOf(id)).filter(({ url }) => url.startsWith("/explore?"));
      expect(links.length, `${id}`).toBeGreaterThan(0);
      for (const { url } of links) {
        const panes = decodeURIComponent(url.slice(url.indexOf("panes=") + 6));
        expect(panes).toContain(`span.gen_ai.request.model = \`${name}\``);
        expect(panes).toContain(`"range":{"from":"\${__from}","to":"${to}"}`);
        expect(panes).not.toMatch(/[&#%+]/);
      }
    }
});

const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const call = { role: "assistant", parts: [{ type: "tool_call", name: "write_file", arguments: { path: "a", content: "roses are red" } }] };

describe("trace queries", () => {
  it.each([
    [
      "the last one of the user",
      [text("system", "Be kind."), text("user", "Hi"), text("assistant", "Hello."), text("user", "Where?")],
      "Where?",
    ],
    [
      "no argument of a tool",
      [text("user", "Write a poem"), call, { role: "tool", parts: [{ type: "tool_call_response", result: "ok" }] }],
      "Write a poem",
    ],
    ["the content first", [{ role: "user", parts: [{ content: 'Say "yes"', type: "text" }], finish_reason: "stop" }], 'Say \\"yes\\"'],
    ["a text that is no JSON", "Where is [it]?", "Where is [it]?"],
    ["of a text that Tempo cut: as far as it goes", JSON.stringify([text("user", "one two three")]).slice(0, -9), "one two t …"],
    ["of one that ends before the user", JSON.stringify([text("system", "long ".repeat(9))]).slice(0, 60), "… (cut by Tempo)"],
    // The last line ends, too, which shows nothing.
    [
      "in lines, without those of others, and with a path as it is",
      [text("system", "Be\nkind."), text("user", 'Open "C:\\new":\n\n- one\n- two'), text("assistant", "I\ndo.")],
      'Open \\"C:\\\\new\\":\n- one\n- two\n',
    ],
    ["in the lines that Tempo left", JSON.stringify([text("user", "one\ntwo\nthree")]).slice(0, -7), "one\ntwo\nthr\n"],
    ["of lines before the user only", [text("system", "Be\nkind.\nAlways.")], JSON.stringify([text("system", "Be\nkind.\nAlways.")])],
  ])("the prompt is %s", (_which, messages, wanted) => {
    const prompt = typeof messages === "string" ? messages : JSON.stringify(messages);
    type Mapping = { options: { pattern: string; result: { text: string } } };
    const mappings = settingOf(34, "gen_ai.input.messages", "mappings") as Mapping[];
    // As Grafana: the first pattern that matches.
    const found = mappings
      .map(({ options: { pattern, result } }) => {
        const [, source = "", flags] = /^\/(.*)\/(g?)$/.exec(pattern) ?? [];
        return { result, regex: new RegExp(source, flags) };
      })
      .find(({ regex }) => prompt.match(regex));
    expect(found ? prompt.replace(found.regex, found.result.text) : prompt).toBe(wanted);
  });

  it("mark failed spans, and link each span", () => {
    for (const id of [43, 34, 36]) {
      expect(JSON.stringify(settingsOf(id, "status"))).toMatch(/"error":\{"color":"red".*"text":"failed"/);
      expect(settingsOf(id, "Span ID")).toContainEqual({ id: "displayName", value: "Trace" });
    }
  });
});
