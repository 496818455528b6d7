import { defineConfig } from "vitest/config";
import { LongFirst } from "./long-first.mts";

/** The stories that `npm test` runs. `npm run test:slow` runs the others. */
const essential = ["life", "connection"].map((name) => `test/stories/${name}.test.ts`);
// The CLI is written in Go, lives for seconds, and collects garbage a tenth of its time by default.
const env = { GOGC: "800" };
// A worker loads shared modules once for all its files. A test that replaces a module restores it.
const isolate = false;
const stories = { globalSetup: "test/support/stories.ts", env, isolate, testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    // The tests wait for engines and servers half of the time: more workers than a small machine has cores.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      // The timeouts end tests that hang. They are far above the duration on a slow machine.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          setupFiles: ["test/support/seed.ts"],
          isolate,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { extends: true, test: { ...stories, name: "engine", include: essential } },
      { extends: true, test: { ...stories, name: "stories", include: ["test/stories/*.test.ts"], exclude: essential } },
      { extends: true, test: { ...stories, name: "faults", include: ["test/faults/**/*.test.ts"] } },
    ],
  },
});
