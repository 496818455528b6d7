/** What each panel of "GenAI Observability (OpenTelemetry)" shows of the recorded exports of real SDKs, compared with their known calls. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Panel, type Shown, show } from "../../../src/view/reading/show";
import { expectTable } from "../../support/readme";
import { type RunningServers, startServers } from "../servers";
import { otlpMetrics, otlpTraces, push } from "../telemetry/push";
import { recording, retimed } from "../telemetry/recorded";
import { untilFound } from "../telemetry/traces";
import { hour, minute } from "../telemetry/world";
import { deviations, reasons, type Why } from "./deviations";
import { knownDatabaseNumbers, knownDatabaseRows, knownNumbers, knownRows } from "./known-calls";
import { modelExact, panelsExact } from "./panels";
import { allTraces } from "./push";
import { knownTimes } from "./recorded-times";
import { numbersOf, rowsOf, textOf } from "./summaries";

// A full hour, with a view of its own for each recording: five hours after that of the one before.
const now = Math.floor(Date.now() / hour) * hour;

const recordings = Object.entries(deviations).map(([name, ofPanels], index) => ({
  name,
  ofPanels,
  recorded: recording(name),
  end: now - index * 5 * hour,
}));

/** Calls that none of the recordings contains. */
const neverCalled = [
  "Invocations by Agent",
  "Mean Duration by Agent",
  "MCP Operations by Method",
  "Tool Calls by Tool",
  "Tool Errors by Tool",
];

const titles = [...panelsExact.keys()].filter((title) => !neverCalled.includes(title));

let servers: RunningServers;
const cells = new Map<string, string>();

beforeAll(async () => {
  servers = await startServers();
  const traces = new Set<string>();
  for (const { recorded, end } of recordings) {
    for (const { signal, body } of retimed(recorded.exports, end)) {
      const address = signal === "metrics" ? otlpMetrics(servers) : otlpTraces(servers);
      await push(body, address, { "Content-Type": "application/json" });
      for (const [, id] of body.matchAll(/"traceId":"([0-9a-f]{32})"/g)) if (signal === "traces" && id) traces.add(id);
    }
  }
  await untilFound(servers, allTraces(now - 24 * hour, now), traces.size);
}, 120_000);

afterAll(() => servers?.stop());

const shownOf = (title: string, end: number): Promise<Shown> =>
  show(panelsExact.get(title) as Panel, modelExact, { from: end - 15 * minute, to: end + minute, selected: {} }, servers);

/** The panel's text if it shows the known calls. */
function truthOf(title: string, shown: Shown, { name, recorded }: (typeof recordings)[number]): string {
  const hasDatabase = name.startsWith("openlit-python");
  if (title === "GenAI Requests, table") return textOf(knownRows);
  if (title === "VectorDB Requests, table") return textOf(hasDatabase ? knownDatabaseRows : []);
  const times = knownTimes(title, recorded);
  if (times) return times(numbersOf(shown)) ? summaryOf(shown) : "times of other buckets";
  const numbers = knownNumbers[title] ?? (hasDatabase ? knownDatabaseNumbers[title] : {});
  if (!numbers) expect.fail(`Nothing is known for this panel: add "${title}" to test/real-servers/otel/known-calls.ts`);
  return textOf(numbers);
}

const summaryOf = (shown: Shown) => textOf(shown.kind === "table" ? rowsOf(shown) : numbersOf(shown));

describe.each(recordings)("$name", (each) => {
  const { name, ofPanels, end } = each;
  it.each(titles)("%s", async (title) => {
    const shown = await shownOf(title, end);
    const [truth, text] = [truthOf(title, shown, each), summaryOf(shown)];
    const deviation = ofPanels[title];
    expect(text, deviation ? "the deviation" : "the known calls").toBe(deviation ? deviation.shows : truth);
    if (deviation) expect(text, "deviates no longer: remove it from deviations.ts").not.toBe(truth);
    cells.set(
      `${title}/${name}`,
      deviation ? `${deviation.cell ?? deviation.shows} ${deviation.why.map(mark).join(" ")}` : truth === "no data" ? "–" : "✓",
    );
  });

  it.each(neverCalled)("%s: nothing was called", async (title) => {
    expect((await shownOf(title, end)).kind).toBe("nothing");
  });
});

const mark = (why: Why) => `[${Object.keys(reasons).indexOf(why) + 1}]`;

it("the README has the table of these panels", async ({ skip }) => {
  if (cells.size < titles.length * recordings.length) skip("a panel failed");
  const rows = titles.map((title) => `| ${[title, ...recordings.map(({ name }) => cells.get(`${title}/${name}`))].join(" | ")} |`);
  const header = ["Panel", ...recordings.map(({ name }) => `\`${name}\``)];
  const table = [`| ${header.join(" | ")} |`, `|${"---|".repeat(header.length)}`, ...rows].join("\n");
  const list = Object.values(reasons).map((reason, index) => `${index + 1}. ${reason}`);
  await expectTable("sdks", `${table}\n\n${list.join("\n")}`, "test:truth", "dashboards/README.md");
});
