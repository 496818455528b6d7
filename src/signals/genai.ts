/** Signals of "GenAI Observability": counters, a histogram and spans that an instrumentation SDK of 2024 exports by OTLP. */
import { type Counter, fromRules, fromSamples, mean, type RecordingRule, total, totalBy } from "./counters";
import { spec } from "./names/spec";
import { type HistogramPart, labelName, type Metric, type Naming, seriesName } from "./names/translate";
import { recordedName } from "./opentelemetry-measures";
import { counterIncrease, equals, matchesVariable, select } from "./promql";
import { type Contents, type MetricSignal, type ReadOptions, shown, type TraceSignal, top, units } from "./signal";

const { metrics, attributes } = spec;

type Attribute = keyof typeof attributes;

export const genaiLabel = (attribute: Attribute) => labelName(attributes[attribute]);

/** The counters of an SDK, of what is selected in dashboard variables, if any. */
function countersOf(sdkName: string, naming: Naming, genaiReads: ReadOptions["genaiReads"] = "samples", ...selected: readonly Attribute[]) {
  const filters = [equals(genaiLabel("sdk"), sdkName), ...selected.map((name) => matchesVariable(genaiLabel(name), name))];
  /** @param labels by which panels group it, besides application and environment */
  const counter = (metric: Metric, labels: readonly Attribute[] = [], part?: HistogramPart, bucket: string[] = []) => {
    const recorded = recordedName(seriesName(metric, "prometheus", part).replace(/_total$/, ""));
    const samples: Counter = { ...fromSamples, series: seriesName(metric, naming, part), filters: [...filters, ...bucket] };
    return { ...(genaiReads === "samples" ? samples : { ...fromRules, series: recorded, filters }), recorded, labels };
  };
  return {
    requests: counter(metrics.requests, ["model", "provider", "type"]),
    databaseRequests: counter(metrics.databaseRequests, ["databaseSystem", "databaseOperation"]),
    tokens: counter(metrics.tokens),
    promptTokens: counter(metrics.promptTokens),
    completionTokens: counter(metrics.completionTokens),
    cost: counter(metrics.cost, [], "sum"),
    /** Requests with a cost: the bucket of all observations. The next lower bound is 5 USD. */
    pricedRequests: counter(metrics.cost, [], "bucket", [equals("le", "+Inf")]),
  };
}

/** The counter of requests, with a selector of its series. */
export const requestCounter = (sdkName: string, naming: Naming) => {
  const { series, filters } = countersOf(sdkName, naming).requests;
  return { series, selector: select(series, ...filters) };
};

export const genaiRecordingRules = (sdkName: string, naming: Naming): RecordingRule[] =>
  Object.values(countersOf(sdkName, naming)).map(({ series, filters, recorded, labels }) => {
    const by = (["sdk", "application", "environment", ...labels] as const).map((attribute) => genaiLabel(attribute));
    return { name: recorded, query: counterIncrease(select(series, ...filters), "1m", ...by), reads: series, always: true };
  });

