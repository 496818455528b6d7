/** Legal settings of the dashboards as arbitraries, and example models. */
import fc from "fast-check";
import { type GenaiObservabilityConfig, genaiObservability } from "../../src/dashboards/genai-observability";
import { type LlmMonitoringConfig, llmMonitoring } from "../../src/dashboards/llm-monitoring";
import type { DashboardModel } from "../../src/dashboards/normalize";
import { type OpenTelemetryConfig, openTelemetry } from "../../src/dashboards/opentelemetry";
import { namings } from "../../src/signals/names/translate";
import type { ReadOptions } from "../../src/signals/signal";
import { type Panel, allPanelsOf as panelsOf } from "../view/reading/panel";

export { allPanelsOf as panelsOf, type Panel, type Target, type Variable, variablesOf } from "../view/reading/panel";

/** A panel's name in test titles and messages: panels without a title by type and id. */
export const nameOf = ({ id, title, type }: Pick<Panel, "id" | "title" | "type">) => title || `${type} ${id}`;

/** Panels that show data. */
export const shownOf = (model: DashboardModel) => panelsOf(model).filter(({ type }) => type !== "row");

/** Targets of one datasource type, with their panels. */
export const targetsOf = (model: DashboardModel, type: string) =>
  panelsOf(model).flatMap((panel) =>
    (panel.targets ?? []).filter(({ datasource }) => datasource.type === type).map((target) => ({ panel, target })),
  );

const uid = fc.stringMatching(/^[a-zA-Z0-9_-]{1,40}$/);
const contents = fc.constantFrom("show" as const, "hide" as const);

const configA: fc.Arbitrary<LlmMonitoringConfig> = fc.record({
  service: fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,24}$/),
  uids: fc.record({ prometheus: uid, loki: uid }),
  contents,
});

const ofSdks = {
  uid,
  naming: fc.constantFrom(...namings),
  uids: fc.record({ prometheus: uid, tempo: uid }),
  genaiReads: fc.constantFrom("samples" as const, "rules" as const),
  contents,
};

const configB: fc.Arbitrary<GenaiObservabilityConfig> = fc.record({
  ...ofSdks,
  sdkName: fc.stringMatching(/^[a-zA-Z0-9]{1,9}([._-][a-zA-Z0-9]{1,9}){0,3}$/),
});

const limits = { errorRate: 0.02, outage: 0.15, latency: 30, firstToken: 9.9 };

const configC: fc.Arbitrary<OpenTelemetryConfig> = fc.record({ ...ofSdks, limits: fc.constant(limits) });

/** The defaults of the settings. */
export const defaultReadOptions: ReadOptions = { genaiReads: "samples", naming: "prometheus", contents: "show" };

const configured = { service: "llmobs", uids: { prometheus: "prom", loki: "logs" } };
const config = { ...defaultReadOptions, uid: "genai", sdkName: "llmsdk", uids: { prometheus: "prom", tempo: "traces" } };

/** A model of each dashboard, for tests that do not depend on the settings. */
export const exampleA = llmMonitoring(configured);
export const exampleB = genaiObservability(config);

const configuredC = { ...defaultReadOptions, limits, uid: "genai-otel", uids: { prometheus: "prom", tempo: "traces" } };
export const exampleC = openTelemetry(configuredC);
export const budgetedC = openTelemetry({ ...configuredC, budgets: true });

/** A model for each value of each setting that changes queries or panels. */
export const examples: { title: string; model: DashboardModel }[] = [
  { title: "LLM Monitoring", model: exampleA },
  { title: "LLM Monitoring without contents", model: llmMonitoring({ ...configured, contents: "hide" }) },
  { title: "GenAI Observability", model: exampleB },
  { title: "GenAI Observability, recorded", model: genaiObservability({ ...config, genaiReads: "rules" }) },
  { title: "GenAI Observability without suffixes", model: genaiObservability({ ...config, naming: "no-suffixes" }) },
  { title: "GenAI Observability without contents", model: genaiObservability({ ...config, contents: "hide" }) },
  { title: "OpenTelemetry", model: exampleC },
  { title: "OpenTelemetry with budgets", model: budgetedC },
  { title: "OpenTelemetry without contents", model: openTelemetry({ ...configuredC, contents: "hide" }) },
];

/** Checks a model of one dashboard for any legal settings. */
const forAny =
  <C>(configs: fc.Arbitrary<C>, build: (config: C) => DashboardModel) =>
  (check: (model: DashboardModel, config: C) => void) =>
    fc.assert(fc.property(configs, (config) => check(build(config), config)));

export const forAnyA = forAny(configA, llmMonitoring);
export const forAnyB = forAny(configB, genaiObservability);
export const forAnyC = forAny(configC, openTelemetry);
