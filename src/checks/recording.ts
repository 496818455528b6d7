/** Checks whether the recording rules are evaluated: each minute, once, and without an error in Grafana. */
import { recordingGroup } from "../dashboards/names";
import { messageOf, requestGrafana, secretsOf } from "../network/grafana";
import { isRequest } from "../signals/opentelemetry-sources";
import { group, isOneOf, select } from "../signals/promql";
import { redactText } from "../text/redact";
import { queryPrometheus, type Stores } from "./query";
import { type Finding, failed, firstOf, note, ok } from "./table";
import type { CheckTargets } from "./targets";

/** In this time, a rule that is evaluated writes samples. */
const minutes = 10;
/** A sample is there by then: rules are evaluated a minute late, and take some seconds. */
const lateMinutes = 2;

const docs = "src/settings/README.md#recording-rules";
const notEvaluated = {
  grafana: `check the state of the rules in Grafana (Alerting > Alert rules), and what they require: ${docs}`,
  external: "check whether the server has loaded the files of npm run rules",
};

type RecordingTargets = NonNullable<CheckTargets["recording"]>;

/** `names`: of counters and recorded series with samples in the last minutes. `samples`: the most of a recorded one. `failing`: reasons. */
type RecordingState = { names: readonly string[]; samples: number; failing: readonly string[] };

export async function checkRecording(stores: Stores, targets: RecordingTargets): Promise<Finding> {
  const { by, rules, folderUid, steady, filters } = targets;
  const last = (names: readonly string[], ...own: readonly string[]) =>
    `last_over_time(${select("", isOneOf("__name__", names), ...own)}[${minutes}m])`;
  const recorded = last([...rules.map(({ name }) => name), ...(steady ? [steady] : [])]);
  // Of gateways and SDKs, rules read one side.
  const counters = last([...new Set(rules.map(({ reads }) => reads))], isRequest, ...filters);
  const counted = `${steady ?? rules[0]?.name}[${minutes}m] offset ${lateMinutes}m`;
  const [series, most, failing] = await Promise.all([
    queryPrometheus(stores, group(`${recorded} or ${counters}`, "__name__")),
    queryPrometheus(stores, `max(count_over_time(${counted}))`),
    by === "grafana" ? readErrors(stores, folderUid) : [],
  ]);
  const names = series.flatMap(({ labels }) => labels.__name__ ?? []);
  return judgeRecording(targets, { names, samples: most[0]?.value ?? 0, failing });
}

/** Grafana's errors of the rules, redacted. Nothing is known with a token that may not read the states of rules. */
async function readErrors(stores: Stores, folderUid: string): Promise<string[]> {
  const parameters = new URLSearchParams({ folder_uid: folderUid, rule_group: recordingGroup });
  const response = await requestGrafana(stores, `/api/prometheus/grafana/api/v1/rules?${parameters}`);
  if (response.status === 403) return [];
  if (response.status !== 200) throw new Error(messageOf(response, stores));
  type Group = { name?: string; folderUid?: string; rules?: { health?: string; lastError?: string }[] };
  const groups = (response.body as { data?: { groups?: Group[] } }).data?.groups ?? [];
  // Grafana ignores the uid of a folder that it does not know.
  const own = groups.filter((each) => each.name === recordingGroup && each.folderUid === folderUid).flatMap(({ rules = [] }) => rules);
  const failing = own.filter(({ health }) => health === "error");
  // The reason of a write can be in the second line.
  return failing.map(({ lastError = "" }) => redactText(lastError.trim().replaceAll("\n", ": "), secretsOf(stores)) || "no message");
}

export function judgeRecording({ by, rules, steady }: RecordingTargets, { names, samples, failing }: RecordingState): Finding {
  if (failing.length > 0) {
    const [reason, ...others] = new Set(failing);
    return failed(
      `rules fail in Grafana (${failing.length}): ${reason}${others.length > 0 ? `, and ${others.length} other reasons` : ""}. ` +
        "Grafana writes with the datasource of the dashboards: its server must take remote writes, and its Prometheus type must be that " +
        `of the server: ${docs}. A change takes two minutes: then npm run doctor`,
    );
  }
  // A series can have several rules, one for each source.
  const expected = [...new Set(rules.filter(({ reads }) => names.includes(reads)).map(({ name }) => name))];
  const missing = [...expected, ...(steady ? [steady] : [])].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return note(
      `rules are not evaluated: no ${firstOf(missing)} in the last ${minutes} minutes` +
        `${expected.length > 0 ? ", although the counters arrive" : ""}. New rules take two minutes. If it stays so, ${notEvaluated[by]}.`,
    );
  }
  // Evaluations are a minute apart: a window of ten minutes can contain eleven.
  if (samples > minutes + 1) {
    return note(
      `the rules are evaluated more than once a minute (${samples} samples in ${minutes} minutes), so panels show multiples: two stacks ` +
        "or servers evaluate them for the same Prometheus. Set recordingRules to external in all stacks but one.",
    );
  }
  if (steady && samples < minutes - 1) {
    return note(
      `${samples} samples of ${steady} in ${minutes} minutes: either the rules are new, or evaluations are missed, and panels show too ` +
        "little. Check the interval of their group, which must be a minute, and whether the server that evaluates them was restarted or " +
        "is overloaded. To fill the gap: src/settings/README.md#history",
    );
  }
  if (expected.length > 0) return ok(`all ${expected.length} are evaluated`);
  return note(`no counter arrived in the last ${minutes} minutes: nothing runs, or telemetry has not begun or has stopped`);
}
