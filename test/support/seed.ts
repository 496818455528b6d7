/** Fixes the seed of all properties, so that a run repeats the one before. `FUZZ_SEED` sets another one; a property that fails prints its own. */
import { configureGlobal } from "fast-check";

configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
