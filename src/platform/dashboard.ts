/** A dashboard as a resource, as a careful operator wants it: never saved over another one. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { DashboardModel } from "../dashboards/finish";
import type { GrafanaAccess } from "../grafana";
import type { AdoptablePart } from "../settings/keys";
import { type Adoption, adoptionOptions } from "./adoption";
import { deploymentMessage, requireFree, type WantedDashboard } from "./preconditions";

export interface DashboardArgs {
  /** Called when the uid and the title are known to be free. */
  model: () => DashboardModel;
  wanted: WantedDashboard;
  /** The folder's uid: a value once the folder exists. */
  folder: pulumi.Input<string>;
  access: pulumi.Output<GrafanaAccess>;
  /** The name by which it is adopted, and what is. */
  part: AdoptablePart;
  adoption: Adoption;
}

/**
 * Declares a dashboard. A taken uid is refused by Grafana, since the model's `version` is 0, and a taken title is not in an update: both are
 * refused here, with the ways out. The model stays readable in diffs: nothing secret flows into it.
 */
export function createDashboard(
  name: string,
  { model, wanted, folder, access, part, adoption }: DashboardArgs,
  options: pulumi.CustomResourceOptions,
): grafana.oss.Dashboard {
  const isFree = pulumi.unsecret(access.apply((plain) => requireFree(plain, wanted, part, adoption)));
  const configJson = isFree.apply(() => JSON.stringify(model()));
  return new grafana.oss.Dashboard(
    name,
    { configJson, folder, message: deploymentMessage(), overwrite: false },
    // Under a new uid it has the same title: Grafana takes it only when the old one is gone.
    pulumi.mergeOptions({ ...options, deleteBeforeReplace: true }, adoptionOptions(part, wanted.uid, adoption)),
  );
}
