import { defineConfig } from "vitest/config";

/** Tests on real Prometheus, Loki and Tempo. Each file starts its own servers, for which it waits half of the time: so there are two at once. */
export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    maxWorkers: 2,
    include: ["test/truth/**/*.test.ts"],
    exclude: ["test/truth/mimir"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
