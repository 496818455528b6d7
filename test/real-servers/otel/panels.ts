/** The panels of "GenAI Observability (OpenTelemetry)" by title. */
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import { byTitle } from "../panels";

const config = { uid: "opentelemetry", prometheusUid: "prometheus", tempoUid: "tempo" };

export const modelExact = openTelemetry({ ...config, counters: "exact" });
export const modelRecorded = openTelemetry({ ...config, counters: "recorded" });

export const panelsExact = byTitle(modelExact);

/** The panels that differ if the counters are recorded: all that read counters. */
export const panelsRecorded = new Map(
  [...byTitle(modelRecorded)].filter(([title, panel]) => JSON.stringify(panel) !== JSON.stringify(panelsExact.get(title))),
);
