/** Generates the same cases in every run, so that two runs with different tests can be compared. */
import fc from "fast-check";

fc.configureGlobal({ seed: 1 });
