/** Judges what arrives in Prometheus: the names that the dashboards read, resets of counters, recorded series. */
import { distance } from "fastest-levenshtein";
import { type Naming, namings } from "../signals/names/translate";
import { formsOf } from "./forms";
import type { CheckTargets } from "./input";
import { type Finding, note, ok } from "./table";

/**
 * Names of the same measurement in later SDKs and in the OpenTelemetry semantic conventions for generative AI, which distinguish types of tokens
 * by the label gen_ai_token_type. All names are those of Prometheus' own naming.
 */
const laterNames: Record<string, readonly string[]> = {
  gen_ai_requests_total: ["gen_ai_client_operation_duration_seconds_count", "gen_ai_client_inference_duration_seconds_count"],
  db_requests_total: ["db_client_operation_duration_seconds_count"],
  gen_ai_usage_tokens_total: ["gen_ai_client_token_usage_sum"],
  gen_ai_usage_prompt_tokens_total: [
    "gen_ai_usage_input_tokens_total",
    "gen_ai_client_token_usage_sum",
    "gen_ai_client_inference_usage_input_tokens_total",
  ],
  gen_ai_usage_completion_tokens_total: [
    "gen_ai_usage_output_tokens_total",
    "gen_ai_client_token_usage_sum",
    "gen_ai_client_inference_usage_output_tokens_total",
  ],
};

/** A name in Prometheus' own naming, in which names are compared. One with dots is that without suffixes, untranslated. */
const canonical = (name: string) => formsOf(name.replaceAll(".", "_"))?.prometheus ?? name;

/** A name without what a receiver of OTLP can add or leave out: a part of the rules, or other rules, such as dots. */
const untranslated = (name: string) =>
  name
    .split(/[._]/)
    .filter((word) => !["total", "USD", "seconds"].includes(word))
    .join("_");

const otherNaming: Record<Naming, string> = {
  prometheus: "with suffixes",
  "no-suffixes": "without suffixes",
};

/** The advice if names arrive in other forms: the naming of all of them, if they have one. */
function advice(renamed: readonly { series: string; similar: readonly string[] }[]): string {
  const naming = namings.find((naming) =>
    renamed.every(({ series, similar }) => similar.every((name) => name === formsOf(series)?.[naming])),
  );
  return naming
    ? `Prometheus stores the names ${otherNaming[naming]}. Read these: npx pulumi config set metricNaming ${naming}`
    : "A component does not translate OTLP's names: check otlp.translation_strategy in Prometheus, otel_metric_suffixes_enabled in Mimir, " +
        "add_metric_suffixes in a collector.";
}

/**
 * @param expected names of the series that a dashboard reads
 * @param found names of related series on the platform
 * @param senders who sends them, in words; empty if that is unknown
 */
export function classifyArrival(expected: readonly string[], found: readonly string[], senders = ""): Finding {
  const missing = expected.filter((series) => !found.includes(series));
  const by = senders && ` (${senders})`;
  if (missing.length === 0) return ok(`all ${expected.length} series arrive${by}`);
  const explanation = explain(
    missing,
    found.filter((series) => !expected.includes(series)),
  );
  if (explanation) return note(explanation);
  if (missing.length === expected.length) return note(noData(expected));
  return note(`not all data yet${by}: no ${missing.join(", ")} in the last 24 hours`);
}

/** The text if nothing arrives that explains it. */
export const noData = (expected: readonly string[]) => `no data yet: no ${firstOf(expected)} in the last 24 hours`;

