/** The resources that exist once per Grafana: datasources, folder, the dashboards of SDKs and their rules. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type DatasourceType, datasourceTypes } from "../settings/keys";
import type { RecordingRule } from "../signals/counters";
import { userError } from "../text/user-error";
import { createAlertRules } from "./alerts";
import { createDashboard, type ManagedResources } from "./dashboard";
import { type DatasourcesArgs, datasourceResourceArgs } from "./datasources";
import { ownerOf, qualifiedStack } from "./ownership";
import { createRecordingRules } from "./recording";

/** The permissions of the roles besides Admin, which administers every folder. */
const permissionsOf = {
  view: { Viewer: "View", Editor: "View" },
  editors: { Editor: "Edit" },
  "editors-view": { Editor: "View" },
  admins: {},
};

export interface FolderArgs {
  title: pulumi.Input<string>;
  uid: string;
  parentUid?: pulumi.Input<string> | undefined;
  /** Who may open the folder. Defaults to permissions that the stack does not manage. */
  access?: keyof typeof permissionsOf | undefined;
}

export interface ObservabilityPlatformArgs {
  /** The address of Grafana, including a path prefix, without a slash at its end: for the addresses of pages. */
  url: pulumi.Input<string>;
  /** The resources that this stack manages. Defaults to all. */
  managedResources?: ManagedResources | undefined;
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
  readonly provider: pulumi.ProviderResource;
  /** Address of Grafana, without a trailing slash. */
  readonly url: pulumi.Output<string>;
  readonly managedResources: ManagedResources;
  /** The stack that the marks name. In a preview of a new stack, its id is `new`. */
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

  /** @param options with the Grafana provider in `providers` */
  constructor(name: string, args: ObservabilityPlatformArgs, options: pulumi.ComponentResourceOptions) {
    super("llm-observability:platform:ObservabilityPlatform", name, {}, options);
    const { url, datasources, folder, genaiDashboard, otelDashboard, managedResources = "all" } = args;
    const provider = this.getProvider("grafana:index/provider:Provider");
    if (!provider) throw userError(`The component ${name} has no Grafana provider. Pass one: { providers: [provider] }`);
    this.provider = provider;
    this.url = pulumi.output(url);
    this.managedResources = managedResources;
    this.owner = provider.id.apply((id) => ownerOf(qualifiedStack(), id));
    const { prometheus, loki, tempo } = datasources;
    this.datasources = pulumi.output({ prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid });
    const created = managedResources === "all" ? this.create(name, args) : undefined;
    this.folderUid = created?.folder.uid ?? pulumi.output(folder.uid);
    this.folderUrl = created?.folder.url ?? pulumi.interpolate`${url}/dashboards/f/${folder.uid}`;
    const urlOf = (definition: DashboardDefinition | undefined, dashboard: grafana.oss.Dashboard | undefined) =>
      dashboard?.url ?? (definition && pulumi.interpolate`${url}/d/${definition.uid}`);
    this.genaiDashboardUrl = urlOf(genaiDashboard, created?.genai);
    this.otelDashboardUrl = urlOf(otelDashboard, created?.otel);
    const { folderUrl, genaiDashboardUrl, otelDashboardUrl } = this;
    this.registerOutputs({ folderUrl, ...(genaiDashboardUrl && { genaiDashboardUrl }), ...(otelDashboardUrl && { otelDashboardUrl }) });
  }

  private create(platform: string, args: ObservabilityPlatformArgs) {
    const { genaiDashboard, otelDashboard, recordingRules, alerts } = args;
    const { owner } = this;
    const { title, uid, parentUid, access } = args.folder;
    // Before version 0.2, the names of the program's own platform had no prefix.
    const named = (name: string, more: pulumi.CustomResourceOptions = {}): [string, pulumi.CustomResourceOptions] => [
      `${platform}-${name}`,
      { parent: this, aliases: [{ name }], ...more },
    ];

    const datasources = datasourceTypes
      .filter((type) => args.datasources[type].url !== undefined)
      .map((type) => {
        // An adopted datasource stays the default one of Grafana.
        const [name, options] = named(type, { retainOnDelete: args.datasources.kept ?? false, ignoreChanges: ["isDefault"] });
        return new grafana.oss.DataSource(name, datasourceResourceArgs(type, args.datasources, owner), options);
      });
    const [folderName, folderOptions] = named("folder");
    const folder = new grafana.oss.Folder(
      folderName,
      { title, uid, preventDestroyIfNotEmpty: true, ...(parentUid && { parentFolderUid: parentUid }) },
      folderOptions,
    );
    if (access) {
      // Deleted only together with the folder: Grafana would keep an empty list, with which only administrators see the folder.
      const [name, options] = named("folder-permissions", { retainOnDelete: true });
      const permissions = Object.entries(permissionsOf[access]).map(([role, permission]) => ({ role, permission }));
      new grafana.oss.FolderPermission(name, { folderUid: folder.uid, permissions }, options);
    }
    const { prometheus } = args.datasources;
    const references = { folder: folder.uid, owner, datasources: this.datasources };
    const dashboard = (definition: DashboardDefinition | undefined) =>
      definition && createDashboard(named(definition.part, { dependsOn: datasources }), definition, references);
    const [genai, otel] = [dashboard(genaiDashboard), dashboard(otelDashboard)];
    if (recordingRules?.length)
      createRecordingRules(named("recording-rules", { dependsOn: datasources }), recordingRules, folder.uid, prometheus.uid);
    if (alerts && otelDashboard && otel) {
      const ofAlerts = { folder: folder.uid, prometheus: prometheus.uid, dashboard: otelDashboard.uid };
      createAlertRules((id) => named(`alert-${id}`, { dependsOn: [...datasources, otel] }), alerts, ofAlerts);
    }
    return { folder, genai, otel };
  }
}
