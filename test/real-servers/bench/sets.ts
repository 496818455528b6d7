/** The sets of telemetry that are measured: each has the name of a service, or of an SDK, of its own, so that several fit into one server. */
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../../src/dashboards/llm-monitoring";
import { type Size, sdkData, serviceData } from "./data";

const links = { documentationUrl: "", communityUrl: "", repositoryUrl: "" };

/** Data and dashboard of each kind. */
export const kinds = {
  A: {
    data: serviceData,
    name: (set: string) => `llmobs${set}`,
    model: (service: string) => llmMonitoring({ service, prometheusUid: "prometheus", lokiUid: "loki", ...links }),
  },
  B: {
    data: sdkData,
    name: (set: string) => `openlit${set}`,
    model: (sdkName: string) => genaiObservability({ uid: "genai", sdkName, prometheusUid: "prometheus", tempoUid: "tempo" }),
  },
};
export type Kind = keyof typeof kinds;
export const dashboards = Object.keys(kinds) as Kind[];

/** By the end of their names. */
export const sizes = {
  "": { days: 1, applications: 1, density: 1 },
  "10": { days: 1, applications: 10, density: 1 },
  "100": { days: 1, applications: 100, density: 1 },
  long: { days: 30, applications: 1, density: 0.1 },
} satisfies Record<string, Size>;
export type SetName = keyof typeof sizes;

/** What is measured for growth. */
export const grown: { by: "applications" | "days"; size: number; set: SetName; days: number }[] = [
  { by: "applications", size: 1, set: "", days: 1 },
  { by: "applications", size: 10, set: "10", days: 1 },
  { by: "applications", size: 100, set: "100", days: 1 },
  ...[1, 3, 10, 30].map((days) => ({ by: "days" as const, size: days, set: "long" as const, days })),
];
