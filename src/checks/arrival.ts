/** Judges what arrives apart from the dashboards' series: resets of counters, recorded series, log streams, spans. */
import type { SdkTelemetry } from "../signals/signal";
import type { CheckTargets, RecordingTargets } from "./input";
import type { Sample } from "./query";
import { type Finding, firstOf, note, ok } from "./table";

/** Resets of a counter in an hour, above which processes share its series. A crash loop with a restart each seven minutes has 9. */
export const tooManyResets = 20;

/** @param found the number of resets above `tooManyResets`, by the labels `job` and `series` */
export function judgeResets(found: readonly Sample[]): Finding {
  if (found.length === 0) return ok("no series is shared by several processes");
  const series = [...new Set(found.map(({ labels }) => labels.series))].join(", ");
  const jobs = found.map(({ labels, value }) => `${labels.job || "an application"} (${Math.round(value)})`).join(", ");
  return note(
    `more than ${tooManyResets} resets in an hour of ${series} by ${jobs}: several processes write the same series, and panels show too much or too ` +
      "little. Set a different service.instance.id for each process, for example in OTEL_RESOURCE_ATTRIBUTES; OpenLIT for Node.js sends none.",
  );
}

const notEvaluated = {
  grafana:
    "check the state of the rules in Grafana (Alerting > Alert rules), and what they require: src/settings/README.md#recording-rules",
  external: "check whether the server has loaded dashboards/rules.yaml",
};

/** The minutes in which a rule that is evaluated has written samples. */
export const recentMinutes = 10;

/** @param found the names of counters and recorded series with samples in that time, and the largest number of samples of a recorded series */
export function judgeRecording({ by, rules }: RecordingTargets, { names, times }: { names: readonly string[]; times: number }): Finding {
  const expected = rules.filter(({ reads }) => names.includes(reads)).map(({ name }) => name);
  const missing = expected.filter((name) => !names.includes(name));
  if (expected.length === 0) return note(`no data yet: no counter arrived in the last ${recentMinutes} minutes`);
  if (missing.length > 0) {
    return note(
      `rules are not evaluated: no ${firstOf(missing)} in the last ${recentMinutes} minutes, although the counters arrive. New rules take two ` +
        `minutes. If it stays so, ${notEvaluated[by]}.`,
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

/** @param types values of the label `type` of the streams in the last 24 hours */
export function judgeStreams(streams: string, types: readonly string[]): Finding {
  const missing = ["prompt", "response"].filter((type) => !types.includes(type));
  if (missing.length === 0) return ok("prompts and responses arrive");
  const found = types.length > 0 ? `, only ${types.map((type) => `"${type}"`).join(", ")}` : "";
  return note(`no data yet: no log streams ${streams} with type "${missing.join('" or "')}" in the last 24 hours${found}`);
}

/** That one dashboard has no spans is normal if another one has them: SDKs send those of one convention. */
export function judgeSpans(
  spans: Partial<Record<SdkTelemetry, boolean>>,
  { dashboards, otlp }: Pick<CheckTargets, "dashboards" | "otlp">,
): Finding {
  const titlesOf = (isFound: boolean) =>
    dashboards.filter(({ sdk }) => sdk && (spans[sdk.telemetry] ?? false) === isFound).map(({ title }) => `"${title}"`);
  const [found, missing] = [titlesOf(true).join(" and "), titlesOf(false).join(" or ")];
  if (found) return ok(`arrive for ${found}${missing && `, not for ${missing} in the last hour`}`);
  if (!otlp.data.includes("traces")) return ok("no spans are pushed: otlpData is metrics");
  return note(`no data yet: no spans for ${missing} in the last hour`);
}
