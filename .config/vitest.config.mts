import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    // The tests wait for engines and servers half of the time: more workers than a small machine has cores.
    maxWorkers: 3,
    projects: [
      // The timeouts end tests that hang. They are far above the duration on a slow machine.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          setupFiles: ["test/support/seed.ts"],
          // A worker loads shared modules once for all its files. A test that replaces a module restores it.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { extends: true, test: { name: "engine", include: ["test/engine/**/*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000 } },
      { extends: true, test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], testTimeout: 600_000, hookTimeout: 600_000 } },
      {
        extends: true,
        test: {
          name: "genuine",
          include: ["test/genuine/**/*.test.ts"],
          globalSetup: "test/genuine/set-up.ts",
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      { extends: true, test: { name: "faults", include: ["test/faults/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 300_000 } },
    ],
  },
});
