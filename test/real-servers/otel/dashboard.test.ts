/** Each panel of "GenAI Observability (OpenTelemetry)" shows the expected values (truths.ts) on real servers, for several selections and time ranges. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry";
import { valuesOf } from "../../../src/view/page/live/variables";
import { type Variable, variablesOf } from "../../../src/view/reading/panel";
import { show } from "../../../src/view/reading/show";
import { expectTable } from "../../support/readme";
import type { Finding } from "../compare";
import { findingsIn } from "../findings";
import { recordHistory } from "../history";
import { recordedWindow } from "../ledger";
import { type RunningServers, startServers } from "../servers";
import { hour } from "../telemetry/world";
import { compare, expectNothing } from "./compare";
import type { Labels, Measure } from "./facts";
import { Ledger, type Selection } from "./ledger";
import { modelExact, modelRecorded, panelsExact, panelsRecorded } from "./panels";
import { pushWorld } from "./push";
import { truths } from "./truths";
import { createWorld } from "./world";

const modes = [
  { mode: "exact", model: modelExact, panels: panelsExact },
  { mode: "recorded", model: modelRecorded, panels: panelsRecorded },
] as const;

const allPanels = modes.flatMap(({ mode, model, panels }) =>
  [...panels].map(([title, panel]) => ({ key: mode === "exact" ? title : `${title}, recorded`, mode, model, title, panel })),
);

// A full hour, so that the same seed gives the same steps of graphs.
const now = Math.floor(Date.now() / hour) * hour;

const hms = (hours: number, minutes: number, seconds: number) => ((hours * 60 + minutes) * 60 + seconds) * 1000;

const ranges = {
  "last 6 h": { from: now - 6 * hour, to: now },
  "last 1 h": { from: now - hour, to: now },
  // Both ends are within a minute.
  "5:14:19 to 2:42:48 ago": { from: now - hms(5, 14, 19), to: now - hms(2, 42, 48) },
};

const all = Object.entries(ranges).map(([range, window]) => ({ name: `All, ${range}`, window, selected: {} as Selection }));
const selections: Record<string, Selection> = {
  "an application with three SDKs' processes": { application: ["shop"] },
  "two applications, one environment": { application: ["assistant", "docs+search.v2"], environment: ["production"] },
  "no environment": { environment: ["(none)"] },
  "one provider, two models": { provider: ["openai"], model: ["gpt-4o", "gpt-4o-2024-08-06"] },
  "an unknown application": { application: ["unknown"] },
};
const views = [
  ...all,
  ...Object.entries(selections).map(([name, selected]) => ({ name: `${name}, last 6 h`, window: ranges["last 6 h"], selected })),
];

/** The view in the README's table. */
const tableView = "All, last 6 h";

let servers: RunningServers;
let ledgers: Record<"exact" | "recorded", Ledger>;
/** Findings of panels that show the expected values, by panel and view. */
const findings = new Map<string, Map<string, Finding>>();

beforeAll(async () => {
  servers = await startServers();
}, 180_000);

afterAll(() => servers?.stop());

it("truths.ts has no entry without a panel", () => {
  expect(Object.keys(truths).filter((title) => !panelsExact.has(title))).toEqual([]);
});

it("each panel with counters reads recorded ones if they are recorded", () => {
  const metrics = [...panelsExact].filter(([, { targets = [] }]) => targets.some(({ datasource }) => datasource.type === "prometheus"));
  expect([...panelsRecorded.keys()]).toEqual(metrics.map(([title]) => title));
});

describe("without telemetry", () => {
  it.each(allPanels)("$key says that there is none", async ({ panel, model }) => {
    const shown = await show(panel, model, { ...ranges["last 6 h"], selected: {} }, servers);
    expectNothing(shown, panel);
  });
});

describe("with known telemetry", () => {
  beforeAll(async () => {
    const world = createWorld(now, 20);
    await pushWorld(world, servers);
    const second = await recordHistory(servers, { from: now - 7 * hour, to: now }, openTelemetryRecordingRules());
    ledgers = { exact: new Ledger(world), recorded: new Ledger(world, recordedWindow(second)) };
  }, 180_000);

  it.each(modes)("the variables have the values of the calls, $mode", async ({ mode, model }) => {
    const window = ranges["last 6 h"];
    const names = (measures: readonly Measure[], label: keyof Labels) =>
      [...new Set(measures.flatMap((measure) => [...ledgers[mode].increase(measure, window, {}, label).keys()]))].sort((left, right) =>
        left.localeCompare(right),
      );
    const listed = async (name: string) => {
      const variable = variablesOf(model).find((each) => each.name === name) as Variable;
      return valuesOf(variable, window, () => servers.prometheus);
    };
    for (const name of ["application", "environment"] as const) {
      expect(await listed(name), name).toEqual(names(["requests", "agents", "tools", "mcp", "databases"], name));
    }
    for (const name of ["provider", "model"] as const) expect(await listed(name), name).toEqual(names(["requests"], name));
  });

  // One test for all views of a panel: a changed query fails one test.
  it.each(allPanels)("$key shows the expected values", async ({ key, title, mode, panel, model }) => {
    const truth = truths[title];
    if (!truth) expect.fail(`No expected values for this panel: add "${title}" to truths in test/real-servers/otel/truths.ts`);
    // Graphs of exact increases take long; other panels with the same measures have the selections.
    const graphViews = mode === "exact" && panel.type === "timeseries" ? views.slice(0, all.length) : views;
    const found = await findingsIn(graphViews, tableView, async ({ window, selected }) => {
      const view = {
        ...window,
        selected: Object.fromEntries(Object.entries(selected).map(([variable, values]) => [variable, [...values]])),
      };
      return compare(truth(ledgers[mode], window, selected), await show(panel, model, view, servers), panel, window);
    });
    findings.set(key, found);
  });

  // The same seed gives the same table.
  it("the README has the table of these values", async ({ skip }) => {
    if (findings.size < allPanels.length) skip("a panel failed");
    await expectTable("truth-otel", truthTable(), "test:truth", "test/real-servers/README.md");
  });
});

function truthTable(): string {
  const rows = allPanels.map(({ key }) => {
    const found = findings.get(key) as Map<string, Finding>;
    const { truth, shown } = found.get(tableView) as Finding;
    return `| ${key} | ${truth} | ${shown} |`;
  });
  return ["| Panel | Expected | Shown |", "|---|---|---|", ...rows].join("\n");
}
