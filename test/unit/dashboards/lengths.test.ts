/** Queries that a person can read at night: one form for every counter, and none longer than a screen. */
import { expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { counterIncrease } from "../../../src/signals/promql";
import { exampleB, exampleC, examples, nameOf, recordedC, targetsOf } from "../../support/models";

const queriesOf = (model: DashboardModel) =>
  targetsOf(model, "prometheus").map(({ panel, target }) => ({ name: nameOf(panel), text: target.expr ?? "" }));

it.each([
  ["GenAI Observability", exampleB, 760],
  ["GenAI Observability (OpenTelemetry)", exampleC, 1100],
  ["GenAI Observability (OpenTelemetry), recorded", recordedC, 400],
] as const)("%s: no query is longer than its limit", (_name, model, limit) => {
  const tooLong = queriesOf(model).filter(({ text }) => text.length > limit);
  expect(tooLong).toEqual([]);
});

it("all queries of GenAI Observability (OpenTelemetry) together have 25,000 characters at most", () => {
  const texts = ["prometheus", "tempo"].flatMap((type) => targetsOf(exampleC, type)).map(({ target }) => target.expr ?? target.query ?? "");
  expect(texts.join("").length).toBeLessThanOrEqual(25_000);
});

/** The query without its selectors and labels. */
const skeleton = (text: string) =>
  text.replace(/ by \([^)]*\) /g, "").replace(/(?:application:)?[\w:]*\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\}/g, "x");

it.each(examples.filter(({ title }) => !title.startsWith("LLM")))("$title: each increase of a counter has the one form", (example) => {
  const isRecorded = /recorded/.test(example.title);
  for (const { name, text } of queriesOf(example.model)) {
    const windows = ["$__range", "$__interval"] as const;
    const rest = windows.reduce((left, window) => left.replaceAll(counterIncrease("x", window), "increase"), skeleton(text));
    if (isRecorded) expect(rest, name).toContain("sum_over_time(x[$__");
    else if (/Provider/.test(name))
      expect(rest, name).toMatch(/irate\(last_over_time\(x\[3h\]\)\[2m:1m\]\)\n {4}or last_over_time\(x\[1m\]\)/);
    else expect(rest, name).toMatch(/histogram_quantile|increase/);
    expect(rest, name).not.toMatch(isRecorded ? /irate|increase\b/ : /\bincrease\(/);
  }
});
