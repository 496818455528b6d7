import { mergeConfig } from "vitest/config";
import truth from "./vitest.truth.mts";

/** Tests on a real Mimir, apart from those on Prometheus. */
export default mergeConfig({ ...truth, test: { ...truth.test, include: [] } }, { test: { include: ["test/truth/mimir/**/*.test.ts"] } });
