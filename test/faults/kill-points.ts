/** The requests of a first deployment during which it is interrupted, and the recovery from each. */
import type { ObservedRequest, Phase } from "../sandbox/grafana/server";
import { isFullSize } from "../support/test-size";
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

function datasource(type: string): Write {
  const id = `llm-observability-${type}`;
  return { resource: `platform-${type}`, id, path: /\/api\/datasources$/, text: `"uid":"${id}"` };
}

const dashboard = (resource: string, id: string): Write => ({ resource, id, path: /\/api\/dashboards\/db$/, text: `"uid":"${id}"` });

/** Requests of a deployment that change something. */
export const writes = {
  connection: { resource: "service-connection", path: /^\/api\/connections$/ },
  prometheus: datasource("prometheus"),
  loki: datasource("loki"),
  tempo: datasource("tempo"),
  folder: { resource: "platform-folder", id: "llm-observability", path: /\/api\/folders$/ },
  permissions: { resource: "platform-folder-permissions", path: /\/api\/access-control\/folders\/llm-observability$/ },
  "genai-observability": dashboard("platform-genai-observability", "genai-observability"),
  "genai-observability-otel": dashboard("platform-genai-observability-otel", "genai-observability-otel"),
  "llm-monitoring": dashboard("service-llm-monitoring", "llmobs-llm-monitoring"),
  rule: { resource: "service-alert-slow", id: "llm-observability:LlmobsSlow", path: /\/rule-groups\//, text: '"title":"LlmobsSlow"' },
} satisfies Record<string, Write>;

/** The `provider` is the one that sends the request: the dynamic provider, or Grafana's. Ctrl-C is sent to all processes, as by a terminal. */
export type Interruption = "kill engine" | "kill program" | "kill provider" | "Ctrl-C";

/** The steps of the user in addition to the next `up`. */
export type Step = "cancel" | "adopt";

export type Point = [write: keyof typeof writes, phase: Phase, how: Interruption, steps: Step[], registrations: 1 | 2];

/**
 * "arrived": the request arrives but is never processed, except if the program is killed: its request continues.
 *
 * - The engine is killed: the lock stays, and the pending operation. Its child processes continue: the dynamic provider sends the request that
 *   it has begun, so the service receives it although the engine was killed before. Then the language host and the dynamic provider stay idle
 *   until they are killed.
 * - The program is killed, or Ctrl-C is pressed: the engine finishes the operations under way, stores them and fails. Nothing is lost.
 * - A provider is killed: its resource fails, the engine stores all others and fails. No lock, and no pending operation.
 */
const common: Point[] = [
  ["folder", "handled", "kill engine", ["cancel", "adopt"], 1],
  ["rule", "handled", "kill provider", ["adopt"], 1],
  ["connection", "handled", "kill engine", ["cancel"], 2],
  ["connection", "handled", "kill provider", [], 2],
  ["connection", "handled", "kill program", [], 1],
  ["connection", "handled", "Ctrl-C", [], 1],
];

/** Other points with the same recoveries, tested only with TEST_SIZE=full. */
const others: Point[] = [
  ["prometheus", "arrived", "kill engine", ["cancel"], 1],
  ["loki", "handled", "kill engine", ["cancel", "adopt"], 1],
  ["tempo", "answered", "kill engine", ["cancel", "adopt"], 1],
  ["permissions", "answered", "kill engine", ["cancel"], 1],
  ["rule", "handled", "kill engine", ["cancel", "adopt"], 1],
  ["genai-observability", "handled", "kill engine", ["cancel", "adopt"], 1],
  ["llm-monitoring", "arrived", "kill engine", ["cancel"], 1],
  ["tempo", "arrived", "kill program", [], 1],
  ["genai-observability-otel", "answered", "kill program", [], 1],
  ["rule", "handled", "kill program", [], 1],
  ["llm-monitoring", "handled", "kill provider", ["adopt"], 1],
  ["prometheus", "handled", "kill provider", ["adopt"], 1],
  ["loki", "answered", "kill provider", ["adopt"], 1],
  ["folder", "arrived", "kill provider", [], 1],
  // The next request sets the same permissions.
  ["permissions", "handled", "kill provider", [], 1],
];

/** The points that are tested. */
export const points = isFullSize ? [...common, ...others] : common;

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
