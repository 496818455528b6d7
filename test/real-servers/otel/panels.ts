/** The panels of "GenAI Observability (OpenTelemetry)" by title, for both ways of reading. */
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import { defaultReading } from "../../../src/signals/signal";
import { byTitle } from "../panels";

const config = { ...defaultReading, uid: "opentelemetry", uids: { prometheus: "prometheus", tempo: "tempo" } };

const reading = (mode: "direct" | "recorded") => {
  const model = openTelemetry({ ...config, mode });
  return { model, panels: byTitle(model) };
};

export const modes = { direct: reading("direct"), recorded: reading("recorded") };
