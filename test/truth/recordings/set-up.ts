/** What to set for each recorded SDK besides the variables of the output `otlp`: read in the sources of the released packages, November 2026. */
import type { recordings } from "./deviations";

interface SetUp {
  sdk: string;
  /** In the application's code. */
  code: string;
  /** Variables and options that it requires, or without which panels show something else. */
  set: string;
  /** Prompts and completions in spans: whether they are on by default, and how to change it. */
  contents: string;
}

const capture = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const instanceId = "an instance id: `OTEL_RESOURCE_ATTRIBUTES=service.instance.id=…`";
const openAi: SetUp = {
  sdk: "OpenTelemetry's OpenAI 2.4b0",
  code: "`OpenAIInstrumentor().instrument()`",
  set: "`opentelemetry-util-genai==0.4b0`: it fails with later ones; newer is `opentelemetry-instrumentation-genai-openai`",
  contents: `off; on: \`OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental\` and \`${capture}=SPAN_ONLY\``,
};

export const setUps: Record<keyof typeof recordings, SetUp> = {
  "openlit-python-1.45.0": {
    sdk: "OpenLIT for Python 1.45",
    code: "`openlit.init()`",
    set: "the environment: `OTEL_DEPLOYMENT_ENVIRONMENT=production`; without access to GitHub, prices: `OPENLIT_PRICING_JSON`",
    contents: `on; off: \`${capture}=false\``,
  },
  "openlit-node-1.15.0": {
    sdk: "OpenLIT for Node.js 1.15",
    code: "`Openlit.init({ applicationName, environment, otlpHeaders })`",
    set:
      "the header in code, since it does not decode the variable and cuts it at `=`: `otlpHeaders: { Authorization: decodeURIComponent(" +
      'process.env.OTEL_EXPORTER_OTLP_HEADERS).replace("Authorization=", "") }`. For an instance id, start `NodeSDK` before it, as for the AI SDK',
    contents: `on; off: \`${capture}=false\``,
  },
  "opentelemetry-instrumentation-openai-v2-2.4b0": openAi,
  "opentelemetry-instrumentation-openai-v2-2.4b0-gen_ai_latest_experimental": openAi,
  "opentelemetry-instrumentation-openai-v2-2.4b0-exponential": openAi,
  "opentelemetry-instrumentation-genai-openai-1.3b0": {
    sdk: "OpenTelemetry's GenAI OpenAI 1.3b0",
    code: "`OpenAIInstrumentor().instrument()` of `opentelemetry.instrumentation.genai.openai`",
    set: "–",
    contents: `off; on: \`${capture}=SPAN_ONLY\``,
  },
  "openllmetry-openai-0.62.4": {
    sdk: "OpenLLMetry OpenAI 0.62",
    code: "`OpenAIInstrumentor().instrument()`",
    set: "–",
    contents: "on; off: `TRACELOOP_TRACE_CONTENT=false`",
  },
  "langchain-openllmetry-0.62.4": {
    sdk: "OpenLLMetry LangChain 0.62",
    code: "`LangchainInstrumentor().instrument()`",
    set: "–",
    contents: "on; off: `TRACELOOP_TRACE_CONTENT=false`",
  },
  "openai-agents-0.24.0": {
    sdk: "OpenAI Agents 0.24, with OpenTelemetry's instrumentation v2 0.1",
    code: "`OpenAIAgentsInstrumentor().instrument()`",
    set: "–",
    contents: `on; off: \`${capture}=false\``,
  },
  "ai-sdk-7.0.173": {
    sdk: "Vercel AI SDK 7, with `@ai-sdk/otel`",
    code: "`new NodeSDK().start(); registerTelemetry(new OpenTelemetry())`",
    set:
      "an instance id: `OTEL_NODE_RESOURCE_DETECTORS=env,host,process,serviceinstance`. Neither `LegacyOpenTelemetry` nor earlier releases: no table finds " +
      "their spans",
    contents: "on; off in each call: `telemetry: { recordInputs: false, recordOutputs: false }`",
  },
  "agento11y-0.21.0": {
    sdk: "Grafana's agento11y 0.21",
    code: "`Client()`, and its wrapper around each call",
    set: "`AGENTO11Y_PROTOCOL=none`, without Grafana's own service for it",
    contents: "never",
  },
  "google-adk-2.13.0": {
    sdk: "Google ADK 2.13",
    code: "`maybe_set_otel_providers()`; `adk web` calls it",
    set: `${instanceId}. In a short script, \`metrics.get_meter_provider().shutdown()\` at its end`,
    contents: `off; on: \`${capture}=SPAN_ONLY\``,
  },
  "litellm-1.106.2": {
    sdk: "LiteLLM 1.106",
    code: '`litellm.callbacks = ["otel"]`',
    set:
      "`LITELLM_OTEL_INTEGRATION_ENABLE_METRICS=true`; the environment: `OTEL_ENVIRONMENT_NAME=production`; [the header without `%20`](#litellm); " +
      "[fewer series](#litellm)",
    contents: `on; off: \`${capture}=false\``,
  },
  "pydantic-ai-2.68.0": {
    sdk: "Pydantic AI 2.68",
    code: "`Agent.instrument_all()`",
    set: "–",
    contents: "on; off in code: `InstrumentationSettings(include_content=False)`",
  },
  "strands-agents-1.62.0": {
    sdk: "Strands Agents 1.62",
    code: "`StrandsTelemetry().setup_otlp_exporter()`",
    set: "nothing makes its metrics those of the conventions: only its spans are shown",
    contents: "on, as events of spans, which no table shows",
  },
  "agent-framework-1.23.0": {
    sdk: "Microsoft's Agent Framework 1.23",
    code: "`observability.enable_instrumentation()`",
    set: "–",
    contents: "off; on: `enable_instrumentation(enable_sensitive_data=True)`",
  },
  "openinference-openai-0.1.66": {
    sdk: "OpenInference OpenAI 0.1",
    code: "`OpenAIInstrumentor().instrument()`",
    set: "`OPENINFERENCE_ENABLE_GENAI_SEMCONV=true`: its spans then have the attributes that the table shows. It sends no metrics",
    contents: "on; off: `OPENINFERENCE_HIDE_INPUTS=true` and `OPENINFERENCE_HIDE_OUTPUTS=true`",
  },
};
