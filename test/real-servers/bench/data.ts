/** Telemetry for the benchmark: large, evenly distributed, and the same in each run. Its values do not matter; for those, see world.ts. */
import type { RecordingRule } from "../../../src/signals/counters";
import type { Series } from "../telemetry/service";

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The size of a set. */
export interface Size {
  days: number;
  /** Samples per day, relative to the full density. */
  density: number;
}

/** Telemetry of one dashboard. */
export interface DataSet {
  series: number;
  /** Time of the first batch. */
  from: number;
  /** What records the counters. */
  rules: readonly RecordingRule[];
  /** Ordered by time. */
  batches(): Generator<Series[], undefined>;
}

/** The time that a batch covers. */
export const batch = hour;

export const environments = ["production", "staging"];
export const models: [model: string, platform: string, endpoint: string][] = [
  ["gpt-4o", "openai", "openai.chat.completions"],
  ["gpt-4o-mini", "openai", "openai.chat.completions"],
  ["claude-sonnet", "anthropic", "anthropic.messages"],
  ["command-r", "cohere", "cohere.chat"],
  ["text-embedding-3", "openai", "openai.embeddings"],
];

export const numbered = (count: number, name: string) => Array.from({ length: count }, (_, number) => `${name}-${number + 1}`);
