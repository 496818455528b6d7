/** Names with signs that mean something in queries: what panels show with All, with such a name selected, and with a model named like a missing one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DashboardModel } from "../../src/dashboards/normalize";
import { type Panel, QueryError, type Shown, show, type View } from "../view/reading/show";
import { compare } from "./compare";
import { SdkLedger, type Selection, ServiceLedger } from "./ledger";
import { modelA, modelB, names, panelsOfA, panelsOfB } from "./panels";
import { type RunningServers, startServers } from "./servers";
import { databaseOperations, operations } from "./telemetry/operations";
import type { Program } from "./telemetry/programs";
import { Feed, pushWorld } from "./telemetry/push";
import { createWorld, hour } from "./telemetry/world";
import { truthsA, truthsB } from "./truths";

const quote = 'say "hi"';
const backslash = "back\\slash";
const lineBreak = "two\nlines";
const backtick = "tick`tock";

const now = Math.floor(Date.now() / hour) * hour;

const program = (application: string, part: Partial<Program> = {}): Program => ({
  application,
  environment: "test",
  instance: application.replace(/\W/g, "-"),
  runs: [-0.9, 0.5],
  callsPerHour: 100,
  operations: [operations.gpt4o],
  databases: [databaseOperations.chromaQuery],
  ...part,
});

const world = createWorld(
  now,
  3,
  [quote, backslash, lineBreak, backtick].map((application) => program(application)),
);
const ledgers = { service: new ServiceLedger(world), sdk: new SdkLedger(world) };
const lastHour = { from: now - hour, to: now };

interface Shows {
  title: string;
  panel: Panel;
  model: DashboardModel;
  truth: (typeof truthsA)[string];
  variable: string;
  datasource: string;
}

const panels: Shows[] = [
  { model: modelA, panels: panelsOfA, truths: truthsA, variable: "Application" },
  { model: modelB, panels: panelsOfB, truths: truthsB, variable: "application" },
].flatMap(({ panels, truths, ...dashboard }) =>
  [...panels].map(([title, panel]) => ({
    title,
    panel,
    truth: truths[title] as Shows["truth"],
    datasource: panel.targets?.[0]?.datasource.type ?? "",
    ...dashboard,
  })),
);

let servers: RunningServers;

beforeAll(async () => {
  servers = await startServers();
  await pushWorld(world, names, servers);
}, 180_000);

afterAll(() => servers?.stop());

/** Compares the panel with its expected values. */
async function expectValues({ panel, model, truth, variable }: Shows, applications: string[], more: Partial<View> = {}): Promise<void> {
  const selected: Selection = { applications, environments: [] };
  const shown = await show(panel, model, { ...lastHour, selected: { [variable]: applications }, ...more }, servers);
  compare(truth(ledgers, lastHour, selected), shown, panel, lastHour);
}

it.each(panels)("$title shows all names with All", async (panel) => {
  await expectValues(panel, []);
});

const special = { specialCharacters: true };

// Grafana escapes a backslash in each datasource, a double quote in Prometheus' only, and only with a feature toggle.
describe.each<[name: string, application: string, more: Partial<View>, failing: string[]]>([
  ["a backslash", backslash, {}, []],
  ["a double quote", quote, {}, ["prometheus", "loki"]],
  ["a double quote, with Grafana's feature toggle", quote, special, ["loki"]],
  ["a line break", lineBreak, {}, ["prometheus", "loki"]],
  ["a backtick", backtick, {}, ["tempo"]],
])("a selected name with %s", (_name, application, more, failing) => {
  it.each([...new Set(panels.map(({ datasource }) => datasource))])("panels of %s", async (datasource) => {
    for (const panel of panels.filter((each) => each.datasource === datasource)) {
      const shown = expectValues(panel, [application], more);
      if (failing.includes(datasource)) await expect(shown, panel.title).rejects.toThrow(QueryError);
      else await shown;
    }
  });
});

describe("a model named like a missing one", () => {
  const named = program("named", { operations: [{ ...operations.gpt4o, model: "(none)" }], runs: [-20, -19] });
  // Prometheus drops a label without a value.
  const missing = program("missing", { operations: [{ ...operations.gpt4o, model: "" }], runs: [-20, -19], callsPerHour: 50 });
  const models = createWorld(now, 4, [named, missing]);
  const window = { from: now - 21 * hour, to: now - 18 * hour };
  const everything: Selection = { applications: [], environments: [] };

  beforeAll(() => new Feed(models, names, servers).pushUntil(Number.POSITIVE_INFINITY));

  const shownOf = ({ panel, model }: Shows): Promise<Shown> => show(panel, model, { ...window, selected: {} }, servers);
  const panelOf = (title: string) => panels.find((panel) => panel.title === title) as Shows;

  it.each(["Top models by usage", "Top GenAI Models by Usage"])("%s has both", async (title) => {
    const counts = title.includes("GenAI")
      ? new SdkLedger(models).increase("requests", window, everything, "gen_ai.request.model")
      : new ServiceLedger(models).countBy(({ operation }) => operation.model, window, everything);
    expect([...counts.keys()].sort()).toEqual(["", "(none)"]);
    const shown = await shownOf(panelOf(title));
    expect(shown).toMatchObject({
      kind: "values",
      values: [...counts.values()].map(({ value }) => ({ name: "(none)", value })).sort((left, right) => right.value - left.value),
    });
  });

  it("Token usage by model has both", async () => {
    const shown = await shownOf(panelOf("Token usage by model"));
    const tokens = new ServiceLedger(models).totalBy("totalTokens", ({ operation }) => operation.model, window, everything);
    const sums =
      shown.kind === "series" ? shown.series.map(({ name, points }) => [name, points.reduce((sum, [, value]) => sum + value, 0)]) : [];
    const byValue = (left: unknown[], right: unknown[]) => Number(left[1]) - Number(right[1]);
    expect(sums.sort(byValue)).toEqual([...tokens.values()].map(({ value }) => ["(none)", value]).sort(byValue));
  });
});
