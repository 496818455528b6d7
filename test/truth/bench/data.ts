/**
 * Telemetry of an SDK for the benchmark: cumulative counters of each process and label set, large, evenly distributed, and the same in each run. Its values do
 * not matter; for those, see `world`.
 */
import { setTimeout } from "node:timers/promises";
import { recordHistory } from "../history";
import type { RunningPrometheus } from "../servers";
import { pushSeries } from "../telemetry/push";
import type { Series } from "../telemetry/service";
import { sdkName } from "../telemetry/spec-sdk";
import { Random } from "../world/random";
import { hour, minute } from "../world/world";
import { metric } from "./measure";

/** Five applications with two environments and 30 counters each: 300 label sets. */
const applications = ["app-1", "app-2", "app-3", "app-4", "app-5"];
const environments = ["production", "staging"];
const counters = ["requests_total", "usage_tokens_total", "usage_prompt_tokens_total", "usage_completion_tokens_total"];
const costs = [{ __name__: "gen_ai_usage_cost_USD_sum" }, { __name__: "gen_ai_usage_cost_USD_bucket", le: "+Inf" }];
const kinds = [
  ...["gpt-4o-mini", "claude-sonnet", "command-r", "text-embedding-3"].flatMap((model) =>
    [...counters.map((name) => ({ __name__: `gen_ai_${name}` })), ...costs].map((counter) => ({
      ...{ ...counter, gen_ai_request_model: model, gen_ai_system: `of ${model}`, gen_ai_type: "chat" },
    })),
  ),
  ...["chroma", "pinecone"].flatMap((db_system) =>
    ["query", "upsert", "delete"].map((db_operation) => ({
      ...{ __name__: "db_requests_total", db_system, db_operation, gen_ai_type: "vectordb" },
    })),
  ),
];

/** The labels of all counters. `processes` with the same labels run at the same time. */
export function countersOf(processes: number): Series["labels"][] {
  const running = applications.flatMap((application) =>
    environments.flatMap((environment) => Array.from({ length: processes }, (_, process) => ({ application, environment, process }))),
  );
  return running.flatMap(({ application, environment, process }) => {
    const names = { job: application, gen_ai_application_name: application, gen_ai_environment: environment };
    const instance = `${application}-${environment}-${process}`;
    return kinds.map((kind) => ({ ...names, instance, telemetry_sdk_name: sdkName, ...kind }));
  });
}

/** Samples before the dashboard's range: panels look for three hours for a value before it. */
const lead = 4 * hour;

/** Pushes counters that are exported each minute, the default of SDKs, records them, and waits until all is in blocks. */
export async function pushCounters(server: RunningPrometheus, labels: readonly Series["labels"][], range: { from: number; to: number }) {
  const random = new Random(2);
  const counters = labels.map((labels) => ({ labels, offset: random.integer(0, minute - 1), total: 1 }));
  for (let start = range.from - lead; start < range.to; start += hour) {
    const series = counters.map((counter): Series => {
      const times = Array.from({ length: hour / minute }, (_, index) => start + index * minute + counter.offset);
      const samples = times.map((time): [number, number] => {
        counter.total += random.integer(0, 5);
        return [time, counter.total];
      });
      return { labels: counter.labels, samples };
    });
    await pushSeries(server.prometheus, series);
  }
  await recordHistory(server, range);
  await untilCompacted(server.prometheus, range.to);
}

/** Until all hours except the newest are in blocks, and no blocks are merged. Prometheus checks once a minute whether to compact. */
async function untilCompacted(server: string, now: number): Promise<void> {
  for (let quiet = 0, last = -1; quiet < 3; ) {
    await setTimeout(5000);
    const done = await metric(server, "prometheus_tsdb_compactions_total");
    const inBlocks = now - (await metric(server, "prometheus_tsdb_head_min_time")) <= 5 * hour;
    quiet = inBlocks && done === last ? quiet + 1 : 0;
    last = done;
  }
}
