/** The resources that exist once per Grafana: provider, datasources, folder, and the dashboards of SDKs. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import { type Adoption, adoptionOptions } from "./adoption";
import { type AlertsArgs, createAlertRules } from "./alerts";
import { createDashboard, type DashboardDefinition } from "./dashboard";
import { type DatasourcesArgs, datasourceResourceArgs } from "./datasources";
import { ownerOf, qualifiedStack } from "./ownership";
import { createRecordingRules, type RecordingArgs } from "./recording";

/** Permission of a role in the folder. */
export type FolderAccess = "none" | "view" | "edit" | "admin";

export interface FolderArgs {
  title: string;
  uid: string;
  parentUid?: string | undefined;
  /** Permission of viewers. Defaults to `view` if `editors` is set; if neither is set, the folder's permissions are not managed. */
  viewers?: FolderAccess | undefined;
  /** Permission of editors. Defaults to `edit` if `viewers` is set. */
  editors?: FolderAccess | undefined;
}

export interface ObservabilityPlatformArgs {
  grafana: {
    /** Address of Grafana including a path prefix, without a trailing slash. */
    url: string;
    /** Service-account token, which determines the organization, or `user:password` for organization 1. */
    auth: pulumi.Output<string>;
    /** CA certificate of Grafana in PEM form. */
    caCert?: string | undefined;
    /** Grafana Cloud token that can write access policies, for services whose push token this program creates. */
    cloudAccessPolicyToken?: pulumi.Output<string> | undefined;
  };
  /** Whether this stack manages datasources, folder and dashboard. If not, another stack does, and this one refers to them. */
  managed: boolean;
  adoption: Adoption;
  /** Refuses a deployment if other stacks than this owner manage dashboards. Defaults to no check. */
  confirmOwner?: ((owner: string) => Promise<string>) | undefined;
  /** The datasources to create. Defaults to none: existing ones are used. */
  datasources?: DatasourcesArgs | undefined;
  folder: FolderArgs;
  /** "GenAI Observability". Defaults to none. */
  genaiDashboard?: DashboardDefinition | undefined;
  /** "GenAI Observability (OpenTelemetry)". Defaults to none. */
  otelDashboard?: DashboardDefinition | undefined;
  /** The rules that Grafana evaluates. Defaults to none. */
  recording?: RecordingArgs | undefined;
  /** The alert rules on the telemetry of SDKs. Defaults to none. */
  alerts?: AlertsArgs | undefined;
}

export class ObservabilityPlatform extends pulumi.ComponentResource {
  /** The provider of all resources at this Grafana. */
  readonly provider: grafana.Provider;
  /** The provider of access policies on Grafana Cloud; undefined without `cloudAccessPolicyToken`. */
  readonly cloudProvider: grafana.Provider | undefined;
  /** Address of Grafana, without a trailing slash. */
  readonly url: string;
  readonly adoption: Adoption;
  /** The stack that the mark of the dashboards names: known once the provider exists. */
  readonly owner: pulumi.Output<string>;
  /** Uid of the folder: known once the folder exists. */
  readonly folderUid: pulumi.Output<string>;
  /** Address of the folder in a browser. */
  readonly folderUrl: pulumi.Output<string>;
  /** Address of "GenAI Observability" in a browser; undefined without it. */
  readonly genaiDashboardUrl: pulumi.Output<string> | undefined;
  /** Address of "GenAI Observability (OpenTelemetry)" in a browser; undefined without it. */
  readonly otelDashboardUrl: pulumi.Output<string> | undefined;
  /** The resources that must exist before the platform can be checked. */
  readonly resources: pulumi.Resource[];

