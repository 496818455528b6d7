import { defineConfig } from "vitest/config";

/** The truth layer: real servers and known telemetry. Each file has servers of its own, one file at a time. */
export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    fileParallelism: false,
    include: ["test/real-servers/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
