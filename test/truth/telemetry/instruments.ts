/** The metrics of SDKs, as they name them, and a point of one. */

/** Undefined: none. */
export type Attributes = Record<string, string | number | boolean | undefined>;

// Bounds of the semantic conventions.
const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const firstToken = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const database = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];

/** Those of an OpenTelemetry SDK, for a histogram without bounds of its own. */
export const defaultBounds = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000];

interface Instrument {
  unit: string;
  /** Of a histogram. Counters have none. */
  bounds?: number[];
}

const all = {
  "gen_ai.client.operation.duration": { unit: "s", bounds: seconds },
  "gen_ai.client.token.usage": { unit: "{token}", bounds: tokens },
  "gen_ai.usage.cost": { unit: "USD", bounds: defaultBounds },
  "gen_ai.server.time_to_first_token": { unit: "s", bounds: firstToken },
  "gen_ai.client.operation.time_to_first_chunk": { unit: "s", bounds: seconds },
  "gen_ai.invoke_agent.duration": { unit: "s", bounds: seconds },
  "gen_ai.execute_tool.duration": { unit: "s", bounds: seconds },
  "mcp.client.operation.duration": { unit: "s", bounds: seconds },
  "db.client.operation.duration": { unit: "s", bounds: database },
  "db.total.requests": { unit: "1" },
  "gen_ai.total.requests": { unit: "1" },
  "gen_ai.usage.total_tokens": { unit: "1" },
  "gen_ai.usage.prompt_tokens": { unit: "1" },
  "gen_ai.usage.completion_tokens": { unit: "1" },
  "gen_ai.client.inference.duration": { unit: "s", bounds: seconds },
  "gen_ai.client.inference.time_to_first_chunk": { unit: "s", bounds: seconds },
  "gen_ai.client.inference.usage.input_tokens": { unit: "{token}" },
  "gen_ai.client.inference.usage.output_tokens": { unit: "{token}" },
  "gen_ai.client.inference.usage.cache_read.input_tokens": { unit: "{token}" },
} satisfies Record<string, Instrument>;

export type Metric = keyof typeof all;
export const instruments: Readonly<Record<Metric, Instrument>> = all;

/** What an SDK records of a call. */
export type Point = { metric: Metric; value: number; attributes: Attributes };

/** @param values those that are undefined are not recorded */
export const pointsIn = (values: Partial<Record<Metric, number | undefined>>, attributes: Attributes): Point[] =>
  (Object.entries(values) as [Metric, number | undefined][]).flatMap(([metric, value]) =>
    value === undefined ? [] : [{ metric, value, attributes }],
  );
