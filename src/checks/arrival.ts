/** Judges what arrives apart from the dashboards' series: resets of counters, recorded series, log streams, spans. */
import { conventions } from "../signals/names/conventions";
import type { CheckTargets, RecordingTargets } from "./input";
import type { Sample } from "./query";
import type { SpanSender } from "./spans";
import { applicationsOf, type Finding, failed, firstOf, note, ok } from "./table";

/**
 * Resets of a counter above which processes share its series: of processes with an instance id in an hour, since a crash loop with a restart each seven
 * minutes has 9, and 2 in ten minutes; of others in ten minutes, in which two processes that export each minute reset it ten times.
 */
export const tooManyResets = { named: 20, unnamed: 2 } as const;

/** @param found the number of resets above `tooManyResets`, by the labels `job`, `instance` and `series` */
export function judgeResets(found: readonly Sample[]): Finding {
  if (found.length === 0) return ok("no series is shared by several processes");
  const listed = (samples: readonly Sample[]) => {
    const jobs = samples.map(({ labels, value }) => `${labels.job || "an application"} (${Math.round(value)})`).join(", ");
    return `${[...new Set(samples.map(({ labels }) => labels.series))].join(", ")} by ${jobs}`;
  };
  const [named, unnamed] = [found.filter(({ labels }) => labels.instance), found.filter(({ labels }) => !labels.instance)];
  const many = named.length > 0 ? [`more than ${tooManyResets.named} resets in an hour of ${listed(named)}`] : [];
  const several = unnamed.length > 0 ? [`several resets in ten minutes of ${listed(unnamed)}, without service.instance.id`] : [];
  return note(
    `${[...many, ...several].join("; ")}: either several processes write the same series, and panels show too much or too little, or they restart that ` +
      "often. Set a different service.instance.id for each process, for example in OTEL_RESOURCE_ATTRIBUTES: SDKs for Node.js send none.",
  );
}

/** From this number of series of one counter on, a Prometheus with its default `query.max-samples` refuses 30 days of it: test/truth/README.md#scale. */
export const tooManySeries = 385;

/** @param live the largest number of series of one counter that panels read directly */
export const judgeLive = (live: number): Finding =>
  live < tooManySeries
    ? ok(`at most ${live} of a counter are read directly`)
    : note(
        `up to ${live} of a counter are read directly: Prometheus refuses panels over 30 days, which exceed its default query.max-samples, and those over ` +
          "24 hours take seconds. Record them: npx pulumi config set genaiReads rules",
      );

const notEvaluated = {
  grafana:
    "check the state of the rules in Grafana (Alerting > Alert rules), and what they require: src/settings/README.md#recording-rules",
  external: "check whether the server has loaded the files of npm run rules",
};

/** The minutes in which a rule that is evaluated has written samples. */
export const recentMinutes = 10;

/** Minutes after which a sample is there: rules are evaluated a minute late, and take some seconds. */
export const lateMinutes = 2;

/** What is known of recorded series. `times` and `before`: the largest number of samples of a series in ten minutes, and in the ten before. */
interface Recorded {
  /** Of counters and recorded series with samples. */
  names: readonly string[];
  times: number;
  before: number;
  /** Why rules fail in Grafana, a reason for each. */
  failing: readonly string[];
}

export function judgeRecording({ by, rules, steady }: RecordingTargets, { names, times, before, failing }: Recorded): Finding {
  if (failing.length > 0) {
    const [reason, ...others] = new Set(failing);
    return failed(
      `rules fail in Grafana (${failing.length}): ${reason}${others.length > 0 ? `, and ${others.length} other reasons` : ""}. Grafana writes with the ` +
        "datasource of the dashboards: its server must take remote writes, and its Prometheus type must be that of the server: " +
        "src/settings/README.md#recording-rules. A change takes two minutes: then npm run doctor",
    );
  }
  // A series can have several rules, one for each source.
  const expected = [...new Set(rules.filter(({ reads }) => names.includes(reads)).map(({ name }) => name))];
  const missing = [...expected, ...(steady ? [steady] : [])].filter((name) => !names.includes(name));
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
  if (steady && times < recentMinutes - 1) {
    const found = `${times} samples in ${recentMinutes} minutes`;
    if (before === 0)
      return ok(`all ${expected.length} are evaluated; they are new (${found}): after ten minutes, the checks say whether any is missed`);
    return note(
      `evaluations are missed (${found} of ${steady}), so panels show too little: the rules must be evaluated each minute. Check the interval of their ` +
        "group, and whether the server that evaluates them was restarted or is overloaded. To fill the gap: src/settings/README.md#history",
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

const { operation } = conventions.attributes;

/** That one dashboard has no spans is normal if another one has them: SDKs send those of one convention. */
export function judgeSpans(spans: readonly SpanSender[], { dashboards, otlp }: Pick<CheckTargets, "dashboards" | "otlp">): Finding {
  const titlesOf = (isFound: boolean) =>
    dashboards
      .filter(({ sdk }) => sdk && spans.some(({ telemetry }) => telemetry === sdk.telemetry) === isFound)
      .map(({ title }) => `"${title}"`);
  const [found, missing] = [titlesOf(true).join(" and "), titlesOf(false).join(" or ")];
  const shown = spans.filter(({ telemetry }) => telemetry).map(({ application }) => application);
  const foreign = spans.filter(({ telemetry, application }) => !telemetry && !shown.includes(application));
  const state = `arrive for ${found}${missing && `, not for ${missing} in the last hour`}`;
  const problem = (isOpenInference: boolean, cure: string) => {
    const senders = foreign.filter(({ by }) => (by === "OpenInference") === isOpenInference);
    return senders.length > 0 ? [`Spans of ${applicationsOf(senders)} lack ${operation}, by which the tables find requests: ${cure}`] : [];
  };
  const ofOpenInference = problem(true, "OpenInference adds it with OPENINFERENCE_ENABLE_GENAI_SEMCONV=true");
  const problems = [...ofOpenInference, ...problem(false, "use a later release of its instrumentation")];
  if (problems.length > 0) return note([...(found ? [state] : []), ...problems].join(". "));
  if (found) return ok(state);
  if (!otlp.data.includes("traces")) return ok("no spans are pushed: otlpData is metrics");
  return note(`no data yet: no spans for ${missing} in the last hour`);
}
