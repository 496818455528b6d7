/** Each panel of all dashboards shows the expected values (truths) on real servers, for several selections and time ranges. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Choice, expand, pipe } from "../support/expand";
import { valuesOf } from "../view/page/live/variables";
import { queryTempo } from "../view/reading/client";
import { variablesOf } from "../view/reading/panel";
import { type Panel, QueryError, show } from "../view/reading/show";
import { compare, expectNothing } from "./compare";
import type { Labels, Measure } from "./facts";
import { recordedLedger, recordHistory } from "./history";
import { Ledger } from "./ledger";
import { type Dashboard, otel, rulesOf, sdkDashboards, serviceDashboard, spec } from "./panels";
import { servers, useServers } from "./set-up";
import { expectTruth, panelCases, shownOf } from "./shown";
import { json, otlpTraces, push, pushWorld } from "./telemetry/push";
import { untilFound } from "./telemetry/traces";
import { truths } from "./truths";
import { createWorld, hour } from "./world/world";

const dashboards = [serviceDashboard, ...Object.values(spec), otel];
const allPanels = panelCases(dashboards);
const countedByGateways = sdkDashboards("prometheus", { names: ["litellm"], countedBy: "gateways" }).otel;

// A full hour, so that the same seed gives the same steps of graphs.
const now = Math.floor(Date.now() / hour) * hour;
const lastDay = { from: now - 24 * hour, to: now };
const lastHour = { from: now - hour, to: now };

const ledgers = new Map<Dashboard, Ledger>();

useServers(180_000);

it("there are no expected values without a panel", () => {
  const titles = new Set(allPanels.map(({ dashboard, title }) => `${dashboard.name}: ${title}`));
  const expected = Object.entries(truths).flatMap(([name, panels]) => Object.keys(panels).map((title) => `${name}: ${title}`));
  expect(expected.filter((title) => !titles.has(title))).toEqual([]);
});

describe("without telemetry", () => {
  it.each(allPanels)("$key says that there is none", async (panelCase) => {
    expectNothing(await shownOf(panelCase, lastDay, {}, servers), panelCase.panel);
  });

  const ofSdks = panelCases([otel]).map((each) => ({ ...each, most: 740, one: 280, ofAll: 113 }));
  // Also the key of LiteLLM's spans is the application.
  const byGateways = panelCases([countedByGateways]).map((each) => {
    return { ...each, key: `${each.key}, by gateways`, most: 800, one: 140, ofAll: 65 };
  });

  // Tempo breaks some queries of more than 1,024 bytes, which it reads at a time. Without traces, it only parses.
  it.each([...ofSdks, ...byGateways].filter(({ panel }) => panel.datasource?.type === "tempo"))(
    "Tempo accepts $key with selections of any length up to $one bytes",
    async ({ dashboard: { model }, panel, most, one, ofAll }) => {
      const values = { application: "shop", environment: "prod", model: "gpt" };
      type Name = keyof typeof values;
      const names = Object.keys(values) as Name[];
      /** Grafana writes (prod|xxx). */
      const selection = (name: Name, length: number) =>
        length < 8 ? ["x".repeat(length)] : [values[name], "x".repeat(length - values[name].length - 3)];
      const query = (length: number, selected: readonly string[]) => {
        const choice = (name: string): Choice =>
          selected.includes(name) ? { values: selection(name as Name, length) } : { all: true, values: [] };
        const variables = variablesOf(model).filter(({ type }) => type === "query");
        return expand(panel.targets?.[0]?.query ?? "", variables, choice, pipe);
      };
      const upTo = (length: number, ...selected: Name[]) => Array.from({ length }, (_, index) => query(index + 1, selected));
      expect(query(0, []).length).toBeLessThanOrEqual(most);
      const all = [...names.flatMap((name) => upTo(one, name)), ...upTo(ofAll, ...names)];
      const pending = all.filter(({ length }, index) => length > 1000 || index % 20 === 0)[Symbol.iterator]();
      const parse = async () => {
        for (const each of pending) await queryTempo(servers.tempo, each, { from: 1_000_000, to: 1_060_000 }, {});
      };
      await Promise.all([parse(), parse(), parse(), parse()]);
    },
  );
});

