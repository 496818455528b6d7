/** The points of a first deployment at which a process is killed, and the steps of the recovery. */
import type { ObservedRequest, Phase } from "../../sandbox/grafana/server";
import { isFullSize } from "../../support/test-size";
import type { Process } from "./processes";

/** The write requests of a deployment: the resource, and how the request is recognized. */
const writes = {
  connection: { resource: "service-connection", path: "/api/connections", text: "" },
  prometheus: { resource: "prometheus", path: "/api/datasources", text: '"uid":"llm-observability-prometheus"' },
  loki: { resource: "loki", path: "/api/datasources", text: '"uid":"llm-observability-loki"' },
  tempo: { resource: "tempo", path: "/api/datasources", text: '"uid":"llm-observability-tempo"' },
  folder: { resource: "folder", path: "/api/folders", text: "" },
  permissions: { resource: "folder-permissions", path: "/api/access-control/folders/llm-observability", text: "" },
  "genai-observability": { resource: "genai-observability", path: "/api/dashboards/db", text: '"uid":"genai-observability"' },
  "genai-observability-otel": {
    resource: "genai-observability-otel",
    path: "/api/dashboards/db",
    text: '"uid":"genai-observability-otel"',
  },
  "llm-monitoring": { resource: "service-llm-monitoring", path: "/api/dashboards/db", text: '"uid":"llmobs-llm-monitoring"' },
};

/** The name in the setting `imports`, if the resource can be imported. */
export type Write = keyof typeof writes;

/** The `provider` is the one that sends the request: the dynamic provider, or Grafana's. */
export type KilledProcess = "engine" | "program" | "provider";

/** The steps of the user in addition to the next `up`, and the number of registrations at the end. */
export type Point = [write: Write, phase: Phase, killed: KilledProcess, steps: ("cancel" | "adopt")[], registrations: 1 | 2];

/**
 * "arrived": the request arrives but is never processed, except if the program is killed: its request continues.
 *
 * - The engine is killed: the lock stays, and the pending operation. Its child processes continue: the dynamic provider sends the request that
 *   it has begun, so the service receives it although the engine was killed before. Then the language host and the dynamic provider stay idle
 *   until they are killed.
 * - The program is killed: the engine finishes the operations under way, stores them and fails. Nothing is lost.
 * - A provider is killed: its resource fails, the engine stores all others and fails. No lock, and no pending operation.
 */
const common: Point[] = [
  ["connection", "handled", "engine", ["cancel"], 2],
  ["folder", "handled", "engine", ["cancel", "adopt"], 1],
  ["llm-monitoring", "arrived", "engine", ["cancel"], 1],
  ["connection", "handled", "program", [], 1],
  ["connection", "handled", "provider", [], 2],
  ["llm-monitoring", "handled", "provider", ["adopt"], 1],
];

/** Other points with the same recoveries, tested only with TEST_SIZE=full. */
const others: Point[] = [
  ["prometheus", "arrived", "engine", ["cancel"], 1],
  ["loki", "handled", "engine", ["cancel", "adopt"], 1],
  ["tempo", "answered", "engine", ["cancel", "adopt"], 1],
  ["permissions", "answered", "engine", ["cancel"], 1],
  ["genai-observability", "handled", "engine", ["cancel", "adopt"], 1],
  ["tempo", "arrived", "program", [], 1],
  ["genai-observability-otel", "answered", "program", [], 1],
  ["prometheus", "handled", "provider", ["adopt"], 1],
  ["loki", "answered", "provider", ["adopt"], 1],
  ["folder", "arrived", "provider", [], 1],
  // The next request sets the same permissions.
  ["permissions", "handled", "provider", [], 1],
];

/** The points that are tested. */
export const points = isFullSize ? [...common, ...others] : common;

/** The name of the resource that sends a write request. */
export const resourceOf = (write: Write) => writes[write].resource;

export function isWrite(write: Write, { method, path, body }: ObservedRequest): boolean {
  return method === "POST" && path.endsWith(writes[write].path) && body.includes(writes[write].text);
}

/** Finds the process to kill among those of a deployment, of which the first one is the engine. */
export function processOf(killed: KilledProcess, write: Write, [engine, ...children]: readonly Process[]): Process {
  const provider = write === "connection" ? /\/cmd\/dynamic-provider\// : /\/pulumi-resource-grafana\b|\/grafana\.ts /;
  const found =
    killed === "engine" ? engine : children.find(({ command }) => (killed === "program" ? /\/cmd\/run\// : provider).test(command));
  if (!found) throw new Error(`No ${killed} among:\n${children.map(({ command }) => command).join("\n")}`);
  return found;
}
