/**
 * Each panel of "GenAI Observability (OpenTelemetry)" shows the expected values (truths.ts) on real servers: read directly and recorded, for several selections
 * and time ranges.
 */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry-rules";
import { valuesOf } from "../../view/page/live/variables";
import { variablesOf } from "../../view/reading/panel";
import { show } from "../../view/reading/show";
import { recordHistory } from "../history";
import { type RunningServers, startServers } from "../servers";
import { hour } from "../telemetry/world";
import { compareViews } from "../views";
import { compare, expectNothing } from "./compare";
import type { Labels, Measure } from "./facts";
import { Ledger, type Selection } from "./ledger";
import { modes } from "./panels";
import { pushWorld } from "./push";
import { truths } from "./truths";
import { createWorld } from "./world";

const modeNames = ["direct", "recorded"] as const;
const titles = [...modes.direct.panels.keys()];
const allPanels = titles.flatMap((title) =>
  modeNames.map((mode) => {
    const { model, panels } = modes[mode];
    return { key: `${title}, ${mode}`, title, mode, model, panel: panels.get(title) as NonNullable<ReturnType<typeof panels.get>> };
  }),
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

const shared: Record<string, Selection> = {
  "an application with several SDKs": { application: ["shop"] },
  "two applications, one environment": { application: ["assistant", "shop"], environment: ["production"] },
  "a process that keeps its id over a restart": { application: ["assistant"] },
  "a name with signs of regular expressions": { application: ["docs+search.v2"] },
  "an unknown application": { application: ["unknown"] },
};
const selections: Record<(typeof modeNames)[number], Record<string, Selection>> = {
  direct: { ...shared, "two models": { model: ["gpt-4o", "claude-sonnet-4"] } },
  recorded: {
    ...shared,
    "no environment": { environment: ["(none)"] },
    "one provider, two models": { provider: ["openai"], model: ["gpt-4o", "gpt-4o-2024-08-06"] },
  },
};
const viewsOf = (mode: (typeof modeNames)[number]) => [
  ...Object.entries(ranges).map(([range, window]) => ({ name: `All, ${range}`, window, selected: {} as Selection })),
  ...Object.entries(selections[mode]).map(([name, selected]) => ({ name, window: ranges["last 6 h"], selected })),
];

let servers: RunningServers;
let ledgers: Record<(typeof modeNames)[number], Ledger>;

beforeAll(async () => {
  servers = await startServers();
}, 180_000);

afterAll(() => servers?.stop());

it("truths.ts has no entry without a panel", () => {
  expect(Object.keys(truths).filter((title) => !titles.includes(title))).toEqual([]);
});

describe("without telemetry", () => {
  it.each(allPanels)("$key says that there is none", async ({ panel, model }) => {
    expectNothing(await show(panel, model, { from: now - 24 * hour, to: now, selected: {} }, servers), panel);
  });
});

describe("with known telemetry", () => {
  beforeAll(async () => {
    const world = createWorld(now, Number(process.env.SEED ?? 20));
    await pushWorld(world, servers);
    const second = await recordHistory(servers, { from: now - 7 * hour, to: now }, openTelemetryRecordingRules("prometheus"));
    ledgers = { direct: new Ledger(world, "direct"), recorded: new Ledger(world, "recorded", second) };
  }, 180_000);

  it.each(modeNames)("the variables have the values of the calls, %s", async (mode) => {
    const window = ranges["last 6 h"];
    const all: Measure[] = ["requests", "agents", "tools", "mcp", "databases"];
    const valuesOfCalls = (label: keyof Labels) => {
      const measures: Measure[] = label === "application" || label === "environment" ? all : ["requests"];
      const names = new Set(measures.flatMap((measure) => [...ledgers[mode].increase(measure, window, {}, label).keys()]));
      // Directly, a missing label is no value.
      return [...names].filter((name) => mode === "recorded" || name !== "(none)").sort((left, right) => left.localeCompare(right));
    };
    const variables = variablesOf(modes[mode].model).filter(({ type }) => type === "query");
    expect(variables.map(({ name }) => name)).toEqual([
      "application",
      "environment",
      ...(mode === "recorded" ? ["provider"] : []),
      "model",
    ]);
    for (const variable of variables) {
      const listed = await valuesOf(variable, window, () => servers.prometheus);
      expect(listed, variable.name).toEqual(valuesOfCalls(variable.name as keyof Labels));
    }
  });

  // One test for all views of a panel: a changed query fails one test.
  it.each(allPanels)("$key shows the expected values", async ({ title, mode, panel, model }) => {
    const truth = truths[title];
    if (!truth) expect.fail(`No expected values for this panel: add "${title}" to truths in test/real-servers/otel/truths.ts`);
    await compareViews(viewsOf(mode), async ({ window, selected }) => {
      const values = Object.fromEntries(Object.entries(selected).map(([variable, values]) => [variable, [...values]]));
      const shown = await show(panel, model, { ...window, selected: values }, servers);
      return compare(truth(ledgers[mode], window, selected), shown, panel, window);
    });
  });
});
