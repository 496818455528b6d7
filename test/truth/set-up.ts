/** The servers of most test files, from before the first test until after the last one. */
import { afterAll, beforeAll } from "vitest";
import { type RunningPrometheus, type RunningServers, startPrometheus, startServers } from "./servers";

/** Prometheus, Loki and Tempo. */
export let servers: RunningServers;
/** Prometheus alone. */
export let server: RunningPrometheus;

/** @param prepare follows the start of `servers`. Both have the timeout in milliseconds */
export function useServers(timeout: number, prepare?: () => Promise<unknown>): void {
  beforeAll(async () => {
    servers = await startServers();
    await prepare?.();
  }, timeout);
  afterAll(() => servers?.stop());
}

/** The same for `server`. */
export function usePrometheus(timeout: number, prepare: () => Promise<unknown>): void {
  beforeAll(async () => {
    server = await startPrometheus();
    await prepare();
  }, timeout);
  afterAll(() => server?.stop());
}
