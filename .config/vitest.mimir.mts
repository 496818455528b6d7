import truth from "./vitest.truth.mts";

/** Tests on a real Mimir, apart from those on Prometheus. */
export default { ...truth, test: { ...truth.test, include: ["test/truth/mimir/**/*.test.ts"], exclude: [] } };
