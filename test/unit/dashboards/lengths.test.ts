/** Queries that a person can read at night: none is longer than a screen. */
import { expect, it } from "vitest";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { exampleB, exampleC, nameOf, recordedC, targetsOf } from "../../support/models";

const queriesOf = (model: DashboardModel) =>
  targetsOf(model, "prometheus").map(({ panel, target }) => ({ name: nameOf(panel), text: target.expr ?? "" }));

it.each([
  ["GenAI Observability", exampleB, 790],
  ["GenAI Observability (OpenTelemetry)", exampleC, 1100],
  ["GenAI Observability (OpenTelemetry), recorded", recordedC, 1150],
] as const)("%s: no query is longer than its limit", (_name, model, limit) => {
  const tooLong = queriesOf(model).filter(({ text }) => text.length > limit);
  expect(tooLong).toEqual([]);
});

it("all queries of GenAI Observability (OpenTelemetry) together have 25,000 characters at most", () => {
  const texts = ["prometheus", "tempo"].flatMap((type) => targetsOf(exampleC, type)).map(({ target }) => target.expr ?? target.query ?? "");
  expect(texts.join("").length).toBeLessThanOrEqual(25_000);
});
