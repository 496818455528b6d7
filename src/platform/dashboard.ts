/** A dashboard as a resource: marked with the stack that manages it, and never saved over another dashboard. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { DashboardModel } from "../dashboards/normalize";
import type { AdoptablePart } from "../settings/keys";
import { type Adoption, adoptionOptions } from "./adoption";
import { markedFor, qualifiedStack } from "./ownership";

/** One dashboard of a stack, as the preflight, the component, the checks and `npm run adopt` use it. */
export interface DashboardDefinition {
  /** Name in the settings `imports` and `retainOnDelete`. */
  part: AdoptablePart;
  uid: string;
  title: string;
  folderUid: string;
  /** Whether this stack manages the dashboard. If not, another stack does. */
  managed: boolean;
  /** Value of the setting `managedResources` with which a stack only refers to the dashboard. */
  referOnly: "service-dashboard" | "none";
  /** Names of the series that the panels read. */
  series: readonly string[];
  /** Builds the model. Loads the builders, so it is called after all resources are declared, while the engine starts its plugins. */
  model: () => DashboardModel;
}

/** Where dashboards are. */
export interface Location {
  /** The uid of the folder: known once the folder exists. */
  folder: pulumi.Output<string>;
  /** The stack that the mark names: known once the provider exists. */
  owner: pulumi.Output<string>;
}

/**
 * Declares a dashboard. Grafana refuses to create it over a dashboard with the same uid, since the model's `version` is 0; the preflight checks
 * the title. The model contains no secret, so diffs show it.
 */
export function createDashboard(
  name: string,
  { part, uid, model }: DashboardDefinition,
  { folder, owner }: Location,
  adoption: Adoption,
  options: pulumi.CustomResourceOptions,
): grafana.oss.Dashboard {
  const built = Promise.resolve().then(model);
  return new grafana.oss.Dashboard(
    name,
    {
      configJson: owner.apply(async (name) => JSON.stringify(markedFor(await built, name))),
      folder,
      message: `Deployed by Pulumi (${qualifiedStack()})`,
      overwrite: false,
    },
    // A new uid keeps the title, which Grafana accepts only after the old dashboard is deleted.
    pulumi.mergeOptions({ ...options, deleteBeforeReplace: true }, adoptionOptions(part, uid, adoption)),
  );
}
