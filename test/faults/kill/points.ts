/** The points of a first deployment at which somebody is killed, and what has to be done after it. */
import type { ObservedRequest, Phase } from "../../sandbox/grafana/server";
import type { Process } from "./processes";

/** What a deployment writes: its resource, and how the request is recognized. */
const writes = {
  connection: { resource: "service-connection", path: "/api/connections", text: "" },
  prometheus: { resource: "prometheus", path: "/api/datasources", text: '"uid":"llm-observability-prometheus"' },
  loki: { resource: "loki", path: "/api/datasources", text: '"uid":"llm-observability-loki"' },
  tempo: { resource: "tempo", path: "/api/datasources", text: '"uid":"llm-observability-tempo"' },
  folder: { resource: "folder", path: "/api/folders", text: "" },
  permissions: { resource: "folder-permissions", path: "/api/access-control/folders/llm-observability", text: "" },
  "genai-observability": { resource: "genai-observability", path: "/api/dashboards/db", text: '"uid":"genai-observability"' },
  "llm-monitoring": { resource: "service-llm-monitoring", path: "/api/dashboards/db", text: '"uid":"llmobs-llm-monitoring"' },
};

/** Named as it is adopted, where it can be. */
export type Write = keyof typeof writes;

/** The `provider` is the one that sends the write: the dynamic one, or Grafana's. */
export type Victim = "engine" | "program" | "provider";

/** What the user does beside the next `up`, and how many registrations there are in the end. */
export type Point = [write: Write, phase: Phase, victim: Victim, steps: ("cancel" | "adopt")[], registrations: 1 | 2];

/**
 * At the connection, "arrived" is before anything of the request was read. Elsewhere it is a request that Grafana then never acts on, except
 * where the program was killed: its request goes on.
 *
 * - The engine killed: the lock stays, and a note of what was being created. What it started goes on: the dynamic provider sends the request
 *   that it has begun, and so the service has it although the engine died before.
 *   The language host and the dynamic provider then stay, idle, until somebody ends them.
 * - The program killed: the engine sees through what is under way, notes it and ends with an error. Nothing is lost.
 * - A provider killed: its resource fails, the engine notes all others and ends with an error. No lock, and no note of what was under way.
 */
export const points: Point[] = [
  ["connection", "arrived", "engine", ["cancel"], 2],
  ["connection", "arrived", "provider", [], 1],
  ["connection", "handled", "engine", ["cancel"], 2],
  ["connection", "handled", "program", [], 1],
  ["connection", "handled", "provider", [], 2],
  ["connection", "answered", "engine", ["cancel"], 2],
  ["prometheus", "arrived", "engine", ["cancel"], 1],
  ["prometheus", "handled", "provider", ["adopt"], 1],
  ["loki", "handled", "engine", ["cancel", "adopt"], 1],
  ["loki", "answered", "provider", ["adopt"], 1],
  ["tempo", "answered", "engine", ["cancel", "adopt"], 1],
  ["tempo", "arrived", "program", [], 1],
  ["folder", "handled", "engine", ["cancel", "adopt"], 1],
  ["folder", "arrived", "provider", [], 1],
  // Setting permissions again sets the same ones.
  ["permissions", "handled", "provider", [], 1],
  ["permissions", "answered", "engine", ["cancel"], 1],
  ["genai-observability", "handled", "engine", ["cancel", "adopt"], 1],
  ["genai-observability", "answered", "program", [], 1],
  ["llm-monitoring", "handled", "provider", ["adopt"], 1],
  ["llm-monitoring", "arrived", "engine", ["cancel"], 1],
];

/** The name of the resource that makes a write. */
export const resourceOf = (write: Write) => writes[write].resource;

/** Whether a request is this write. */
export function isWrite(write: Write, { method, path, body }: ObservedRequest): boolean {
  return method === "POST" && path.endsWith(writes[write].path) && body.includes(writes[write].text);
}

/** The victim among the processes of a deployment, of which the first one is the engine. */
export function victimOf(victim: Victim, write: Write, [engine, ...others]: readonly Process[]): Process {
  const provider = write === "connection" ? /\/cmd\/dynamic-provider\// : /\/pulumi-resource-grafana\b|\/grafana\.ts /;
  const found =
    victim === "engine" ? engine : others.find(({ command }) => (victim === "program" ? /\/cmd\/run\// : provider).test(command));
  if (!found) throw new Error(`There is no ${victim} among:\n${others.map(({ command }) => command).join("\n")}`);
  return found;
}
