/** Variables of the dashboards read labels with dots from a real Prometheus: the setting `metricNaming` is `utf8`. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { genaiObservability } from "../../../src/dashboards/genai-observability";
import { openTelemetry } from "../../../src/dashboards/opentelemetry";
import { valuesOf } from "../../../src/view/page/live/variables";
import { variablesOf } from "../../../src/view/reading/panel";
import { type RunningPrometheus, startPrometheus } from "../servers";
import { push } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders } from "../telemetry/service";

const now = Date.now();
const range = { from: now - 3_600_000, to: now };
const config = { uid: "d", sdkName: "sdk", prometheusUid: "p", tempoUid: "t", mode: "direct", naming: "utf8" } as const;

let prometheus: RunningPrometheus;

beforeAll(async () => {
  prometheus = await startPrometheus();
  const series = [
    { __name__: "gen_ai.total.requests", "gen_ai.application_name": "shop", "gen_ai.environment": "prod" },
    { __name__: "gen_ai.total.requests", "gen_ai.application_name": "bot", "gen_ai.environment": "test" },
    {
      __name__: "gen_ai.client.operation.duration_count",
      "service.name": "assistant",
      "deployment.environment.name": "staging",
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4o",
    },
  ];
  const body = remoteWrite(series.map((labels) => ({ labels, samples: [[now - 60_000, 1]] })));
  await push(body, `${prometheus.prometheus}/api/v1/write`, remoteWriteHeaders);
}, 60_000);

afterAll(() => prometheus?.stop());

it.each([
  {
    name: "GenAI Observability",
    model: genaiObservability(config),
    values: { application: ["bot", "shop"], environment: ["prod", "test"] },
  },
  {
    name: "GenAI Observability (OpenTelemetry)",
    model: openTelemetry(config),
    values: { application: ["assistant"], environment: ["staging"], model: ["gpt-4o"] },
  },
])("$name", async ({ model, values }) => {
  const variables = variablesOf(model).filter(({ type }) => type === "query");
  const read = await Promise.all(
    variables.map(async (variable) => [variable.name, await valuesOf(variable, range, () => prometheus.prometheus)]),
  );
  expect(Object.fromEntries(read)).toEqual(values);
});
