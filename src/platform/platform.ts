/** The resources that exist once per Grafana: datasources, folder, the dashboards of SDKs and their rules. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Alerts } from "../alerts/definitions";
import type { DashboardDefinition } from "../dashboards/definitions";
import { type DashboardPart, type DatasourceType, datasourceTypes } from "../settings/keys";
import type { RecordingRule } from "../signals/counters";
import { userError } from "../text/user-error";
import { createDashboard, type ManagedResources, type Named } from "./dashboard";
import { type DatasourcesArgs, datasourceResourceArgs } from "./datasources";
import { ownerOf, qualifiedStack } from "./ownership";
import { createAlertRules, createRecordingRules } from "./rules";

const componentType = "llm-observability:platform:ObservabilityPlatform";

/** A provider, which was a child of the platform before version 0.2: the engine then moves it instead of replacing it. */
export const formerProvider = (name: string) => ({ aliases: [{ parent: pulumi.createUrn("platform", componentType), name }] });

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
  /** The dashboards for the telemetry of SDKs. Defaults to none. */
  dashboards?: readonly DashboardDefinition[] | undefined;
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
  readonly folderUrl: pulumi.Output<string>;
  readonly dashboardUrls: Readonly<Partial<Record<DashboardPart, pulumi.Output<string>>>>;

  /** @param options with the Grafana provider in `providers` */
  constructor(name: string, args: ObservabilityPlatformArgs, options: pulumi.ComponentResourceOptions) {
    super(componentType, name, {}, options);
    const { url, datasources, folder, dashboards = [], managedResources = "all" } = args;
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
    const urlAt = (index: number, uid: string) => created?.dashboards[index]?.url ?? pulumi.interpolate`${url}/d/${uid}`;
    this.dashboardUrls = Object.fromEntries(dashboards.map(({ part, uid }, index) => [part, urlAt(index, uid)]));
    this.registerOutputs({ folderUrl: this.folderUrl, dashboardUrls: this.dashboardUrls });
  }

  private create(platform: string, args: ObservabilityPlatformArgs) {
    const { recordingRules = [], alerts } = args;
    const { title, uid, parentUid, access } = args.folder;
    // Before version 0.2, the names of the program's own platform had no prefix.
    const named = (name: string, more: pulumi.CustomResourceOptions = {}): Named => [
      `${platform}-${name}`,
      { parent: this, aliases: [{ name }], ...more },
    ];

    const created = datasourceTypes.filter((type) => args.datasources[type].url !== undefined);
    const datasources = created.map((type) => {
      // An adopted datasource stays the default one of Grafana.
      const { kept = false } = args.datasources;
      // What stays in Grafana anyway is not protected: it could not be handed over.
      const [name, options] = named(type, { retainOnDelete: kept, ignoreChanges: ["isDefault"], ...(kept && { protect: false }) });
      return new grafana.oss.DataSource(name, datasourceResourceArgs(type, args.datasources, this.owner), options);
    });
    const [folderName, folderOptions] = named("folder");
    const folderArgs = { title, uid, preventDestroyIfNotEmpty: true, ...(parentUid && { parentFolderUid: parentUid }) };
    const folder = new grafana.oss.Folder(folderName, folderArgs, folderOptions);
    if (access) {
      // Deleted only together with the folder: Grafana would keep an empty list, with which only administrators see the folder.
      const [name, options] = named("folder-permissions", { retainOnDelete: true, protect: false });
      const permissions = Object.entries(permissionsOf[access]).map(([role, permission]) => ({ role, permission }));
      new grafana.oss.FolderPermission(name, { folderUid: folder.uid, permissions }, options);
    }
    const placement = { folderUid: folder.uid, owner: this.owner, datasources: this.datasources };
    const afterDatasources = { dependsOn: datasources };
    const dashboards = (args.dashboards ?? []).map((each) => createDashboard(named(each.part, afterDatasources), each, placement));
    if (recordingRules.length > 0) createRecordingRules(named("recording-rules", afterDatasources), recordingRules, placement);
    if (alerts) createAlertRules((id) => named(`alert-${id}`, { dependsOn: [...datasources, ...dashboards] }), alerts, placement);
    return { folder, dashboards };
  }
}
