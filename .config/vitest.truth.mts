import { defineConfig } from "vitest/config";

/** Tests on real Prometheus, Loki and Tempo. Each file starts its own servers, so files run one after the other. */
export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    fileParallelism: false,
    include: ["test/truth/**/*.test.ts"],
    exclude: ["test/truth/mimir"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
