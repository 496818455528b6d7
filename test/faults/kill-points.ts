/** The requests of a first deployment during which it is interrupted, and the recovery from each. */
import type { ObservedRequest, Phase } from "../sandbox/grafana/server";
import type { Process } from "./processes";

export interface Write {
  /** The resource that sends the request. */
  resource: string;
  /** The id with which the resource is imported. */
  id?: string;
  /** How the request is recognized. */
  path: RegExp;
  text?: string;
}

/** Requests of a deployment that change something. */
export const writes = {
  connection: { resource: "service-connection", path: /^\/api\/connections$/ },
  folder: { resource: "platform-folder", id: "llm-observability", path: /\/api\/folders$/ },
  dashboard: {
    ...{ resource: "service-llm-monitoring", id: "llmobs-llm-monitoring" },
    ...{ path: /\/api\/dashboards\/db$/, text: '"uid":"llmobs-llm-monitoring"' },
  },
  rule: {
    ...{ resource: "service-alert-slow", id: "llm-observability:LlmobsSlow" },
    ...{ path: /\/rule-groups\//, text: '"title":"LlmobsSlow"' },
  },
} satisfies Record<string, Write>;

/** The `provider` is the one that sends the request: the dynamic provider, or Grafana's. Ctrl-C is sent to all processes, as by a terminal. */
export type Interruption = "kill engine" | "kill program" | "kill provider" | "Ctrl-C";

/** The steps of the user in addition to the next `up`. */
export type Step = "cancel" | "adopt";

/** "arrived": the request is never processed. "handled": Grafana or the service has acted on it. */
export type Point = [write: keyof typeof writes, phase: Phase, how: Interruption, steps: Step[], registrations: 1 | 2];

/**
 * - The engine is killed: the lock stays, and the pending operation. Its child processes continue: the dynamic provider sends the request that
 *   it has begun, so the service receives it although the engine was killed before. Then the language host and the dynamic provider stay idle
 *   until they are killed.
 * - The program is killed, or Ctrl-C is pressed: the engine finishes the operations under way, stores them and fails. Nothing is lost.
 * - A provider is killed: its resource fails, the engine stores all others and fails. No lock, and no pending operation.
 */
export const points: Point[] = [
  ["folder", "handled", "kill engine", ["cancel", "adopt"], 1],
  ["dashboard", "arrived", "kill engine", ["cancel"], 1],
  ["rule", "handled", "kill provider", ["adopt"], 1],
  ["connection", "handled", "kill engine", ["cancel"], 2],
  ["connection", "handled", "kill provider", [], 2],
  ["connection", "handled", "kill program", [], 1],
  ["connection", "handled", "Ctrl-C", [], 1],
];

export function isWrite(write: Write, { method, path, body }: ObservedRequest): boolean {
  return method !== "GET" && write.path.test(path) && body.includes(write.text ?? "");
}

/** Finds the process to kill among those of a deployment, of which the first one is the engine. */
export function processOf(how: Interruption, write: Point[0], [engine, ...children]: readonly Process[]): Process {
  const provider = write === "connection" ? /\/cmd\/dynamic-provider\// : /\/pulumi-resource-grafana\b|\/grafana\.ts /;
  const pattern = how === "kill program" ? /\/cmd\/run\// : provider;
  const found = how === "kill engine" ? engine : children.find(({ command }) => pattern.test(command));
  if (!found) throw new Error(`No process to ${how} among:\n${children.map(({ command }) => command).join("\n")}`);
  return found;
}
