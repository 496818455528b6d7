/** Signals of costs of "GenAI Observability (OpenTelemetry)": what SDKs measure, else what the list prices make of tokens. */
import { recordedBudget, recordedCost, recordedPriced, recordedUnpriced, usedBudget } from "./costs";
import { openTelemetryQueries } from "./opentelemetry-measures";
import { shown, shownBy, top, units } from "./signal";

const note =
  "Measured by the SDK (label source: measured), else tokens by the list price of the model (computed). Tokens without a price are left out.";

export function costSignals() {
  const { total, mean } = openTelemetryQueries;
  const [cost, priced, unpriced] = [{ recorded: recordedCost }, { recorded: recordedPriced }, { recorded: recordedUnpriced }];
  const [range, interval] = ["$__range", "$__interval"] as const;
  const withoutPrice = total(unpriced, range, [], "model");

  return {
    cost: shown({ ...total(cost, range), ...units.totalCost }, "Cost", `Cost of all requests in the time range. ${note}`),
    /** A part should not look like the whole. */
    modelsWithoutPrice: shown(
      { ...withoutPrice, query: `count(${withoutPrice.query} > 0)` },
      "models without a price",
      "How many models it lacks.",
    ),
    costPerRequest: shown(
      { ...mean(cost, priced, range), ...units.requestCost },
      "Cost",
      `Mean cost of a successful request to a model with a cost. ${note}`,
    ),
    costOverTime: shownBy(
      { ...total(cost, interval, [], "model"), ...units.totalCost },
      "model",
      `Cost in each interval by model. ${note}`,
    ),
    topModelsByCost: {
      ...top(5, shownBy(total(cost, range, [], "model"), "model", `The 5 models with the highest cost in the time range. ${note}`)),
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
        withoutPrice,
        "model",
        "The 5 models with the most input and output tokens whose cost is not known: no SDK sends it, and they have no price. The setting prices gives " +
          "them one.",
      ),
    ),
  };
}
