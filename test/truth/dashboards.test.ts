/** Each panel of both dashboards shows the truth, on real servers, for several picks and windows of time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { genaiObservability } from "../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../src/dashboards/llm-monitoring";
import { panelsOf } from "../unit/dashboards/models";
import { panelsA, panelsB } from "../unit/dashboards/spec";
import { compare, type Finding } from "./compare";
import { type Panel, show, type View } from "./grafana/show";
import { type Picked, SdkLedger, ServiceLedger } from "./ledger";
import { type RunningServers, startServers } from "./servers";
import { pushWorld } from "./telemetry/push";
import { createWorld, hour } from "./telemetry/world";
import { type Ledgers, type PanelTruth, truthsA, truthsB } from "./truths";

const names = { service: "llmobs", sdkName: "openlit" };
const links = {
  documentationUrl: "https://docs.example.com/",
  communityUrl: "https://example.com/",
  repositoryUrl: "https://git.example.com/",
};
const modelA = llmMonitoring({ service: names.service, prometheusUid: "prometheus", lokiUid: "loki", ...links });
const modelB = genaiObservability({ uid: "genai", sdkName: names.sdkName, prometheusUid: "prometheus", tempoUid: "tempo" });

/** Panels without a title are told by their row's. */
function titled(panels: { title?: string | undefined; type: string }[]): string[] {
  let row = "";
  return panels.map(({ title, type }) => {
    if (type === "row") row = title ?? "";
    return title || `${row}, ${type}`;
  });
}

const cases = [
  { model: modelA, truths: truthsA, spec: panelsA, variables: ["Application", "Environment"] as const },
  { model: modelB, truths: truthsB, spec: panelsB, variables: ["application", "environment"] as const },
].map((each) => {
  const titles = titled(panelsOf(each.model));
  return { ...each, panels: new Map((panelsOf(each.model) as unknown as Panel[]).map((panel, place) => [titles[place] as string, panel])) };
});

// A whole hour, so that the same seed gives the same steps of graphs.
const now = Math.floor(Date.now() / hour) * hour;

const windows = {
  "last 24 h": { from: now - 24 * hour, to: now },
  "last 1 h": { from: now - hour, to: now },
  "15 to 9 h ago": { from: now - 15 * hour, to: now - 9 * hour },
};

const picks: Record<string, Picked> = {
  All: { applications: [], environments: [] },
  "one application": { applications: ["shop"], environments: [] },
  "two applications, one environment": { applications: ["assistant", "docs+search.v2"], environments: ["production"] },
};

/** Fewer combinations for what needs no more. */
const others: Record<string, Picked> = {
  "an application without costs": { applications: ["docs+search.v2"], environments: [] },
  "one environment": { applications: [], environments: ["development"] },
  "one application that is not there": { applications: ["nobody"], environments: [] },
};

const views = [
  ...Object.keys(picks).flatMap((pick) => Object.keys(windows).map((window) => [pick, window] as const)),
  ...Object.keys(others).map((pick) => [pick, "last 24 h"] as const),
];

let servers: RunningServers;
let ledgers: Ledgers;
const findings = new Map<string, Map<string, Finding>>();

beforeAll(async () => {
  servers = await startServers();
}, 180_000);

afterAll(() => servers?.stop());

describe("the list of truths", () => {
  it.each(cases)("has each panel of the spec's table and no other, once", ({ truths, spec, panels }) => {
    const wanted = titled(spec).filter((_, place) => spec[place]?.type !== "row");
    expect(Object.keys(truths)).toEqual(wanted);
    expect(new Set(wanted).size).toBe(wanted.length);
    expect([...panels].filter(([, { type }]) => type !== "row").map(([title]) => title)).toEqual(expect.arrayContaining(wanted));
    expect([...panels].filter(([, { type }]) => type !== "row")).toHaveLength(wanted.length);
  });

  it("has 33", () => {
    expect(cases.flatMap(({ truths }) => Object.keys(truths))).toHaveLength(33);
  });
});

describe("an empty platform", () => {
  it.each(eachPanel())("%s says what to check", async (title, { model, panels }) => {
    const shown = await show(panelOf(panels, title), model, { ...windows["last 24 h"], picked: {} }, servers);
    expect(shown).toEqual({ kind: "nothing", text: expect.stringMatching(/^No data: check that /) });
  });
});

describe("known telemetry", () => {
  beforeAll(async () => {
    const world = createWorld(now, 20);
    ledgers = { service: new ServiceLedger(world), sdk: new SdkLedger(world) };
    await pushWorld(world, names, servers);
  }, 180_000);

  describe.each(views)("%s, %s", (pick, window) => {
    it.each(eachPanel())("%s", async (title, { model, panels, variables, truth }) => {
      const { from, to } = windows[window as keyof typeof windows];
      const picked = { ...picks, ...others }[pick] as Picked;
      const view: View = { from, to, picked: { [variables[0]]: [...picked.applications], [variables[1]]: [...picked.environments] } };
      const panel = panelOf(panels, title);
      const shown = await show(panel, model, view, servers);
      const finding = compare(truth(ledgers, { from, to }, picked), shown, panel, { from, to });
      findings.set(title, (findings.get(title) ?? new Map()).set(`${pick}, ${window}`, finding));
    });
  });

  it("was compared with each panel in each view, and no panel was empty for all of it", () => {
    expect([...findings].map(([title, { size }]) => [title, size])).toEqual(eachPanel().map(([title]) => [title, views.length]));
    expect([...findings].filter(([, views]) => views.get("All, last 24 h")?.truth === "nothing")).toEqual([]);
  });
});

function eachPanel() {
  return cases.flatMap((each) => Object.entries(each.truths).map(([title, truth]) => [title, { ...each, truth }] as const));
}

function panelOf(panels: Map<string, Panel>, title: string): Panel {
  const panel = panels.get(title);
  if (!panel) throw new Error(`There is no panel "${title}"`);
  return panel;
}
