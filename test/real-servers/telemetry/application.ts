/**
 * An application with the real OpenTelemetry SDK, configured by environment variables only: two calls to an LLM provider and one to a vector database
 * with the names of the spec (2.3). The argument is the name of the instrumentation SDK.
 */
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const [, , sdkName = ""] = process.argv;

const meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })] });
const meter = meters.getMeter("application");
const requests = meter.createCounter("gen_ai.total.requests", { unit: "1" });
const tokens = meter.createCounter("gen_ai.usage.total_tokens", { unit: "1" });
const promptTokens = meter.createCounter("gen_ai.usage.prompt_tokens", { unit: "1" });
const completionTokens = meter.createCounter("gen_ai.usage.completion_tokens", { unit: "1" });
const databaseRequests = meter.createCounter("db.total.requests", { unit: "1" });
const costs = meter.createHistogram("gen_ai.usage.cost", { unit: "USD" });

const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] });
const tracer = tracers.getTracer("application");

const common = { "telemetry.sdk.name": sdkName, "gen_ai.application_name": "live", "gen_ai.environment": "test" };

const trace = (name: string, attributes: Record<string, string | number>) => {
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  span.setStatus({ code: SpanStatusCode.OK }).end();
};

for (const [prompt, cost] of [
  ["one", 0.25],
  ["two", 0.5],
] as const) {
  const labels = { ...common, "gen_ai.system": "openai", "gen_ai.type": "chat", "gen_ai.request.model": "gpt-4o" };
  requests.add(1, labels);
  promptTokens.add(10, labels);
  completionTokens.add(4, labels);
  tokens.add(14, labels);
  costs.record(cost, labels);
  trace("openai.chat.completions", {
    ...labels,
    "gen_ai.content.prompt": prompt,
    "gen_ai.content.completion": "yes",
    "gen_ai.usage.cost": cost,
  });
}
const labels = { ...common, "gen_ai.type": "vectordb", "db.system": "chroma", "db.operation": "query" };
databaseRequests.add(1, labels);
trace("chroma.query", labels);

async function shutdown(): Promise<void> {
  await meters.shutdown();
  await tracers.shutdown();
}

shutdown().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
