/** The measured sets of telemetry. Each has a different name of the service or SDK, so that one server can store several. */
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../../src/dashboards/llm-monitoring";
import { type Size, sdkData, serviceData } from "./data";

const links = { documentationUrl: "", communityUrl: "", repositoryUrl: "" };

/** Data and dashboard by letter. */
export const kinds = {
  A: {
    data: serviceData,
    name: (set: string) => `llmobs${set}`,
    model: (service: string) => llmMonitoring({ service, prometheusUid: "prometheus", lokiUid: "loki", ...links }),
  },
  B: {
    data: sdkData,
    name: (set: string) => `openlit${set}`,
    model: (sdkName: string) =>
      genaiObservability({ uid: "genai", sdkName, prometheusUid: "prometheus", tempoUid: "tempo", counters: "exact" }),
  },
};
export type Kind = keyof typeof kinds;
export const dashboards = Object.keys(kinds) as Kind[];

/** Sizes by the suffix of the sets' names. */
export const sizes = {
  "": { days: 1, applications: 1, density: 1 },
  "10": { days: 1, applications: 10, density: 1 },
  "100": { days: 1, applications: 100, density: 1 },
  long: { days: 30, applications: 1, density: 0.1 },
} satisfies Record<string, Size>;
export type SetName = keyof typeof sizes;

/** The measured sizes. */
export const grown: { by: "applications" | "days"; size: number; set: SetName; days: number }[] = [
  { by: "applications", size: 1, set: "", days: 1 },
  { by: "applications", size: 10, set: "10", days: 1 },
  { by: "applications", size: 100, set: "100", days: 1 },
  ...[1, 3, 10, 30].map((days) => ({ by: "days" as const, size: days, set: "long" as const, days })),
];
