/** The checks of what arrives: the dashboards' series, counters that several processes share, recorded series, logs and spans. */
import { type GrafanaAccess, messageOf, secretsOf } from "../network/grafana";
import { quote } from "../signals/promql";
import { holdsSecret } from "../text/redact";
import {
  classifyArrival,
  classifyRecording,
  classifyResets,
  classifySpans,
  classifyStreams,
  recentMinutes,
  relatedNames,
  tooManyResets,
} from "./arrival";
import type { CheckTargets } from "./input";
import { type QueryResult, queryPrometheus, request, type Sample } from "./query";
import { type CheckResult, type Finding, note } from "./table";

/** Milliseconds. */
const day = 24 * 3_600_000;

/** The names of series in a window, with the number of series of each. `last_over_time` is a function that keeps names. */
const names = (regex: string, window: string) => `count by (__name__) (last_over_time({__name__=~${quote(regex)}}[${window}]))`;

/** Checks whether logs, spans and series arrive. */
export const checkArrival = async (access: GrafanaAccess, targets: CheckTargets): Promise<CheckResult[]> =>
  (await Promise.all([checkSeries(access, targets), checkStreams(access, targets), checkSpans(access, targets)])).flat();

/** The finding about a response of a datasource's own API. */
async function judge(
  access: GrafanaAccess,
  { datasources }: CheckTargets,
  type: "loki" | "tempo",
  path: string,
  parameters: Record<string, string>,
  classify: (body: unknown) => Finding,
): Promise<Finding> {
  const { uid } = datasources.find((datasource) => datasource.type === type) ?? {};
  if (uid === undefined) return note("unknown: no datasource");
  const address = `/api/datasources/proxy/uid/${uid}${path}?${new URLSearchParams(parameters)}`;
  const response = await request(access, address).catch((error: Error) => error);
  if (response instanceof Error) return note(`unknown: ${response.message}`);
  return response.status === 200 ? classify(response.body) : note(`unknown: ${messageOf(response, access)}`);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads only Loki's index: values of the label `type`, which the dashboard's panels select. */
async function checkStreams(access: GrafanaAccess, targets: CheckTargets): Promise<CheckResult[]> {
  const { streams } = targets;
  if (streams === undefined) return [];
  const parameters = { query: streams, start: `${Date.now() - day}000000` };
  const finding = await judge(access, targets, "loki", "/loki/api/v1/label/type/values", parameters, (body) => {
    const types = listOf((body as { data?: unknown }).data).map(String);
    return classifyStreams(
      streams,
      types.filter((type) => !holdsSecret(type, secretsOf(access))),
    );
  });
  return [{ name: "log streams", ...finding }];
}

/** Searches one span. Tempo has no index: a longer time than an hour costs more. */
async function checkSpans(access: GrafanaAccess, targets: CheckTargets): Promise<CheckResult[]> {
  const { spans } = targets;
  if (spans === undefined) return [];
  const end = Math.floor(Date.now() / 1000);
  const parameters = { q: spans, limit: "1", start: String(end - 3600), end: String(end) };
  const finding = await judge(access, targets, "tempo", "/api/search", parameters, (body) =>
    classifySpans(spans, listOf((body as { traces?: unknown }).traces).length > 0),
  );
  return [{ name: "spans", ...finding }];
}

async function checkSeries(access: GrafanaAccess, { datasources, dashboards, counters, recording }: CheckTargets): Promise<CheckResult[]> {
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
