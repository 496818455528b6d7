/** The live series of a fleet: processes of applications that call models, and what their SDKs send of it. */
import { instruments, type Metric } from "../telemetry/instruments";
import { inBatches } from "../telemetry/otlp";
import { push } from "../telemetry/push";
import { remoteWrite, remoteWriteHeaders, type Series } from "../telemetry/service";
import { sdkName } from "../telemetry/spec-sdk";
import { Random } from "../world/random";
import { hour, minute } from "../world/world";

export interface Fleet {
  applications: number;
  /** Of each application, with the same labels except for `instance`. */
  processes: number;
}

type Labels = Series["labels"];

const models = [
  ["openai", "gpt-4o"],
  ["openai", "gpt-4o-mini"],
  ["anthropic", "claude-sonnet-4"],
  ["gcp.gemini", "gemini-2.5-flash"],
  ["ollama", "qwen3-32b"],
];

const histogram = (name: string, metric: Metric, labels: Labels): Labels[] => [
  ...[...(instruments[metric].bounds ?? []), "+Inf"].map((le) => ({ ...labels, __name__: `${name}_bucket`, le: `${le}` })),
  ...["count", "sum"].map((part) => ({ ...labels, __name__: `${name}_${part}` })),
];

type Kind = (process: Labels) => Labels[];

/** What the SDK of 2024 sends: six counters for each model, and one for each operation of a database. */
export const specKind: Kind = (process) => {
  const { job = "" } = process;
  const common = { ...process, telemetry_sdk_name: sdkName, gen_ai_application_name: job, gen_ai_environment: "production" };
  const counters = ["requests_total", "usage_tokens_total", "usage_prompt_tokens_total", "usage_completion_tokens_total"];
  const cost = "gen_ai_usage_cost_USD";
  const each = [
    ...counters.map((name) => ({ __name__: `gen_ai_${name}` })),
    { __name__: `${cost}_sum` },
    { __name__: `${cost}_bucket`, le: "+Inf" },
  ];
  return [
    ...models.flatMap(([gen_ai_system = "", gen_ai_request_model = ""]) =>
      each.map((counter) => ({ ...common, ...counter, gen_ai_system, gen_ai_request_model, gen_ai_type: "chat" })),
    ),
    ...["query", "upsert"].map((db_operation) => ({ ...common, __name__: "db_requests_total", db_system: "chroma", db_operation })),
  ];
};

/** By the conventions: three histograms, 51 series, for each model of a process, and one series of the process. */
export const otelKind: Kind = (process) => [
  { ...process, __name__: "target_info", deployment_environment_name: "production", telemetry_sdk_language: "python" },
  ...models.flatMap(([gen_ai_provider_name = "", gen_ai_request_model = ""]) => {
    const call = { ...process, gen_ai_operation_name: "chat", gen_ai_provider_name, gen_ai_request_model };
    const tokens = ["input", "output"].map((gen_ai_token_type) => ({ ...call, gen_ai_token_type }));
    return [
      ...histogram("gen_ai_client_operation_duration_seconds", "gen_ai.client.operation.duration", call),
      ...tokens.flatMap((labels) => histogram("gen_ai_client_token_usage", "gen_ai.client.token.usage", labels)),
    ];
  }),
];

export const seriesOf = (kind: Kind, { applications, processes }: Fleet): Labels[] =>
  Array.from({ length: applications * processes }, (_, index) => ({
    job: `app-${index % applications}`,
    instance: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  })).flatMap(kind);

/** How the next value of a series follows from its last one. */
type Next = (last: number, random: Random) => number;

export const counting: Next = (last, random) => last + random.integer(0, 5);
export const increases: Next = (_, random) => random.integer(0, 5);

/**
 * Pushes samples of each minute by remote write, hour by hour. Their values do not matter.
 *
 * @param to excluded
 */
export async function pushMinutes(
  { write, headers = {} }: { write: string; headers?: Record<string, string> | undefined },
  labels: readonly Labels[],
  next: Next,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const random = new Random(2);
  const all = labels.map((labels) => ({ labels, last: 1 }));
  // The next body is made while the server works.
  let pending = Promise.resolve();
  for (let start = from; start < to; start += hour) {
    const times = Array.from({ length: Math.min(hour, to - start) / minute }, (_, index) => start + index * minute);
    for (const batch of inBatches(all, 1000)) {
      const series = batch.map((counter): Series => {
        const samples = times.map((time): [number, number] => {
          counter.last = next(counter.last, random);
          return [time, counter.last];
        });
        return { labels: counter.labels, samples };
      });
      const body = remoteWrite(series);
      await pending;
      pending = push(body, write, { ...remoteWriteHeaders, ...headers });
    }
  }
  await pending;
}
