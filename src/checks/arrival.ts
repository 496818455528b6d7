/** Is data arriving under the names that the dashboards read? Pure: decides on the names that the platform has. */
import { distance } from "fastest-levenshtein";
import type { CheckResult } from "./report";

/** Matches every name that the dashboards read, those that later or other SDKs use instead, and all of them as OTLP has them, with dots. */
export const relatedNames = "gen_ai[._].+|db[._].+|.+_llm_.+|llm_.+";

/**
 * Under which names the same is found in the telemetry of later SDKs and of the OpenTelemetry semantic conventions for generative AI. Those
 * distinguish kinds of tokens by the label gen_ai_token_type.
 */
const laterNames: Record<string, readonly string[]> = {
  gen_ai_requests_total: ["gen_ai_client_operation_duration_seconds_count"],
  db_requests_total: ["db_client_operation_duration_seconds_count"],
  gen_ai_usage_tokens_total: ["gen_ai_client_token_usage_sum", "gen_ai_client_token_usage_token_sum"],
  gen_ai_usage_prompt_tokens_total: ["gen_ai_usage_input_tokens_total", "gen_ai_client_token_usage_sum"],
  gen_ai_usage_completion_tokens_total: ["gen_ai_usage_output_tokens_total", "gen_ai_client_token_usage_sum"],
};

/**
 * A name as OTLP has it, but for its dots. Prometheus translates it to one with underscores and the suffixes of kind and unit, if it is not told
 * otherwise; Mimir adds suffixes only if it is told to (`-distributor.otel-metric-suffixes-enabled`).
 */
const untranslated = (name: string) => name.replaceAll(".", "_").replace(/_total$|_USD(?=_(?:sum|bucket)$)/, "");

/** The metric in the name of one of a service's series, `<svc>_llm_<metric>`. */
const metricOf = (name: string) => /_llm_(.+)$/.exec(name)?.[1];

/** How many characters a misspelt name may differ by. More would match other metrics of the same family, such as errors for requests. */
const misspelt = 2;

/**
 * @param title the dashboard's title
 * @param wanted names of the series that it reads
 * @param found names of related series that the platform has
 */
export function classifyArrival(title: string, wanted: readonly string[], found: readonly string[]): CheckResult {
  const what = `series of "${title}"`;
  const missing = wanted.filter((name) => !found.includes(name));
  if (missing.length === 0) return { what, verdict: "ok", detail: `all ${wanted.length} arrive` };
  const others = found.filter((name) => !wanted.includes(name));
  const explained = missing.map((name) => ({ name, near: nearNames(name, others) })).filter(({ near }) => near.length > 0);
  if (explained.length > 0) {
    const detail = explained.map(({ name, near }) => `no ${name}; found ${near.join(", ")}`).join(". ");
    const cause = explained.some(({ name, near }) => near.some((found) => untranslated(found) === untranslated(name)))
      ? ` ${leftAsTheyAre}`
      : "";
    return { what, verdict: "note", detail: `${detail}. Panels that read the missing names stay empty.${cause}` };
  }
  const none = missing.length === wanted.length ? "no data yet: none of" : "not yet all data: no";
  return { what, verdict: "note", detail: `${none} ${missing.join(", ")} in the last 24 hours` };
}

const leftAsTheyAre =
  "Something on the way leaves OTLP's names as they are: look at otlp.translation_strategy in Prometheus, otel_metric_suffixes_enabled in Mimir, " +
  "add_metric_suffixes in a collector.";

/** Names that stand for a missing one: the same without its translation, known later names, the same metric of another service, a misspelling. */
function nearNames(name: string, found: readonly string[]): string[] {
  const later = laterNames[name] ?? [];
  const metric = metricOf(name);
  const ways: ((candidate: string) => boolean)[] = [
    (candidate) => untranslated(candidate) === untranslated(name),
    (candidate) => later.includes(candidate),
    (candidate) => metric !== undefined && metricOf(candidate) === metric,
    (candidate) => distance(name, candidate) <= misspelt,
  ];
  return ways.map((way) => found.filter(way)).find((near) => near.length > 0) ?? [];
}
