/** Signals of "GenAI Observability (OpenTelemetry)" about what is not a request to a model: agents, tools, MCP and vector databases. */
import type { SignalBuilder } from "./opentelemetry-builder";
import { isPresent, nameMissing, nameOf } from "./promql";
import { seconds } from "./signal";

/** Who sends what few SDKs send: the texts of empty panels. */
export const emitters = {
  agents: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for agents.",
  tools: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for tools.",
  toolErrors: "No failed calls. Agent frameworks send them by OpenTelemetry's conventions for tools.",
  mcp: "Nothing arrives. MCP clients and servers send it by OpenTelemetry's conventions for MCP.",
  databases: "Nothing arrives. OpenLIT sends it for vector databases.",
} as const;

export function operationSignals({ measures, names, label, totalBy, percentile, mean }: SignalBuilder) {
  const { agents, agentSeconds, tools, mcp, databases, databaseLatency } = measures;
  const [agent, tool, error, system] = [label("agent"), label("tool"), label("error"), label("databaseSystem")];
  const ofAgents = "Few frameworks send it: those that follow OpenTelemetry's conventions for agents and tools.";
  const ofMcp = "Only clients and servers that follow OpenTelemetry's conventions for MCP send it.";
  const agentDuration = mean(agentSeconds, agents, "$__interval", [], agent);

  return {
    agents: totalBy(agent, `Invocations of agents in the time range by agent, failed ones included. ${ofAgents}`, agents),
    agentDurationOverTime: {
      ...agentDuration,
      ...seconds,
      query: nameMissing(agent, agentDuration.query),
      legend: nameOf(agent),
      description: `Mean duration of the invocations in each interval by agent. ${ofAgents}`,
    },
    tools: totalBy(tool, `Calls of tools by agents in the time range by tool, failed ones included. ${ofAgents}`, tools),
    toolErrors: totalBy(tool, `Failed calls of tools in the time range by tool: those with ${error}. ${ofAgents}`, tools, isPresent(error)),
    mcp: totalBy(label("mcpMethod"), `Operations of the Model Context Protocol of clients in the time range by method. ${ofMcp}`, mcp),
    databaseSystems: totalBy(system, "Requests to vector databases in the time range by database system.", databases),
    databaseOperations: totalBy(label("databaseOperation"), "Requests to vector databases in the time range by operation.", databases),
    databaseLatencyOverTime: {
      ...percentile(95, databaseLatency, "$__interval", system),
      legend: `{{${system}}} {{${names.application}}}`,
      description: "The time within which 95 % of an application's requests to a vector database in an interval end, by database system.",
    },
  };
}
