import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Minutes each. The last file to end would otherwise be one of them. */
const long = ["demo", "alerts/alerts", "dashboards", "alerts/replay"];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(`/truth/${name}.test.ts`));
    return [...files.filter(isLong), ...files.filter((file) => !isLong(file))];
  }
}

/** Tests on real Prometheus, Loki and Tempo. Each file starts its own servers, and waits for them: so there are three at once. */
export default defineConfig({
  test: {
    root: ".",
    pool: "forks",
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    include: ["test/truth/**/*.test.ts"],
    exclude: ["test/truth/mimir"],
    // The servers are written in Go, have little data, and collect garbage a third of their time by default.
    env: { GOGC: "400" },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
