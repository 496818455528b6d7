/** Recording rules that Grafana evaluates: one group in the folder of the dashboards. */
import type * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { RecordingRule } from "../signals/counters";
import { ruleQuery } from "./alerts";

/** Seconds between two evaluations, and the time by which samples may be late. The rules calculate the increase of a minute. */
const minute = 60;

/**
 * Declares the group. Titles are the names of the series: unique in the folder, and the same in `dashboards/rules.yaml`.
 *
 * Grafana stores any group, also with recording rules switched off, with an unknown target or with an invalid name. The checks find series that are not written.
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
  return new grafana.alerting.RuleGroup(
    name,
    {
      name: "Recording rules",
      folderUid: folder,
      intervalSeconds: minute,
      rules: rules.map(({ name, query }) => ({
        name,
        // The query is evaluated at `to`, in seconds before now.
        datas: [ruleQuery("A", prometheus, { from: 2 * minute, to: minute }, { expr: query, instant: true, range: false })],
        record: { from: "A", metric: name, targetDatasourceUid: prometheus },
      })),
    },
    options,
  );
}
