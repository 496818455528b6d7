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

const agents = ["Invocations by Agent", "Mean Duration by Agent", "MCP Operations by Method", "Tool Calls by Tool"];
const databases = ["Requests by System", "Requests by DB Operation", "p95 Latency by System"];

/** The texts of panels without data, where it is not "No data": many SDKs never send it. */
export const emptyTexts: Record<string, RegExp> = {
  ...Object.fromEntries([...agents, ...databases].map((title) => [title, /^Nothing arrives\. .* sends? it/])),
  "p95 Latency": /^Too few or not sent$/,
  "p95 First Token": /^Too few or not sent$/,
  "Errors by Type": /^No errors$/,
  "Tokens without Cost": /^None$/,
  "Tool Errors by Tool": /^No failed calls\./,
};
