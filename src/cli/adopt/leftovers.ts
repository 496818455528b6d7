/**
 * Alert rules that a stack created without storing them in its state, because the deployment was killed. Grafana's provider creates no group over
 * an existing one. They contain nothing that the program does not declare, so `npm run adopt` deletes them, and the next `up` creates them again.
 */
import { type GrafanaAccess, messageOf, requestGrafana } from "../../network/grafana";
import { stackLabel } from "../../platform/ownership";
import type { PreflightArgs } from "../../platform/preflight";
import { visible } from "../../text/sanitize";
import type { StateResource } from "../stack";

/** A rule in Grafana's list of all rules. */
export type ListedRule = Record<"uid" | "folderUID" | "ruleGroup", string> &
  Partial<Record<"labels" | "annotations", Record<string, string>>>;

/**
 * The rules of the groups that only rules of these stacks are in. Stacks in two backends can have one name, so the rules' dashboards must be theirs, too.
 *
 * @param owners the stacks, as `project/stack`
 * @param dashboards uids of their dashboards
 */
export function leftoversOf(
  { folder, alerts = [] }: Pick<PreflightArgs, "folder" | "alerts">,
  rules: readonly ListedRule[],
  state: readonly StateResource[],
  owners: readonly (string | undefined)[],
  dashboards: readonly string[],
): ListedRule[] {
  const isStored = (title: string) =>
    state.some(({ type, outputs }) => type === "grafana:alerting/ruleGroup:RuleGroup" && outputs?.name === title);
  const isOwned = ({ labels, annotations }: ListedRule) =>
    owners.includes(labels?.[stackLabel] ?? "") && dashboards.includes(annotations?.__dashboardUid__ ?? "");
  const titles = alerts.flatMap(({ rules }) => rules.map(({ title }) => title)).filter((title) => !isStored(title));
  return titles.flatMap((title) => {
    const found = rules.filter(({ folderUID, ruleGroup }) => folderUID === folder.uid && ruleGroup === title);
    return found.every(isOwned) ? found : [];
  });
}

/** @throws Error if Grafana refuses */
export async function deleteLeftovers(leftovers: readonly ListedRule[], access: GrafanaAccess): Promise<void> {
  for (const { uid, ruleGroup } of leftovers) {
    const response = await requestGrafana(access, `/api/v1/provisioning/alert-rules/${uid}`, undefined, "DELETE");
    if (response.status !== 204)
      throw new Error(`Grafana at ${access.url} did not delete the alert rule ${visible(ruleGroup)}: ${messageOf(response, access)}`);
  }
}
