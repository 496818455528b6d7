/** The expected values of all panels, by the dashboard and the panel's title. */
import type { PanelTruth } from "./expected";
import { genai } from "./genai";
import { llmMonitoring } from "./llm-monitoring";
import { openTelemetry } from "./opentelemetry";

export type DashboardName = "LLM Monitoring" | "GenAI Observability" | "GenAI Observability (OpenTelemetry)";

export const truths: Record<DashboardName, Record<string, PanelTruth>> = {
  "LLM Monitoring": llmMonitoring,
  "GenAI Observability": genai,
  "GenAI Observability (OpenTelemetry)": openTelemetry,
};

const notSent = /^Not sent$|SDK sends|^Nothing arrives\. .* sends? it/;

/** The texts of panels without data, where it is not "No data": many SDKs never send it. */
export const emptyTexts: Record<string, RegExp> = {
  Cost: notSent,
  "Cost / Request": notSent,
  "Cost by Model": notSent,
  "Top Models by Cost": notSent,
  "Errors by Type": /^No errors$/,
  "Invocations by Agent": notSent,
  "Mean Duration by Agent": notSent,
  "MCP Operations by Method": notSent,
  "Tool Calls by Tool": notSent,
  "Tool Errors by Tool": /^No failed calls\./,
  "Requests by System": notSent,
  "Requests by DB Operation": notSent,
  "p95 Latency by System": notSent,
};
