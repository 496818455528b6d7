/** The checks of what arrives in Prometheus: the dashboards' series, counters that several processes share, recorded series. */
import { type GrafanaAccess, secretsOf } from "../network/grafana";
import { quote } from "../signals/promql";
import { holdsSecret } from "../text/redact";
import { classifyArrival, classifyRecording, classifyResets, recentMinutes, relatedNames, tooManyResets } from "./arrival";
import type { CheckTargets } from "./input";
import { type QueryResult, queryPrometheus, type Sample } from "./query";
import { type CheckResult, type Finding, note } from "./table";

/** The names of series in a window, with the number of series of each. `last_over_time` is a function that keeps names. */
const names = (regex: string, window: string) => `count by (__name__) (last_over_time({__name__=~${quote(regex)}}[${window}]))`;

export async function checkArrival(
  access: GrafanaAccess,
  { datasources, dashboards, counters, recording }: CheckTargets,
): Promise<CheckResult[]> {
  const uid = datasources.find(({ type }) => type === "prometheus")?.uid ?? "";
  const query = (expr: string): Promise<QueryResult> =>
    queryPrometheus(access, uid, expr).catch((error: Error) => ({ error: error.message }));
  const [found, resets, recent, recorded] = await Promise.all([
    query(names(relatedNames, "24h")),
    counters && query(`topk(3, max by (job) (resets(${counters.selector}[1h])) > ${tooManyResets})`),
    recording && query(names(recording.rules.flatMap(({ name, reads }) => [name, reads]).join("|"), `${recentMinutes}m`)),
    recording?.rules[0] && query(`max(count_over_time(${recording.rules[0].name}[${recentMinutes}m]))`),
  ]);
  const unlessUnknown = (result: QueryResult, classify: (samples: Sample[]) => Finding) =>
    "error" in result ? note(`unknown: ${result.error}`) : classify(result.samples);
  // The names of the dashboard are no secrets, even if a password has the same text.
  const hidden = (name: string, expected: readonly string[] = []) => !expected.includes(name) && holdsSecret(name, secretsOf(access));
  const namesIn = (samples: Sample[]) => samples.flatMap(({ labels }) => labels.__name__ ?? []);

  const results: CheckResult[] = dashboards.map(({ title, series }) => ({
    name: `series of "${title}"`,
    ...unlessUnknown(found, (samples) =>
      classifyArrival(
        series,
        namesIn(samples).filter((name) => !hidden(name, series)),
      ),
    ),
  }));
  if (counters && resets) {
    const jobs = (samples: Sample[]) => samples.map(({ labels: { job = "" }, value }) => ({ job: hidden(job) ? "" : job, resets: value }));
    results.push({ name: "counters", ...unlessUnknown(resets, (samples) => classifyResets(counters.series, jobs(samples))) });
  }
  if (recording && recent) {
    const times = recorded && "samples" in recorded ? (recorded.samples[0]?.value ?? 0) : 0;
    results.push({ name: "recording rules", ...unlessUnknown(recent, (samples) => classifyRecording(recording, namesIn(samples), times)) });
  }
  return results;
}