/** The signals of all applications with one instrumentation SDK. `sdkName` is the value of its attribute `telemetry.sdk.name`. */
export function genaiSignals(sdkName: string, { genaiReads, naming, contents }: ReadOptions) {
  const counters = countersOf(sdkName, naming, genaiReads, "application", "environment");
  const { requests, databaseRequests, tokens, promptTokens, cost, pricedRequests } = counters;
  // By its definition, two series of the comparison are of all applications and environments.
  const ofAll = countersOf(sdkName, naming, genaiReads);
  const by = (attribute: Attribute, description: string, counter = requests) => totalBy(genaiLabel(attribute), description, counter);

  const systems = by("databaseSystem", "Requests to vector databases in the time range by database system.", databaseRequests);
  const [range, interval] = ["$__range", "$__interval"] as const;
  const tokensPerRequest = (used: Counter, by: Counter, kind: "Prompt" | "Completion", note: string) =>
    shown(mean(used, by, interval), `Avg ${kind} Tokens`, `Mean ${kind.toLowerCase()} tokens per request ${note}`);
  const ofSelectedNote = "in each interval, of the selected applications and environments.";
  const ofAllNote = "in each interval, of all applications and environments regardless of the selection.";

  return {
    requests: shown(total(requests, range), "Requests", "Successful requests to LLM providers in the time range."),
    databaseRequests: shown(total(databaseRequests, range), "Requests", "Successful requests to vector databases in the time range."),
    tokens: shown(total(tokens, range), "Tokens", "Tokens used in the time range, prompts and completions together."),
    cost: shown({ ...total(cost, range), ...units.totalCost }, "Cost", "Cost of all requests in the time range."),
    costPerRequest: shown({ ...mean(cost, pricedRequests, range), ...units.cost }, "Cost", "Mean cost of a request, of those with a cost."),
    topModels: top(5, by("model", "The 5 models with the most requests in the time range.")),
    requestsByPlatform: by("provider", "Requests in the time range by provider."),
    requestsByType: by("type", "Requests in the time range by type, such as chat or embedding."),
    requestsByEnvironment: by("environment", "Requests in the time range by environment."),
    requestsByApplication: by("application", "Requests in the time range by application."),
    databaseRequestsBySystem: { ...systems, query: `sort_desc(${systems.query})` },
    databaseRequestsByOperation: by("databaseOperation", "Requests to vector databases in the time range by operation.", databaseRequests),
    promptTokensOverTime: tokensPerRequest(promptTokens, requests, "Prompt", ofSelectedNote),
    completionTokensOverTime: tokensPerRequest(ofAll.completionTokens, ofAll.requests, "Completion", ofAllNote),
    // The decimal places of its axis: the panel's own are those of tokens.
    costOverTime: shown(
      { ...mean(ofAll.cost, ofAll.pricedRequests, interval), ...units.cost, decimals: 4 },
      "Avg Cost",
      `Mean cost of a request ${ofAllNote}`,
    ),
    ...spanSignals(sdkName, contents),
  } satisfies Record<string, MetricSignal | TraceSignal>;
}

/** Attributes with the text of users and the answers of models. */
export const contentAttributes = ["gen_ai.content.prompt", "gen_ai.content.completion"] as const;

/**
 * Spans of the SDK with the status ok. Attributes have the scope `span`: most SDKs set another `telemetry.sdk.name` in the resource. A span
 * without an application or environment passes no filter. Literals are raw: Grafana's format `regex` writes single backslashes.
 *
 * @param application a regular expression, as `environment` is
 */
const spansOf = (sdkName: string, application: string, environment: string) =>
  `span.telemetry.sdk.name = "${sdkName}" && status = ok && ` +
  `span.gen_ai.application_name =~ \`${application}\` && span.gen_ai.environment =~ \`${environment}\``;

/** A search of the spans that the dashboard shows if All are selected. Spans of later releases of OpenLIT have other attributes. */
export const sdkSpans = (sdkName: string) => `{ ${spansOf(sdkName, ".+", ".+")} }`;

function spanSignals(sdkName: string, contents: Contents) {
  const spans = `spans with status ok and telemetry.sdk.name "${sdkName}"`;
  const filters = spansOf(sdkName, "${application:regex}", "${environment:regex}");
  // Without `most_recent`, Tempo returns any 20 spans.
  const query = (condition = "", ...fields: string[]) =>
    `{ ${filters}${condition} }${fields.length > 0 ? ` | select(${fields.join(", ")})` : ""} with (most_recent=true)`;
  const texts = contents === "show" ? contentAttributes.map((attribute) => `span.${attribute}`) : [];
  const columns = ["name", "span.gen_ai.request.model", ...texts, "span.gen_ai.usage.cost"];
  const calculation = "At most 20 spans, newest first.";

  return {
    durations: {
      description: "Durations of requests to LLM providers and vector databases.",
      calculation: "The durations of at most 20 spans.",
      spans,
      query: query(),
    },
    genaiTraces: {
      description:
        contents === "show"
          ? "Requests to LLM providers with prompt, completion and cost. Prompts and completions may contain personal data: restrict who " +
            "can view this dashboard."
          : "Requests to LLM providers with their cost.",
      calculation,
      spans: `${spans}, except those with gen_ai.type "vectordb"`,
      query: query(' && (span.gen_ai.type != "vectordb" || span.gen_ai.type = nil)', ...columns),
    },
    databaseTraces: {
      description: "Requests to vector databases.",
      calculation,
      spans: `${spans}, only those with gen_ai.type "vectordb"`,
      query: query(' && span.gen_ai.type = "vectordb"', "name"),
    },
  } satisfies Record<string, TraceSignal>;
}
