/** The unit tests that mutation testing runs. */
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A mutant's run ends with the first failure: the file that failed last, then short ones. */
class ShortFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const last = this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`);
      return last?.failed ? -1 : (last?.duration ?? 0);
    };
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  plugins: [
    {
      name: "processes",
      // Stryker sets threads, in which Pulumi waits forever for the inspector when `refuse` serializes its provider.
      configureVitest({ project }) {
        project.config.pool = "forks";
      },
    },
  ],
  test: {
    root: ".",
    include: ["test/unit/**/*.test.ts"],
    exclude: [
      // Run src in processes of its own, where no mutant is active.
      "test/unit/{doctor,options}.test.ts",
      "test/unit/report/cli.test.ts",
      // Test other code: the stand-ins, tools, workflows and documents, and the code that is not mutated.
      "test/unit/{dashboards,signals,stand-ins,toolchain}/**",
      "test/unit/{documents,otlp,supply-chain,workflows}.test.ts",
      "test/unit/untrusted-input/headers.test.ts",
      // Takes a minute, which each mutant that no test kills would wait for.
      "test/unit/untrusted-input/settings.test.ts",
    ],
    setupFiles: [".config/vitest.mutation.set-up.mts"],
    reporters: [{}],
    sequence: { sequencer: ShortFirst },
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
