/** The measured sets of telemetry. Each has a different name of the service or SDK, so that one server can store several. */
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { llmMonitoring } from "../../../src/dashboards/llm-monitoring";
import { defaultReading } from "../../../src/signals/signal";
import type { DataSet, Size } from "./data";
import type { Models } from "./rows";
import { type SdkSize, sdkData } from "./sdk-data";
import { serviceData } from "./service-data";

/** One set and the dashboard on it. */
interface MeasuredSet {
  data(now: number): DataSet;
  models: Models;
}

function serviceSet(service: string, size: Size): MeasuredSet {
  const direct = llmMonitoring({ service, uids: { prometheus: "prometheus", loki: "loki" } });
  return { data: (now) => serviceData(service, now, size), models: { direct } };
}

function sdkSet(sdkName: string, size: SdkSize): MeasuredSet {
  const model = (mode: "direct" | "recorded") =>
    genaiObservability({ ...defaultReading, uid: "genai", sdkName, uids: { prometheus: "prometheus", tempo: "tempo" }, mode });
  return { data: (now) => sdkData(sdkName, now, size), models: { direct: model("direct"), recorded: model("recorded") } };
}

/** The density of exports each minute, the default of SDKs. The full density is that of scrapes each 15 seconds. */
const eachMinute = 0.25;

const week = sdkSet("week", { days: 7, density: eachMinute, processes: 1 });

/** The measured loads, and whether a short run has them. */
export const sizes: { size: string; days: number; set: MeasuredSet; small?: true }[] = [
  { size: "A, 24 h", days: 1, set: serviceSet("day", { days: 1, density: 1 }), small: true },
  { size: "A, 7 d, a tenth of the density", days: 7, set: serviceSet("week", { days: 7, density: 0.1 }) },
  { size: "B, 24 h, scraped each 15 s", days: 1, set: sdkSet("day", { days: 1, density: 1, processes: 1 }), small: true },
  { size: "B, 24 h", days: 1, set: week },
  { size: "B, 7 d", days: 7, set: week },
  { size: "B, 24 h, 10 processes with the same labels", days: 1, set: sdkSet("tens", { days: 1, density: eachMinute, processes: 10 }) },
];
