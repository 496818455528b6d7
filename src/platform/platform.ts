/** The resources that exist once per Grafana: provider, datasources, folder, and the dashboards of SDKs. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import type { RecordingRule } from "../signals/counters";
import { type Adoption, adoptionOptions } from "./adoption";
import { createAlertRules } from "./alerts";
import { createDashboard, type ManagedResources } from "./dashboard";
import { type DatasourcesArgs, datasourceResourceArgs } from "./datasources";
import { ownerOf, qualifiedStack } from "./ownership";
import type { GrafanaFacts } from "./preflight";
import { createRecordingRules } from "./recording";

/** Permission of a role in the folder. */
export type FolderAccess = "none" | "view" | "edit" | "admin";

export interface FolderArgs {
  title: pulumi.Input<string>;
  uid: string;
  parentUid?: pulumi.Input<string> | undefined;
  /** Permission of viewers. Defaults to `view` if `editors` is set; if neither is set, the folder's permissions are not managed. */
  viewers?: FolderAccess | undefined;
  /** Permission of editors. Defaults to `edit` if `viewers` is set. */
  editors?: FolderAccess | undefined;
}

export interface ObservabilityPlatformArgs {
  grafana: {
    /** Address of Grafana including a path prefix, without a trailing slash. */
    url: pulumi.Input<string>;
    /** Service-account token, which determines the organization, or `user:password` for organization 1. */
    auth: pulumi.Input<string>;
    /** CA certificate of Grafana in PEM form. */
    caCert?: pulumi.Input<string> | undefined;
    /** The resources that this stack manages. Defaults to all. */
    managedResources?: ManagedResources | undefined;
  };
  /** Grafana Cloud token that can write access policies, for services whose push token this program creates. Defaults to none. */
  cloudAccessPolicyToken?: pulumi.Input<string> | undefined;
  /** Facts about Grafana. All resources wait for them, so that nothing is changed before the preflight has passed. Defaults to no preflight. */
  facts?: Promise<GrafanaFacts> | undefined;
  /** Defaults to no imports. */
  adoption?: Adoption | undefined;
  datasources: DatasourcesArgs;
  folder: FolderArgs;
  /** The dashboards for the telemetry of SDKs. Default to none. */
  genaiDashboard?: DashboardDefinition | undefined;
  otelDashboard?: DashboardDefinition | undefined;
  /** The rules that Grafana evaluates. Defaults to none. */
  recordingRules?: readonly RecordingRule[] | undefined;
  /** The alert rules on the telemetry of current SDKs. Defaults to none. */
  alerts?: Alerts | undefined;
}

export class ObservabilityPlatform extends pulumi.ComponentResource {
  /** The provider of all resources at this Grafana. */
  readonly provider: grafana.Provider;
  /** The provider of access policies on Grafana Cloud; undefined without `cloudAccessPolicyToken`. */
  readonly cloudProvider: grafana.Provider | undefined;
  /** Address of Grafana, without a trailing slash. */
  readonly url: pulumi.Output<string>;
  readonly managedResources: ManagedResources;
  readonly adoption: Adoption;
  /** The stack that the mark of the dashboards names: known once the provider exists. */
  readonly owner: pulumi.Output<string>;
  /** The uids of the datasources. */
  readonly datasources: pulumi.Output<Record<DatasourceType, string>>;
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
    const { grafana: access, facts, cloudAccessPolicyToken, datasources, folder, genaiDashboard, otelDashboard } = args;
    const { url, caCert, managedResources = "all" } = access;
    const afterwards = <T>(value: pulumi.Input<T>) => pulumi.all([value, facts?.then(() => undefined)]).apply(([plain]) => plain as T);
    this.provider = new grafana.Provider(
      `${name}-grafana`,
      // Explicit, because the plugin would read GRAFANA_INSECURE_SKIP_VERIFY from the environment.
      { url, auth: afterwards(access.auth), insecureSkipVerify: false, ...(caCert && { caCert }) },
      { parent: this },
    );
    // A separate provider: if the setting is removed, its resources are still deleted with the stored token.
    if (cloudAccessPolicyToken) {
      const token = afterwards(cloudAccessPolicyToken);
      this.cloudProvider = new grafana.Provider(`${name}-cloud`, { cloudAccessPolicyToken: token }, { parent: this });
    }

    this.url = pulumi.output(url);
    this.managedResources = managedResources;
    this.adoption = args.adoption ?? { imports: [], retainOnDelete: [] };
    const owner = this.provider.id.apply((id) => ownerOf(qualifiedStack(), id));
    this.owner = facts ? owner.apply(async (name) => (await facts).confirmOwner(name)) : owner;
    const { prometheus, loki, tempo } = datasources;
    this.datasources = pulumi.output({ prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid });
    // Without the name of the program's own component, as in existing states.
    const created = managedResources === "all" ? this.create(args, name === "platform" ? "" : `${name}-`) : undefined;
    this.folderUid = created?.folder.uid ?? pulumi.output(folder.uid);
    this.folderUrl = created?.folder.url ?? pulumi.interpolate`${url}/dashboards/f/${folder.uid}`;
    const urlOf = (definition: DashboardDefinition | undefined, dashboard: grafana.oss.Dashboard | undefined) =>
      dashboard?.url ?? (definition && pulumi.interpolate`${url}/d/${definition.uid}`);
    this.genaiDashboardUrl = urlOf(genaiDashboard, created?.genai);
    this.otelDashboardUrl = urlOf(otelDashboard, created?.otel);
    this.resources = created?.resources ?? [];
    const { folderUrl, genaiDashboardUrl, otelDashboardUrl } = this;
    this.registerOutputs({ folderUrl, ...(genaiDashboardUrl && { genaiDashboardUrl }), ...(otelDashboardUrl && { otelDashboardUrl }) });
  }

  /** @param prefix of the resources' names, unique in the program */
  private create(args: ObservabilityPlatformArgs, prefix: string) {
    const { genaiDashboard, otelDashboard, recordingRules, alerts } = args;
    const { adoption, owner } = this;
    const options = { parent: this, provider: this.provider };
    const { title, uid, parentUid } = args.folder;

    const datasources = datasourceTypes
      .filter((type) => args.datasources[type].url !== undefined)
      .map(
        (type) =>
          new grafana.oss.DataSource(
            prefix + type,
            datasourceResourceArgs(type, args.datasources),
            pulumi.mergeOptions(options, adoptionOptions(type, args.datasources[type].uid, adoption)),
          ),
      );
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
      : createPermissions(`${prefix}folder-permissions`, folder, args.folder, options);
    const surroundings = { folder: folder.uid, owner, datasources: this.datasources };
    const { prometheus } = args.datasources;
    const afterDatasources = { ...options, dependsOn: datasources };
    const dashboard = (definition: DashboardDefinition | undefined) =>
      definition && createDashboard(prefix + definition.part, definition, surroundings, adoption, afterDatasources);
    const [genai, otel] = [dashboard(genaiDashboard), dashboard(otelDashboard)];
    const recording = recordingRules?.length
      ? [createRecordingRules(`${prefix}recording-rules`, recordingRules, folder.uid, prometheus.uid, afterDatasources)]
      : [];
    const afterDashboard = { ...options, dependsOn: [...datasources, ...(otel ? [otel] : [])] };
    const rules =
      alerts && otelDashboard
        ? createAlertRules(prefix, alerts, { folder: folder.uid, prometheus: prometheus.uid, dashboard: otelDashboard.uid }, afterDashboard)
        : [];
    const resources = [...datasources, folder, ...permissions, genai, otel, ...recording, ...rules].filter((each) => each !== undefined);
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
