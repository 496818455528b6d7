/** Recording rules that Grafana evaluates: one group in the folder of the dashboards. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { recordingGroup } from "../dashboards/names";
import { evaluatedByGrafana, type RecordingRule } from "../signals/counters";
import { ruleQuery } from "./alerts";

/** Seconds between two evaluations, and the time by which samples may be late. The rules calculate the increase of a minute. */
const minute = 60;

/**
 * Declares the group, without the rules whose results Grafana does not write. The labels of a rule are added to its series.
 *
 * Grafana stores any group, also with an unknown target or with an invalid name. The checks read the state of its rules.
 *
 * @param folder its uid, which is known once the folder exists
 * @param prometheus the uid of the datasource that the rules read and write
 */
export function createRecordingRules(
  [name, options]: [string, pulumi.CustomResourceOptions],
  rules: readonly RecordingRule[],
  folder: pulumi.Output<string>,
  prometheus: pulumi.Input<string>,
): grafana.alerting.RuleGroup {
  const group = { name: recordingGroup, folderUid: folder, intervalSeconds: minute };
  const recorded = evaluatedByGrafana(rules).map(({ name, query, labels }) => ({
    // The title of a rule is unique in a folder.
    name: [name, ...Object.values(labels ?? {})].join(" "),
    // The query is evaluated at `to`, in seconds before now.
    datas: [ruleQuery("A", prometheus, { from: 2 * minute, to: minute }, { expr: query, instant: true, range: false })],
    ...(labels && { labels }),
    record: { from: "A", metric: name, targetDatasourceUid: prometheus },
  }));
  return new grafana.alerting.RuleGroup(name, { ...group, rules: recorded }, options);
}
