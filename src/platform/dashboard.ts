/** A dashboard as a resource: marked with the stack that manages it, and never saved over another dashboard. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { DashboardDefinition } from "../dashboards/definitions";
import type { DatasourceType } from "../settings/keys";
import { markedFor, qualifiedStack } from "./ownership";

/** The Grafana resources that a stack manages: all, only the dashboard of its service, or none. Another stack manages the others. */
export type ManagedResources = "all" | "service-dashboard" | "none";

export const isManaged = ({ part }: DashboardDefinition, managed: ManagedResources) =>
  managed === "all" || (managed === "service-dashboard" && part === "llm-monitoring");

/** What the resources in the folder refer to: the folder, the stack that the marks name, and the uids of the datasources. */
export interface Placement {
  folderUid: pulumi.Output<string>;
  owner: pulumi.Output<string>;
  datasources: pulumi.Output<Record<DatasourceType, string>>;
}

export type Named = [name: string, options: pulumi.CustomResourceOptions];

/**
 * Declares a dashboard. Grafana refuses to create it over a dashboard with the same uid, since the model's `version` is 0. The preflight
 * checks the title. The model contains no secret, so diffs show it.
 */
export function createDashboard([name, options]: Named, { model }: DashboardDefinition, { folderUid, owner, datasources }: Placement) {
  const configJson = pulumi.all([datasources, owner]).apply(([uids, owner]) => JSON.stringify(markedFor(model(uids), owner)));
  return new grafana.oss.Dashboard(
    name,
    { configJson, folder: folderUid, message: `Deployed by Pulumi (${qualifiedStack()})`, overwrite: false },
    // A new uid keeps the title, which Grafana accepts only after the old dashboard is deleted.
    { ...options, deleteBeforeReplace: true },
  );
}
