/** The checks of what arrives: the dashboards' series, counters that several processes share, recorded series, logs and spans. */
import { type GrafanaAccess, secretsOf } from "../network/grafana";
import { holdsSecret } from "../text/redact";
import { classifyArrival, classifyRecording, classifyResets } from "./arrival";
import { askNames, askRecording, askResets, askSenders, askSpans, askStreams } from "./arrival-requests";
import type { CheckedDashboard, CheckTargets } from "./input";
import { type Answer, isError, type Sample } from "./query";
import { classifyTelemetry, isShown } from "./sdk-series";
import { type CheckResult, type Finding, note } from "./table";
import { classifySpans, classifyStreams } from "./traces-and-logs";

/** Checks whether logs, spans and series arrive. */
export async function checkArrival(access: GrafanaAccess, targets: CheckTargets): Promise<CheckResult[]> {
  const [names, senders, spans, resets, recorded, types] = await Promise.all([
    askNames(access, targets),
    askSenders(access, targets),
    askSpans(access, targets),
    askResets(access, targets),
    askRecording(access, targets),
    askStreams(access, targets),
  ]);
  const { dashboards, otlp, sdk, recording, streams } = targets;
  const isHidden = (text: string) => holdsSecret(text, secretsOf(access));
  const namesIn = (samples: readonly Sample[]) => samples.flatMap(({ labels }) => labels.__name__ ?? []);
  const deployed = dashboards.flatMap(({ sdk }) => sdk?.telemetry ?? []);
  const settings = sdk && { ...sdk, deployed, pushesMetrics: otlp.data.includes("metrics") };

  const judgeSeries = ({ series, sdk }: CheckedDashboard): Finding =>
    unlessUnknown(names, (samples) => {
      // The names of the dashboard are no secrets, even if a password has the same text.
      const found = namesIn(samples).filter((name) => series.includes(name) || !isHidden(name));
      if (!sdk || !settings) return classifyArrival(series, found);
      return unlessUnknown(senders, (known) =>
        classifyTelemetry(sdk.telemetry, series, { names: found, ...known, spans: isError(spans) ? {} : spans }, settings),
      );
    });
  const judgeSpans = (): Finding =>
    unlessUnknown(spans, (found) => {
      const searched = dashboards.flatMap(({ title, series, sdk }) => {
        if (!sdk || !settings) return [];
        const shown = !isError(senders) && isShown(sdk.telemetry, series, senders.senders, settings);
        return [{ title, found: found[sdk.telemetry] ?? false, series: shown }];
      });
      return classifySpans(searched, otlp.data.includes("traces"));
    });

  const results: CheckResult[] = dashboards.map((dashboard) => ({ name: `series of "${dashboard.title}"`, ...judgeSeries(dashboard) }));
  const add = (name: string, finding: Finding) => results.push({ name, ...finding });
  if (resets) {
    const jobs = (samples: readonly Sample[]) =>
      samples.map(({ labels: { job = "", series = "" }, value }) => ({ series, job: isHidden(job) ? "" : job, resets: value }));
    add(
      "counters",
      unlessUnknown(resets, (samples) => classifyResets(jobs(samples))),
    );
  }
  if (recording && recorded) {
    add(
      "recording rules",
      unlessUnknown(recorded, ({ samples, times }) => classifyRecording(recording, namesIn(samples), times)),
    );
  }
  if (streams !== undefined && types) {
    const shown = (found: readonly unknown[]) => found.map(String).filter((type) => !isHidden(type));
    add(
      "log streams",
      unlessUnknown(types, (found) => classifyStreams(streams, shown(found))),
    );
  }
  if (sdk) add("spans", judgeSpans());
  return results;
}

const unlessUnknown = <T>(answer: Answer<T>, classify: (value: T) => Finding): Finding =>
  isError(answer) ? note(`unknown: ${answer.error}`) : classify(answer);
