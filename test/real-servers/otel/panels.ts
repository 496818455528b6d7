/** The panels of "GenAI Observability (OpenTelemetry)" by title, and its rules as a file. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import type { RecordingRule } from "../../../src/signals/counters";
import { openTelemetryRecordingRules } from "../../../src/signals/opentelemetry";
import { ruleFile } from "../../../src/signals/rule-file";
import type { Rules } from "../history";
import { byTitle } from "../panels";
import type { RunningPrometheus } from "../servers";

const config = { uid: "opentelemetry", prometheusUid: "prometheus", tempoUid: "tempo" };

export const modelExact = openTelemetry({ ...config, counters: "exact" });
export const modelRecorded = openTelemetry({ ...config, counters: "recorded" });

export const panelsExact = byTitle(modelExact);

/** The panels that differ if the counters are recorded: all that read counters. */
export const panelsRecorded = new Map(
  [...byTitle(modelRecorded)].filter(([title, panel]) => JSON.stringify(panel) !== JSON.stringify(panelsExact.get(title))),
);

/** Writes the rules beside the data of a Prometheus. */
export function writeRules({ prometheusData }: RunningPrometheus): Rules {
  const rules = openTelemetryRecordingRules();
  const file = join(dirname(prometheusData), "opentelemetry.yaml");
  writeFileSync(file, stringify(ruleFile(rules), { lineWidth: 0 }));
  return { file, series: (rules[0] as RecordingRule).name };
}
