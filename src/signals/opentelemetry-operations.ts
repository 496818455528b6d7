/** Signals of "GenAI Observability (OpenTelemetry)" about what is not a request to a model: agents, tools, MCP and vector databases. */
import { type SignalBuilder, seconds } from "./opentelemetry-builder";
import { nameMissing, nameOf } from "./promql";

/** Who sends what few SDKs send: the texts of empty panels. */
export const emitters = {
  agents: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for agents.",
  tools: "Nothing arrives. Agent frameworks send it by OpenTelemetry's conventions for tools.",
  toolErrors: "No failed calls. Agent frameworks send them by OpenTelemetry's conventions for tools.",
  mcp: "Nothing arrives. MCP clients and servers send it by OpenTelemetry's conventions for MCP.",
  databases: "Nothing arrives. OpenLIT sends it for vector databases.",
} as const;

export function operationSignals({ measures, label, names, failed, reads, by, overTime, percentile, mean }: SignalBuilder) {
  const { agents, agentSeconds, tools, mcp, databases, databaseLatency } = measures;
  const [agent, system] = [label("agent"), label("databaseSystem")];
  const ofAgents = "Few frameworks send it: those that follow OpenTelemetry's conventions for agents and tools.";
  const ofMcp = "Only clients and servers that follow OpenTelemetry's conventions for MCP send it.";

  return {
    agents: by(agents, "agent", `Invocations of agents in the time range by agent, failed ones included. ${ofAgents}`),
    agentDurationOverTime: overTime(agents, nameMissing(agent, mean(agentSeconds, agents, "$__interval", [], agent)), {
      description: `Mean duration of the invocations in each interval by agent. ${ofAgents}`,
      calculation: "The increase of the durations, divided by the number of invocations.",
      series: reads(agentSeconds, agents),
      legend: nameOf(agent),
      ...seconds,
    }),
    tools: by(tools, "tool", `Calls of tools by agents in the time range by tool, failed ones included. ${ofAgents}`),
    toolErrors: by(tools, "tool", `Failed calls of tools in the time range by tool: those with ${label("error")}. ${ofAgents}`, [failed]),
    mcp: by(
      mcp,
      "mcpMethod",
      `Operations of the Model Context Protocol in the time range by method, those of clients, or of servers without a client. ${ofMcp}`,
    ),
    databaseSystems: by(databases, "databaseSystem", "Requests to vector databases in the time range by database system."),
    databaseOperations: by(databases, "databaseOperation", "Requests to vector databases in the time range by operation."),
    databaseLatencyOverTime: percentile(
      95,
      databaseLatency,
      "$__interval",
      {
        description: "The time within which 95 % of an application's requests to a vector database in an interval end, by database system.",
        legend: `{{${system}}} {{${names.application}}}`,
      },
      system,
    ),
  };
}
