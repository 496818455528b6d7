/** Each panel of both dashboards shows the truth, on real servers, for several picks and windows of time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectTable } from "../support/readme";
import { panelsA, panelsB } from "../support/spec";
import { compare, type Finding } from "./compare";
import { type Panel, show, type View } from "./grafana/show";
import { type Picked, SdkLedger, ServiceLedger } from "./ledger";
import { modelA, modelB, names, panelsOfA, panelsOfB, titlesOf } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { pushWorld } from "./telemetry/push";
import { createWorld, hour } from "./telemetry/world";
import { type Ledgers, truthsA, truthsB } from "./truths";

const cases = [
  { model: modelA, panels: panelsOfA, truths: truthsA, spec: panelsA, variables: ["Application", "Environment"] },
  { model: modelB, panels: panelsOfB, truths: truthsB, spec: panelsB, variables: ["application", "environment"] },
] as const;

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

/** The view that the README shows. */
const shownView = "All, last 24 h";

let servers: RunningServers;
let ledgers: Ledgers;
const findings = new Map<string, Map<string, Finding>>();

beforeAll(async () => {
  servers = await startServers();
}, 180_000);

afterAll(() => servers?.stop());

describe("the list of truths", () => {
  it.each(cases)("has each panel of the spec's table and no other, once", ({ truths, spec, panels }) => {
    const wanted = titlesOf(spec);
    expect(Object.keys(truths)).toEqual(wanted);
    expect(new Set(wanted).size).toBe(wanted.length);
    expect([...panels.keys()].sort()).toEqual([...wanted].sort());
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
    expect([...findings].filter(([, views]) => views.get(shownView)?.truth === "nothing")).toEqual([]);
  });

  // The same seed gives the same table.
  it("is the README's table", () => expectTable("truth", truthTable(), "test:truth"));
});

/** What was found, for the README: of one view, with the largest deviation of all views. */
function truthTable(): string {
  const rows = cases.flatMap(({ truths, model }) =>
    Object.keys(truths).map((title) => {
      const views = findings.get(title);
      const finding = views?.get(shownView);
      if (!views || !finding) throw new Error(`The panel "${title}" was not compared in the view ${shownView}`);
      const { truth, shown } = finding;
      const largest = Math.max(...[...views.values()].map(({ deviation }) => deviation));
      const deviation = largest === 0 ? "none" : `${(largest * 100).toPrecision(1)} %`;
      return `| ${model === modelA ? "A" : "B"} | ${title} | ${truth} | ${shown} | ${deviation} |`;
    }),
  );
  return ["| | Panel | Truth | Shown | Largest deviation |", "|---|---|---|---|---|", ...rows].join("\n");
}

function eachPanel() {
  return cases.flatMap((each) => Object.entries(each.truths).map(([title, truth]) => [title, { ...each, truth }] as const));
}

function panelOf(panels: Map<string, Panel>, title: string): Panel {
  const panel = panels.get(title);
  if (!panel) throw new Error(`There is no panel "${title}"`);
  return panel;
}