describe("with known telemetry", () => {
  beforeAll(async () => {
    const world = createWorld(now, Number(process.env.SEED ?? 20));
    await pushWorld(world, servers);
    const exact = new Ledger(world);
    for (const dashboard of dashboards) ledgers.set(dashboard, exact);
    // With the first step of graphs. Today's SDKs send for seven hours.
    await recordHistory(servers, { from: now - 25 * hour, to: now }, { from: now - 8 * hour, to: now });
    for (const dashboard of [spec.rules, otel])
      ledgers.set(dashboard, await recordedLedger(world, servers.prometheus, rulesOf(dashboard), now));
  }, 300_000);

  // One test for all views of a panel: a changed query fails one test.
  it.each(allPanels)("$key shows the expected values", async (panelCase) => {
    await expectTruth(panelCase, now, ledgers.get(panelCase.dashboard) as Ledger, servers);
  });

  it("the variables have the values of the calls", async () => {
    const ledger = ledgers.get(otel) as Ledger;
    const ofProcesses: Measure[] = ["requests", "agents", "tools", "mcp", "databases"];
    const valuesOfCalls = (label: keyof Labels) => {
      const measures: Measure[] = label === "application" || label === "environment" ? ofProcesses : ["requests"];
      const names = new Set(measures.flatMap((measure) => [...ledger.increase(measure, lastDay, {}, label).keys()]));
      return [...names].sort((left, right) => left.localeCompare(right));
    };
    const variables = variablesOf(otel.model).filter(({ type }) => type === "query");
    expect(variables.map(({ name }) => name)).toContain("model");
    for (const variable of variables) {
      const listed = await valuesOf(variable, otel.model, { ...lastDay, selected: {} }, () => servers.prometheus);
      expect(listed, variable.name).toEqual(valuesOfCalls(variable.name as keyof Labels));
    }
  });

  it("the links of a row find its selected spans: all, and failed ones", async () => {
    const panelCase = panelCases([otel]).find(({ title }) => title === "By $by");
    for (const [by, selected] of [
      ["model", { environment: ["production"] }],
      ["provider", {}],
      ["application", { model: ["gpt-4o", "claude-sonnet-4"] }],
      ["environment", {}],
    ] as const) {
      const shown = await shownOf(panelCase as (typeof allPanels)[number], lastHour, { by: [by], ...selected }, servers);
      if (shown.kind !== "table") expect.fail(`No table by ${by}`);
      const [label = "", requests = "", errors = ""] = shown.columns;
      const calls = (ledgers.get(otel) as Ledger).spans("model", lastHour, selected, Number.POSITIVE_INFINITY);
      const nameOf = ({ process, model }: (typeof calls)[number]) =>
        ({ ...process, provider: model.provider, model: model.model })[by] as string | undefined;
      expect(shown.rows.length).toBeGreaterThan(0);
      for (const row of shown.rows.slice(0, 2)) {
        const name = row[label]?.text;
        const own = calls.filter((call) => nameOf(call) === name);
        for (const [column, wanted] of [
          [requests, own],
          [errors, own.filter(({ error }) => error)],
        ] as const) {
          const panes = JSON.parse(new URL(row[column]?.links[0] ?? "", "http://grafana").searchParams.get("panes") ?? "{}");
          const traces = await queryTempo(servers.tempo, panes.spans.queries[0].query, lastHour, { limit: 1000, spss: 100 });
          const found = traces.flatMap(({ spanSets = [] }) => spanSets.flatMap(({ spans = [] }) => spans));
          expect(found.length, `${column} of ${name}`).toBe(wanted.length);
        }
      }
    }
  });

  it("if gateways count, the application of LiteLLM's spans is the name of the key", async () => {
    const { panels, model } = countedByGateways;
    const at = BigInt(now - hour) * 1_000_000n;
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const attributes = [
      ...[text("gen_ai.operation.name", "chat"), text("gen_ai.request.model", "fast-model")],
      text("litellm.metadata.user_api_key_alias", "support-bot-key"),
    ];
    const span = { traceId: "abc".padStart(32, "0"), spanId: "abc".padStart(16, "0"), name: "chat fast-model", kind: 3, attributes };
    const spans = [{ ...span, startTimeUnixNano: `${at}`, endTimeUnixNano: `${at + 1_000_000_000n}` }];
    const resource = { attributes: [text("service.name", "litellm")] };
    await push(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }), otlpTraces(servers), json);
    await untilFound(servers, { query: '{ span.litellm.metadata.user_api_key_alias != "" }', ...lastDay }, 1);
    const shown = async (application: string) => {
      const view = { ...lastDay, selected: { application: [application] } };
      return show(panels.get("Newest Requests") as Panel, model, view, servers);
    };
    expect(await shown("support-bot-key")).toMatchObject({ rows: [{ Model: { text: "fast-model" } }] });
    expect((await shown("another-key")).kind).toBe("nothing");
  });

  // Grafana escapes a double quote in Prometheus' panels only, and only with a feature toggle.
  it.each([
    ['say "hi"', {}, ["prometheus", "loki"]],
    ['say "hi"', { specialCharacters: true }, ["loki"]],
    ["two\nlines", {}, ["prometheus", "loki"]],
    ["tick`tock", {}, ["tempo"]],
  ] as const)("panels with %j selected and %j are errors of %j, or right", async (application, more, failing) => {
    const selected = { application: [application] };
    for (const { dashboard, title, panel } of allPanels.filter(({ dashboard }) => [serviceDashboard, spec.samples].includes(dashboard))) {
      const shown = shownOf({ panel, dashboard }, lastDay, selected, servers, more);
      const isFailing = (failing as readonly string[]).includes(panel.targets?.[0]?.datasource.type ?? "");
      if (isFailing) await expect(shown, title).rejects.toThrow(QueryError);
      else
        compare(truths[dashboard.name][title]?.(ledgers.get(dashboard) as Ledger, lastDay, selected) as never, await shown, panel, lastDay);
    }
  });
});
