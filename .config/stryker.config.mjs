/** Mutation testing of the code that decides: changes src in thousands of ways, and runs the unit tests that execute the changed code. */

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  mutate: ["src/settings.ts", "src/{alerts,backtest,checks,connection,network,platform,report,settings,text}/**/*.ts"],
  // Texts are a third of all mutants; an empty function is what its conditions as constants are, too.
  mutator: { excludedMutations: ["ArrowFunction", "BlockStatement", "ObjectLiteral", "StringLiteral"] },
  testRunner: "vitest",
  // Vitest does not see that tests load src by `require`.
  vitest: { configFile: ".config/vitest.mutation.mts", related: false },
  coverageAnalysis: "perTest",
  // Tables that are evaluated once: each mutant would run all tests.
  ignoreStatic: true,
  disableTypeChecks: false,
  // Stryker would rewrite paths that lead out of its copy, with the former API of TypeScript. There are none.
  tsconfigFile: "none",
  ignorePatterns: [".local", "dashboards/*.png", "test/{bench,faults,stories,truth}"],
  // More than cores: many mutants wait for a limit of time.
  concurrency: 4,
  // Above the duration on a slow machine. Stryker ends endless loops earlier: it counts the executions of a mutant.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 20,
  reporters: ["progress-append-only", "clear-text"],
  // The mutants that no test detects, then a table by folder.
  clearTextReporter: { logTests: false, reportTests: false },
  incrementalFile: "node_modules/.cache/mutation/incremental.json",
};
