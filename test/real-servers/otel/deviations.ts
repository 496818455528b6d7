/** Where a panel shows something else than the known calls of a recording, and why. */

export const reasons = {
  none: "",
} as const;

export type Why = keyof typeof reasons;

interface Deviation {
  shows: string;
  why: readonly [Why, ...Why[]];
  /** What the table says, if `shows` is long. */
  cell?: string;
}

/** By recording and panel. */
export const deviations: Record<string, Record<string, Deviation>> = {
  "openlit-python-1.45.0": {},
  "openlit-node-1.15.0": {},
  "opentelemetry-instrumentation-openai-v2-2.4b0": {},
  "opentelemetry-instrumentation-openai-v2-2.4b0-gen_ai_latest_experimental": {},
  "openllmetry-openai-0.62.4": {},
};
