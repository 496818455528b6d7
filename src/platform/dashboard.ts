/** A dashboard as a resource, as a careful operator wants it: never saved over another one. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { DashboardModel } from "../dashboards/finish";
import type { GrafanaAccess } from "../grafana";
import { deploymentMessage, requireTitle, type WantedDashboard } from "./preconditions";

export interface DashboardArgs {
  model: DashboardModel;
  wanted: WantedDashboard;
  /** The folder's uid: a value once the folder exists. */
  folder: pulumi.Input<string>;
  access: pulumi.Output<GrafanaAccess>;
}

/**
 * Declares a dashboard. A taken uid is refused by Grafana, since the model's `version` is 0; a taken title, which Grafana would not refuse in an
 * update, is refused here. The model stays readable in diffs: nothing secret flows into it.
 */
export function createDashboard(
  name: string,
  { model, wanted, folder, access }: DashboardArgs,
  options: pulumi.CustomResourceOptions,
): grafana.oss.Dashboard {
  const titleIsFree = pulumi.unsecret(access.apply((plain) => requireTitle(plain, wanted)));
  const configJson = titleIsFree.apply(() => JSON.stringify(model));
  return new grafana.oss.Dashboard(
    name,
    { configJson, folder, message: deploymentMessage(), overwrite: false },
    // Under a new uid it has the same title: Grafana takes it only when the old one is gone.
    { ...options, deleteBeforeReplace: true },
  );
}
