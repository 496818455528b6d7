import { defineConfig } from "vitest/config";

/** The tests with real servers and known telemetry. Each file starts its own servers, so the files run one after another. */
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