  constructor(name: string, args: ObservabilityPlatformArgs, options?: pulumi.ComponentResourceOptions) {
    super("llm-observability:platform:ObservabilityPlatform", name, {}, options);
    const { url, auth, caCert, cloudAccessPolicyToken } = args.grafana;
    this.provider = new grafana.Provider(
      `${name}-grafana`,
      // Explicit, because the plugin would read GRAFANA_INSECURE_SKIP_VERIFY from the environment.
      { url, auth, insecureSkipVerify: false, ...(caCert && { caCert }) },
      { parent: this },
    );
    // A separate provider: if the setting is removed, its resources are still deleted with the stored token.
    this.cloudProvider = cloudAccessPolicyToken && new grafana.Provider(`${name}-cloud`, { cloudAccessPolicyToken }, { parent: this });

    this.url = url;
    this.adoption = args.adoption;
    const owner = this.provider.id.apply((id) => ownerOf(qualifiedStack(), id));
    this.owner = args.confirmOwner ? owner.apply(args.confirmOwner) : owner;
    // Without the name of the program's own component, as in existing states.
    const created = args.managed ? this.create(args, name === "platform" ? "" : `${name}-`) : undefined;
    this.folderUid = created?.folder.uid ?? pulumi.output(args.folder.uid);
    this.folderUrl = created?.folder.url ?? pulumi.output(`${url}/dashboards/f/${args.folder.uid}`);
    const urlOf = (definition: DashboardDefinition | undefined, dashboard: grafana.oss.Dashboard | undefined) =>
      dashboard?.url ?? (definition && pulumi.output(`${url}/d/${definition.uid}`));
    this.genaiDashboardUrl = urlOf(args.genaiDashboard, created?.genai);
    this.otelDashboardUrl = urlOf(args.otelDashboard, created?.otel);
    this.resources = created?.resources ?? [];
    const { folderUrl, genaiDashboardUrl, otelDashboardUrl } = this;
    this.registerOutputs({ folderUrl, ...(genaiDashboardUrl && { genaiDashboardUrl }), ...(otelDashboardUrl && { otelDashboardUrl }) });
  }

  /** @param prefix of the resources' names, unique in the program */
  private create(args: ObservabilityPlatformArgs, prefix: string) {
    const { datasources: datasourcesArgs, folder: folderArgs, genaiDashboard, otelDashboard, recording, alerts: alertsArgs } = args;
    const { adoption } = this;
    const options = { parent: this, provider: this.provider };
    const { title, uid, parentUid } = folderArgs;

    const createDatasource = (type: DatasourceType, args: DatasourcesArgs) =>
      new grafana.oss.DataSource(
        prefix + type,
        datasourceResourceArgs(type, args),
        pulumi.mergeOptions(options, adoptionOptions(type, args[type].uid, adoption)),
      );
    const datasources = datasourcesArgs ? datasourceTypes.map((type) => createDatasource(type, datasourcesArgs)) : [];
    const folder = new grafana.oss.Folder(
      `${prefix}folder`,
      {
        title,
        uid,
        preventDestroyIfNotEmpty: true,
        ...(parentUid && { parentFolderUid: parentUid }),
      },
      pulumi.mergeOptions(options, adoptionOptions("folder", uid, adoption)),
    );
    // The import of a folder leaves its permissions unchanged, too.
    const permissions = adoption.imports.includes("folder")
      ? []
      : createPermissions(`${prefix}folder-permissions`, folder, folderArgs, options);
    const location = { folder: folder.uid, owner: this.owner };
    const afterDatasources = { ...options, dependsOn: datasources };
    const dashboard = (definition: DashboardDefinition | undefined) =>
      definition && createDashboard(prefix + definition.part, definition, location, adoption, afterDatasources);
    const [genai, otel] = [dashboard(genaiDashboard), dashboard(otelDashboard)];
    const rules = recording && createRecordingRules(`${prefix}recording-rules`, recording, folder.uid, afterDatasources);
    const afterDashboard = { ...options, dependsOn: [...datasources, ...(otel ? [otel] : [])] };
    const alerts = alertsArgs ? createAlertRules(prefix, alertsArgs, folder.uid, afterDashboard) : [];
    const resources = [...datasources, folder, ...permissions, genai, otel, rules, ...alerts].filter((resource) => resource !== undefined);
    return { folder, genai, otel, resources };
  }
}

/**
 * The folder's complete list of permissions, if a setting asks for it. The list is deleted only together with its folder: Grafana would keep an
 * empty list, with which only administrators see the folder.
 */
function createPermissions(
  name: string,
  folder: grafana.oss.Folder,
  { viewers, editors }: FolderArgs,
  options: pulumi.CustomResourceOptions,
): grafana.oss.FolderPermission[] {
  if (!viewers && !editors) return [];
  const names = { none: undefined, view: "View", edit: "Edit", admin: "Admin" };
  const permissions = [
    { role: "Viewer", permission: names[viewers ?? "view"] },
    { role: "Editor", permission: names[editors ?? "edit"] },
  ].flatMap(({ role, permission }) => (permission ? [{ role, permission }] : []));
  return [new grafana.oss.FolderPermission(name, { folderUid: folder.uid, permissions }, { ...options, retainOnDelete: true })];
}
