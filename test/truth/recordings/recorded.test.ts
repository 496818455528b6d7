/**
 * What each panel of "GenAI Observability (OpenTelemetry)" shows of the recorded exports of real SDKs, compared with their known calls.
 */
import { describe, expect, it } from "vitest";
import { expectTable } from "../../support/readme";
import { queryTempo } from "../../view/reading/client";
import { type Panel, show } from "../../view/reading/show";
import { recordHistory } from "../history";
import { Ledger } from "../ledger";
import { otel } from "../panels";
import { servers, useServers } from "../set-up";
import { allTraces } from "../telemetry/push";
import { pushRecorded, recording, retimed } from "../telemetry/recorded";
import { untilFound } from "../telemetry/traces";
import { truths } from "../truths";
import { hour, minute } from "../world/world";
import { reasons, recordings } from "./deviations";
import { knownWorld } from "./known-calls";
import { knownColumns, knownTimes } from "./recorded-times";
import { difference, knownNumbers, numbersOf, rowDifference, tableDifference } from "./summaries";

// A full hour for each recording, four hours after that of the one before: rules look back three hours.
const now = Math.floor((Date.now() - 2 * minute) / hour) * hour;
const endOf = (index: number) => now - index * 4 * hour;

const windowOf = (end: number) => ({ from: end - 15 * minute, to: end + minute });

type Why = keyof typeof reasons;
type RecordedSpan = { parentSpanId?: string; attributes: { key: string; value: { stringValue?: string } }[] };

const titles = [...otel.panels.keys()];

const all = (Object.keys(recordings) as (keyof typeof recordings)[]).map((name, index) => {
  const { known, reasons } = recordings[name];
  const recorded = recording(name);
  const [, application = ""] = /"service\.name","value":\{"stringValue":"([^"]+)"/.exec(JSON.stringify(recorded)) ?? [];
  const end = endOf(index);
  const ledger = new Ledger(knownWorld(application, known, end));
  return { name, recorded, application, reasons: reasons as Why[], end, ledger };
});

it("reasons concern panels", () => {
  const named = Object.values(reasons).flatMap(({ panels = [] }: { panels?: readonly string[] }) => panels);
  expect(named.filter((title) => !titles.includes(title))).toEqual([]);
});

/** By title and recording. */
const cells = new Map<string, string>();
const explained = new Set<string>();

useServers(180_000, async () => {
  let traces = 0;
  for (const { recorded, end } of all) traces += await pushRecorded(retimed(recorded, end), servers);
  await recordHistory(servers, { from: windowOf(endOf(all.length - 1)).from, to: windowOf(now).to });
  await untilFound(servers, allTraces(endOf(all.length), now), traces);
});

describe.each(all)("$name", (each) => {
  const { name, recorded, application, end, ledger } = each;
  const window = windowOf(end);

  /** How the panel differs from the known calls, in words; undefined if there are none, and it shows none. */
  async function deviation(title: string): Promise<string | undefined> {
    const panel = otel.panels.get(title) as Panel;
    const shown = await show(panel, otel.model, { ...window, selected: {} }, servers);
    const expected = truths[otel.name][title]?.(ledger, window, {});
    if (!expected) expect.fail(`Nothing is known for this panel: add "${title}" to test/truth/truths/opentelemetry.ts`);
    if (expected.kind === "rows")
      return expected.rows.length > 0 || shown.kind !== "nothing" ? rowDifference(expected.rows, shown) : undefined;
    if (expected.kind === "numbers") return tableDifference(expected, knownColumns(recorded), shown);
    const numbers = numbersOf(shown);
    const known = knownTimes(title, recorded, application) ?? knownNumbers(expected, window, numbers);
    return known.size > 0 || numbers.size > 0 ? difference(panel, known, numbers) : undefined;
  }

  it.each(titles)("%s", async (title) => {
    const differs = await deviation(title);
    const why = each.reasons.filter((name) => ((reasons[name] as { panels?: readonly string[] }).panels ?? titles).includes(title));
    if (differs) {
      if (why.length === 0)
        expect.fail(`${title}: ${differs}. If the SDK is the cause, add a reason or this title to one in deviations.ts`);
      for (const reason of why) explained.add(`${name} ${reason}`);
    }
    cells.set(`${title}/${name}`, differs ? [differs, ...why.map(mark)].join(" ") : differs === undefined ? "–" : "✓");
  });

  it("a span that contains a request is no request: neither a step, nor the span of a call that is written twice", async () => {
    const query = otel.panels.get("Newest Requests")?.targets?.[0]?.query ?? expect.fail("The panel has no query");
    const traces = await queryTempo(servers.tempo, query.replace(/\$\{\w+:regex\}/g, ".*"), window, { limit: 1000, spss: 100 });
    const found = traces.flatMap(({ spanSets = [] }) => spanSets.flatMap(({ spans = [] }) => spans.map(({ spanID }) => spanID)));
    const all = new Map<string, RecordedSpan>();
    JSON.parse(JSON.stringify(retimed(recorded, end)), (_key, value) => {
      if (value?.spanId) all.set(value.spanId, value);
      return value;
    });
    const above = (id = ""): string[] => (all.has(id) ? [id, ...above(all.get(id)?.parentSpanId)] : []);
    const containing = found.flatMap((id) => above(all.get(id)?.parentSpanId).filter((other) => found.includes(other)));
    const operationOf = (id: string) => all.get(id)?.attributes.find(({ key }) => key === "gen_ai.operation.name")?.value.stringValue;
    // This SDK needs a variable of its own: see deviations.ts.
    expect(found.length > 0).toBe(name !== "openinference-openai-0.1.66");
    expect(containing.map(operationOf)).toEqual([]);
  });

  it("has no reason that explains nothing", ({ skip }) => {
    if (titles.some((title) => !cells.has(`${title}/${name}`))) skip("a panel failed, or was not run");
    expect(each.reasons.filter((why) => !explained.has(`${name} ${why}`))).toEqual([]);
  });
});

const mark = (why: Why) => `[${Object.keys(reasons).indexOf(why) + 1}]`;

it("these SDKs send no instance id: dashboards/README.md says how to set one", () => {
  const without = all.filter(({ recorded }) => !JSON.stringify(recorded).includes('"service.instance.id"'));
  expect(without.map(({ name }) => name)).toEqual([
    ...["openlit-node-1.15.0", "ai-sdk-7.0.173"],
    ...["spring-ai-2.0.1", "spring-ai-percentiles-histogram-2.0.1"],
  ]);
});

it("the README has the table of these panels", ({ skip }) => {
  if (cells.size < titles.length * all.length) skip("a panel failed, or was not run");
  const rows = titles.map((title) => `| ${[title, ...all.map(({ name }) => cells.get(`${title}/${name}`))].join(" | ")} |`);
  const header = ["Panel", ...all.map(({ name }) => `\`${name}\``)];
  const table = [`| ${header.join(" | ")} |`, `|${"---|".repeat(header.length)}`, ...rows].join("\n");
  const list = Object.values(reasons).map(({ text }, index) => `${index + 1}. ${text}`);
  expectTable("sdks", `${table}\n\n${list.join("\n")}`, "dashboards/sdks.md");
});
