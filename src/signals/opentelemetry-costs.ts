/** Signals of costs of "GenAI Observability (OpenTelemetry)": what SDKs measure; with recording rules, also what the list prices make of tokens. */
import { recordedBudget, recordedCost, recordedUnpriced, usedBudget } from "./costs";
import { modelIdentity } from "./identity";
import { conventionLabel, type Measure } from "./opentelemetry-measures";
import type { OpenTelemetryQueries } from "./opentelemetry-queries";
import { equals, indent, ratio, sum } from "./promql";
import { type CounterMode, shown, shownBy, top, units } from "./signal";

export function costSignals({ measures, labels, total, mean, increase, reads }: OpenTelemetryQueries, mode: CounterMode) {
  const { requests, tokens, pricedRequests } = measures;
  const isRecorded = mode === "recorded";
  const cost: Measure = isRecorded ? { ...measures.cost, recorded: recordedCost } : measures.cost;
  const succeeded = [equals(conventionLabel("error"), "")];
  // OpenLIT also sends a cost of 0 for each failed request, of models that may not exist. Rules leave it out.
  const costly = isRecorded ? [] : succeeded;
  const [range, interval] = ["$__range", "$__interval"] as const;
  const note = isRecorded
    ? "Measured by the SDK (label source: measured), else tokens by the list price of the model (computed). Tokens without a price are left out."
    : "Only OpenLIT, LiteLLM and Pydantic AI send costs. With recording rules, the panel also has the costs of other SDKs, by their tokens.";

  const byModel = total(tokens, range, [], labels.model);
  const unpriced = total({ ...tokens, recorded: recordedUnpriced }, range, [], labels.model);
  const withoutCost = isRecorded
    ? unpriced
    : { ...byModel, query: `${byModel.query}\nunless on (${labels.model}) (${increase(cost, range, [], labels.model)} > 0)` };

  /** The number of models that a total lacks, as a label and the name of the value: a part should not look like the whole. */
  const lacking = `label_replace(count_values("models", count(${unpriced.query} > 0)), "lacking", "models without price: $1", "models", "(.+)") or on () label_replace(vector(1), "lacking", "of all models", "", "")`;
  const all = total(cost, range);
  const ofModels = (measure: Measure, filters: readonly string[]) => increase(measure, range, filters, ...modelIdentity);
  const requestsWithCost = `${ofModels(requests, succeeded)}\nand on (${modelIdentity.join(", ")}) ${ofModels(cost, [])}`;

  return {
    cost: shown(
      { ...all, ...units.totalCost, ...(isRecorded && { query: `${all.query}\n* on () group_left (lacking) (${lacking})` }) },
      isRecorded ? "{{lacking}}" : "Cost",
      `Cost of all requests in the time range. ${note}`,
    ),
    costPerRequest: shown(
      {
        ...mean(cost, pricedRequests, range, succeeded),
        ...(isRecorded && { query: ratio(all.query, sum(`\n${indent(requestsWithCost)}\n`)), series: reads(cost, requests) }),
        ...units.requestCost,
      },
      "Cost",
      `Mean cost of a successful request to a model with a cost. ${note}`,
    ),
    costOverTime: shownBy(
      { ...total(cost, interval, costly, labels.model), ...units.totalCost },
      labels.model,
      `Cost in each interval by model. ${note}`,
    ),
    topModelsByCost: {
      ...top(
        5,
        shownBy(total(cost, range, costly, labels.model), labels.model, `The 5 models with the highest cost in the time range. ${note}`),
      ),
      ...units.requestCost,
    },
    usedBudget: shown(
      {
        query: usedBudget(),
        series: [recordedCost, recordedBudget],
        queryType: "instant" as const,
        unit: "percentunit" as const,
        decimals: 0,
        calculation:
          "The cost since midnight (UTC), in steps of five minutes, divided by the setting alertBudgets. The variables do not select.",
      },
      "{{application}}",
      "The part of its budget of today that each application has used. The rest of a bar is left.",
    ),
    tokensWithoutCost: top(
      5,
      shownBy(
        withoutCost,
        labels.model,
        "The 5 models with the most input and output tokens whose cost is not known: no SDK sends it" +
          (isRecorded ? ", and they have no price. The setting prices gives them one." : ". Recording rules compute it."),
      ),
    ),
  };
}
