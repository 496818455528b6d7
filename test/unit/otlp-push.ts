/** An instrumented application: pushes one metric and one span with the real OpenTelemetry SDK, configured by its environment alone. */
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
const meters = new MeterProvider({ readers: [reader] });
meters.getMeter("test").createCounter("requests").add(1);
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] });
tracers.getTracer("test").startSpan("call").end();

void Promise.all([meters.shutdown(), tracers.shutdown()]);
