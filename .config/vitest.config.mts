import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    // Half of the time is spent waiting for engines and servers: more workers than the cores of a small machine.
    maxWorkers: 3,
    projects: [
      // Limits against hanging, not against slowness: machines differ.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          // What all of them load is loaded once for each worker; whoever puts something of his own in a module's place takes it away again.
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
