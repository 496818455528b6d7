import truth from "./vitest.truth.mts";

/** Tests on a real Mimir, apart from those on Prometheus, and one file after the other. */
export default { ...truth, test: { ...truth.test, fileParallelism: false, include: ["test/truth/mimir/**/*.test.ts"], exclude: [] } };
