import { defineConfig } from "vitest/config";

/** Tests on real Prometheus, Loki and Tempo. Each file starts its own servers, for which it waits half of the time: so there are three at once on two cores. */
export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    maxWorkers: 3,
    include: ["test/truth/**/*.test.ts"],
    exclude: ["test/truth/mimir"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
