/** A dashboard as a resource: marked with the stack that manages it, and never saved over another one. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { DashboardModel } from "../dashboards/normalize";
import type { AdoptablePart } from "../settings/keys";
import { type Adoption, adoptionOptions } from "./adoption";
import { markedFor } from "./ownership";
import { qualifiedStack } from "./preflight";

export interface DashboardArgs {
  uid: string;
  /** Called once all resources are declared, while the engine starts its plugins. */
  model: () => DashboardModel;
  /** The folder's uid: a value once the folder exists. */
  folder: pulumi.Output<string>;
  /** The organization, where the credentials leave a choice. */
  orgId: string | undefined;
  /** The name by which it is adopted, and the parts that are. */
  part: AdoptablePart;
  adoption: Adoption;
}

/**
 * Declares a dashboard. Grafana refuses to create it over another one with its uid, since the model's `version` is 0; the preflight looks for a taken
 * title. The model stays readable in diffs: nothing secret flows into it.
 */
export function createDashboard(
  name: string,
  { uid, model, folder, orgId, part, adoption }: DashboardArgs,
  options: pulumi.CustomResourceOptions,
): grafana.oss.Dashboard {
  const stack = qualifiedStack();
  return new grafana.oss.Dashboard(
    name,
    {
      configJson: Promise.resolve().then(() => JSON.stringify(markedFor(model(), stack))),
      folder,
      message: `Deployed by Pulumi (${stack})`,
      overwrite: false,
      ...(orgId && { orgId }),
    },
    // Under a new uid it has the same title: Grafana takes it only when the old one is gone.
    pulumi.mergeOptions({ ...options, deleteBeforeReplace: true }, adoptionOptions(part, importId(uid, orgId), adoption)),
  );
}

/** What the plugin imports by: the uid, behind the organization where one is named. */
export const importId = (uid: string, orgId: string | undefined) => (orgId ? `${orgId}:${uid}` : uid);