const firstOf = ([first, ...others]: readonly string[]) => `${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;

/** What arrives instead of missing series, with the cure; undefined if nothing does. */
export function explain(missing: readonly string[], others: readonly string[]): string | undefined {
  const explained = missing
    .map((series) => ({ series, similar: similarNames(series, others) }))
    .filter(({ similar }) => similar.length > 0);
  if (explained.length === 0) return undefined;
  const renamed = explained.filter(({ series, similar }) => similar.some((other) => untranslated(other) === untranslated(series)));
  const pairs = explained.slice(0, 2).map(({ series, similar }) => `no ${series}; found ${similar.join(", ")}`);
  const more = explained.length > 2 ? `, and ${explained.length - 2} more` : "";
  const cure = renamed.length > 0 ? ` ${advice(renamed)}` : "";
  return `${pairs.join(". ")}${more}. Panels that read the missing names stay empty.${cure}`;
}

/** Names that stand for a missing one: in another naming, of later SDKs, of another service (`<svc>_llm_<metric>`), or misspelled. */
function similarNames(name: string, found: readonly string[]): string[] {
  const metric = /_llm_.+$/.exec(name)?.[0];
  const matchers: ((candidate: string) => boolean)[] = [
    (candidate) => canonical(candidate) === canonical(name),
    (candidate) => untranslated(candidate) === untranslated(name),
    (candidate) => laterNames[canonical(name)]?.includes(canonical(candidate)) ?? false,
    (candidate) => metric !== undefined && /_llm_.+$/.exec(candidate)?.[0] === metric,
    // More typos would match other metrics of the same family, such as errors for requests.
    (candidate) => distance(name, candidate) <= 2,
  ];
  return matchers.map((matches) => found.filter(matches)).find((similar) => similar.length > 0) ?? [];
}

/** Resets of a counter in an hour, above which processes share its series. A crash loop with a restart each seven minutes has 9. */
export const tooManyResets = 20;

/** @param found the jobs with more than `tooManyResets` resets of one series in an hour, and the series */
export function classifyResets(found: readonly { series: string; job: string; resets: number }[]): Finding {
  if (found.length === 0) return ok("no series is shared by several processes");
  const series = [...new Set(found.map((each) => each.series))];
  const jobs = found.map(({ job, resets }) => `${job || "an application"} (${Math.round(resets)})`).join(", ");
  return note(
    `${series.join(", ")} ${series.length === 1 ? "was" : "were"} reset more than ${tooManyResets} times in an hour by ${jobs}: several processes write the same series, and panels show too much or too ` +
      "little. Set a different service.instance.id for each process, for example in OTEL_RESOURCE_ATTRIBUTES; OpenLIT for Node.js sends none.",
  );
}

/** The minutes in which a rule that is evaluated has written samples. */
export const recentMinutes = 10;

/**
 * @param found names of counters and recorded series with samples in the last `recentMinutes`
 * @param times the largest number of samples of a recorded series in that time
 */
export function classifyRecording({ by, rules }: NonNullable<CheckTargets["recording"]>, found: readonly string[], times: number): Finding {
  const expected = rules.filter(({ reads }) => found.includes(reads));
  const missing = expected.filter(({ name }) => !found.includes(name));
  if (expected.length === 0) return note(`no data yet: no counter arrived in the last ${recentMinutes} minutes`);
  if (missing.length > 0) {
    const count = missing.length === expected.length ? "no rule is" : `${missing.length} of ${expected.length} rules are not`;
    return note(
      `${count} evaluated: no ${firstOf(missing.map(({ name }) => name))} in the last ${recentMinutes} minutes, although the counters arrive. New rules ` +
        `take two minutes. If it stays so, ${notEvaluated[by]}.`,
    );
  }
  // Evaluations are a minute apart; a window of ten minutes can contain eleven.
  if (times > recentMinutes + 1) {
    return note(
      `the rules are evaluated more than once a minute (${times} samples in ${recentMinutes} minutes), so panels show multiples: two stacks or servers ` +
        "evaluate them for the same Prometheus. Set recordingRules to external in all stacks but one.",
    );
  }
  return ok(`all ${expected.length} are evaluated`);
}

const notEvaluated = {
  grafana:
    "check the state of the rules in Grafana (Alerting > Alert rules), and what they require: src/settings/README.md#recording-rules",
  external: "check whether the server has loaded dashboards/rules.yaml",
};
