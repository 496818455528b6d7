/** The measured sets of telemetry. Each has a different name of the service or SDK, so that one server can store several. */
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../../src/dashboards/llm-monitoring";
import type { DataSet, Size } from "./data";
import { allLabels, type SdkSize, sdkData } from "./sdk-data";
import { serviceData } from "./service-data";
import type { Models } from "./ways";

export type Kind = "A" | "B";
export const dashboards: readonly Kind[] = ["A", "B"];

/** One set and the dashboards on it. */
export interface MeasuredSet {
  days: number;
  data(now: number): DataSet;
  models: Models;
}

const links = { documentationUrl: "", communityUrl: "", repositoryUrl: "" };

/** @param name suffix of the service's name */
function serviceSet(name: string, size: Size): MeasuredSet {
  const service = `llmobs${name}`;
  const direct = llmMonitoring({ service, prometheusUid: "prometheus", lokiUid: "loki", ...links });
  return { days: size.days, data: (now) => serviceData(service, now, size), models: { direct } };
}

/** @param name suffix of the SDK's name */
function sdkSet(name: string, size: Partial<SdkSize>): MeasuredSet {
  const sdkName = `openlit${name}`;
  const model = (mode: "direct" | "recorded") =>
    genaiObservability({ uid: "genai", sdkName, prometheusUid: "prometheus", tempoUid: "tempo", mode });
  const whole: SdkSize = { days: 1, applications: 1, density: 1, processes: 1, labels: allLabels, ...size };
  return {
    days: whole.days,
    data: (now) => sdkData(sdkName, now, whole),
    models: { direct: model("direct"), recorded: model("recorded") },
  };
}

/** The density of exports each minute, the default of SDKs. The full density is that of scrapes each 15 seconds. */
const eachMinute = 0.25;

export type GrowthSet = "" | "10" | "100" | "long";

/** Sets of growth by the suffix of their names; the first is that of the costs, too. */
export const growthSets: Record<Kind, Record<GrowthSet, MeasuredSet>> = {
  A: {
    "": serviceSet("", { days: 1, applications: 1, density: 1 }),
    "10": serviceSet("10", { days: 1, applications: 10, density: 1 }),
    "100": serviceSet("100", { days: 1, applications: 100, density: 1 }),
    long: serviceSet("long", { days: 30, applications: 1, density: 0.1 }),
  },
  B: {
    "": sdkSet("", {}),
    "10": sdkSet("10", { applications: 10 }),
    "100": sdkSet("100", { applications: 100 }),
    long: sdkSet("long", { days: 30, density: eachMinute }),
  },
};

/** The measured sizes. Each load of the largest takes most of a minute. */
export const grown: { by: "applications" | "days"; size: number; set: GrowthSet; days: number; maxRounds: number }[] = [
  { by: "applications", size: 1, set: "", days: 1, maxRounds: 3 },
  { by: "applications", size: 10, set: "10", days: 1, maxRounds: 3 },
  { by: "applications", size: 100, set: "100", days: 1, maxRounds: 3 },
  ...[1, 3, 10, 30].map((days) => ({ by: "days" as const, size: days, set: "long" as const, days, maxRounds: days > 10 ? 2 : 3 })),
];

/** Numbers of processes of each label set. */
export const processCounts = [1, 10, 100] as const;

/**
 * Sets by range in days, with one-minute exports. The labels are fewer in 30 days: with 100 processes and all labels, these would be a billion samples, and
 * Prometheus would reject the direct queries.
 */
export const processRanges: { days: number; maxRounds: number; labels: SdkSize["labels"] }[] = [
  { days: 1, maxRounds: 3, labels: { ...allLabels, applications: 1 } },
  { days: 30, maxRounds: 2, labels: { applications: 1, environments: 1, models: 1, databases: 1 } },
];

export const processSet = (days: number, labels: SdkSize["labels"], processes: number): MeasuredSet =>
  sdkSet(`processes${days}d${processes}`, { days, labels, processes, density: eachMinute });
