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

export function operationSignals({ measures, names, label, reads, signal, by, percentile, mean }: SignalBuilder) {
  const { agents, agentSeconds, tools, mcp, databases, databaseLatency } = measures;
  const [agent, tool, error, system] = [label("agent"), label("tool"), label("error"), label("databaseSystem")];
  const ofAgents = "Few frameworks send it: those that follow OpenTelemetry's conventions for agents and tools.";
  const ofMcp = "Only clients and servers that follow OpenTelemetry's conventions for MCP send it.";

  const ofDatabases =
    "The time within which 95 % of an application's requests to a vector database in an interval end, by database system.";
  return {
    agents: by(agents, agent, `Invocations of agents in the time range by agent, failed ones included. ${ofAgents}`),
    agentDurationOverTime: signal(
      agents,
      nameOf(agent),
      `Mean duration of the invocations in each interval by agent. ${ofAgents}`,
      nameMissing(agent, mean(agentSeconds, agents, "$__interval", [], agent)),
      {
        ...seconds,
        calculation: "The increase of the durations, divided by the number of invocations.",
        queryType: "range",
        series: reads(agentSeconds, agents),
      },
    ),
    tools: by(tools, tool, `Calls of tools by agents in the time range by tool, failed ones included. ${ofAgents}`),
    toolErrors: by(tools, tool, `Failed calls of tools in the time range by tool: those with ${error}. ${ofAgents}`, [isPresent(error)]),
    mcp: by(mcp, label("mcpMethod"), `Operations of the Model Context Protocol of clients in the time range by method. ${ofMcp}`),
    databaseSystems: by(databases, system, "Requests to vector databases in the time range by database system."),
    databaseOperations: by(databases, label("databaseOperation"), "Requests to vector databases in the time range by operation."),
    databaseLatencyOverTime: percentile(95, databaseLatency, "$__interval", `{{${system}}} {{${names.application}}}`, ofDatabases, system),
  };
}
