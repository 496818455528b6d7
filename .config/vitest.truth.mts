import { defineConfig } from "vitest/config";
import { LongFirst } from "./long-first.mts";

/** Tests on real Prometheus, Loki and Tempo. Each file starts its own servers, and waits for them: so there are three at once. */
export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // A worker loads shared modules, such as Grafana's, once for all its files.
    isolate: false,
    include: ["test/truth/**/*.test.ts"],
    exclude: ["test/truth/mimir"],
    // The servers are written in Go, have little data, and collect garbage a third of their time by default.
    env: { GOGC: "400" },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
