/** Each panel of both dashboards shows the expected values (truths.ts) on real servers, for several selections and time ranges. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { show, type View } from "../view/reading/show";
import { compare, expectNothing } from "./compare";
import { recordHistory } from "./history";
import { recordedWindow, SdkLedger, type Selection, ServiceLedger } from "./ledger";
import { modelA, modelB, modelRecorded, names, panelsOfA, panelsOfB, panelsRecorded } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { pushWorld } from "./telemetry/push";
import { createWorld, hour } from "./telemetry/world";
import { type Ledgers, truthsA, truthsB } from "./truths";
import { compareViews } from "./views";

const b = { truths: truthsB, truthsName: "truthsB", variables: ["application", "environment"] } as const;

const dashboards = [
  { name: "A", model: modelA, panels: panelsOfA, truths: truthsA, truthsName: "truthsA", variables: ["Application", "Environment"] },
  { name: "B", model: modelB, panels: panelsOfB, ...b },
  { name: "B, recorded", model: modelRecorded, panels: panelsRecorded, ...b },
] as const;

const allPanels = dashboards.flatMap((dashboard) =>
  [...dashboard.panels].map(([title, panel]) => ({ title, panel, key: `${dashboard.name}: ${title}`, ...dashboard })),
);

// A full hour, so that the same seed gives the same steps of graphs.
const now = Math.floor(Date.now() / hour) * hour;

const hms = (hours: number, minutes: number, seconds: number) => ((hours * 60 + minutes) * 60 + seconds) * 1000;

const ranges = {
  "last 24 h": { from: now - 24 * hour, to: now },
  "last 1 h": { from: now - hour, to: now },
  // Both ends are within a minute.
  "14:36:19 to 08:42:48 ago": { from: now - hms(14, 36, 19), to: now - hms(8, 42, 48) },
};

const selections: Record<string, Selection> = {
  All: { applications: [], environments: [] },
  "one application": { applications: ["shop"], environments: [] },
  "two applications, one environment": { applications: ["assistant", "docs+search.v2"], environments: ["production"] },
};

/** Selections that need one time range only. */
const moreSelections: Record<string, Selection> = {
  "an application without costs": { applications: ["docs+search.v2"], environments: [] },
  "one environment": { applications: [], environments: ["development"] },
  "an unknown application": { applications: ["unknown"], environments: [] },
};

const views = [
  ...Object.entries(selections).flatMap(([name, selected]) =>
    Object.entries(ranges).map(([range, window]) => ({ name: `${name}, ${range}`, window, selected })),
  ),
  ...Object.entries(moreSelections).map(([name, selected]) => ({ name: `${name}, last 24 h`, window: ranges["last 24 h"], selected })),
];

let servers: RunningServers;
let ledgers: Record<(typeof dashboards)[number]["name"], Ledgers>;

beforeAll(async () => {
  servers = await startServers();
}, 180_000);

afterAll(() => servers?.stop());

it("truths.ts has no entry without a panel", () => {
  const titles = new Set(allPanels.map(({ title, truthsName }) => `${truthsName}: ${title}`));
  const unused = dashboards.flatMap(({ truths, truthsName }) =>
    Object.keys(truths).filter((title) => !titles.has(`${truthsName}: ${title}`)),
  );
  expect(unused).toEqual([]);
});

describe("without telemetry", () => {
  it.each(allPanels)("$key says that there is none, where Grafana shows the text", async ({ panel, model }) => {
    const shown = await show(panel, model, { ...ranges["last 24 h"], selected: {} }, servers);
    expectNothing(shown, panel);
  });
});

describe("with known telemetry", () => {
  beforeAll(async () => {
    const world = createWorld(now, 20);
    await pushWorld(world, names, servers);
    const second = await recordHistory(servers, { from: now - 28 * hour, to: now });
    const direct = { service: new ServiceLedger(world), sdk: new SdkLedger(world) };
    const recorded = { ...direct, sdk: new SdkLedger(world, recordedWindow(second)) };
    ledgers = { A: direct, B: direct, "B, recorded": recorded };
  }, 180_000);

  // One test for all views of a panel: a changed query fails one test.
  it.each(allPanels)("$key shows the expected values", async ({ title, name: dashboard, panel, model, truths, truthsName, variables }) => {
    const truth = truths[title];
    if (!truth) expect.fail(`No expected values for this panel: add "${title}" to ${truthsName} in test/real-servers/truths.ts`);
    await compareViews(views, async ({ window, selected }) => {
      const view: View = {
        ...window,
        selected: { [variables[0]]: [...selected.applications], [variables[1]]: [...selected.environments] },
      };
      return compare(truth(ledgers[dashboard], window, selected), await show(panel, model, view, servers), panel, window);
    });
  });
});
