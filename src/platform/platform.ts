/** What exists once for each Grafana: provider, datasources, folder, and the dashboard of everything that SDKs push. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { genaiObservability } from "../dashboards/models";
import { genaiObservabilityTitle } from "../dashboards/names";
import type { GrafanaAccess } from "../grafana";
import { datasourceKinds } from "../settings/rules";
import { type Adoption, adoptionOptions } from "./adoption";
import { createDashboard } from "./dashboard";
import { createDatasources, type DatasourceUids, type ExistingDatasources, type ManagedDatasources, uidsOf } from "./datasources";
import { requireDatasources, requireFolder, warnOfStrangers } from "./preconditions";

/** What somebody may do in a folder. */
export type FolderAccess = "none" | "view" | "edit" | "admin";

export interface ObservabilityPlatformArgs {
  grafana: {
    /** Address of Grafana, a path prefix included, without a slash at its end. */
    url: string;
    /** Service-account token, or `user:password`. */
    auth: pulumi.Output<string>;
    orgId?: number | undefined;
    /** CA certificate of Grafana in PEM form. */
    caCert?: string | undefined;
    /** Grafana Cloud token that may write access policies, for services whose push token is made here. */
    cloudAccessPolicyToken?: pulumi.Output<string> | undefined;
  };
  /** Whether datasources, folder and dashboard are this stack's. If not, another stack has them, and here they are only referred to. */
  owned: boolean;
  /** What was at Grafana before this stack. */
  adoption: Adoption;
  datasources: ManagedDatasources | ExistingDatasources;
  folder: {
    title: string;
    uid: string;
    parentUid?: string | undefined;
    /** What viewers and editors may do; without both, nothing is said of the folder's permissions. */
    viewers?: FolderAccess | undefined;
    editors?: FolderAccess | undefined;
  };
  genaiDashboard: {
    uid: string;
    /** `<sdk_name>` of the spec. */
    sdkName: string;
  };
}

export class ObservabilityPlatform extends pulumi.ComponentResource {
  /** The provider of everything at this Grafana. */
  readonly provider: grafana.Provider;
  /** The provider of access policies on Grafana Cloud, where a token for it is given. */
  readonly cloudProvider: grafana.Provider | undefined;
  /** Address of Grafana, without a slash at its end. */
  readonly url: string;
  /** What was at Grafana before this stack. */
  readonly adoption: Adoption;
  /** Uids of the datasources. They are fixed by settings, and so known in previews. */
  readonly datasourceUids: DatasourceUids;
  /** Uid of the folder as it was asked for. */
  readonly wantedFolderUid: string;
  /** Uid of the folder: a value once the folder exists. */
  readonly folderUid: pulumi.Output<string>;
  /** The folder's address in a browser. */
  readonly folderUrl: pulumi.Output<string>;
  /** The address of "GenAI Observability" in a browser. */
  readonly genaiDashboardUrl: pulumi.Output<string>;
  /** Where Grafana is and who asks, for questions of other components; secret. */
  readonly access: pulumi.Output<GrafanaAccess>;
  /** Everything that must exist before the platform can be checked. */
  readonly resources: pulumi.Resource[];

  constructor(name: string, args: ObservabilityPlatformArgs, options?: pulumi.ComponentResourceOptions) {
    super("llm-observability:platform:ObservabilityPlatform", name, {}, options);
    const { url, auth, orgId, caCert, cloudAccessPolicyToken } = args.grafana;
    this.provider = new grafana.Provider(
      `${name}-grafana`,
      // Said outright: the plugin would take GRAFANA_INSECURE_SKIP_VERIFY from the environment.
      { url, auth, insecureSkipVerify: false, ...(orgId && { orgId }), ...(caCert && { caCert }) },
      { parent: this },
    );
    // A provider of its own: when the token goes, what was made with it is still deleted with the stored one.
    this.cloudProvider = cloudAccessPolicyToken && new grafana.Provider(`${name}-cloud`, { cloudAccessPolicyToken }, { parent: this });
    this.access = auth.apply((plain) => ({ url, auth: plain, orgId, caCert }));

    this.url = url;
    this.adoption = args.adoption;
    this.datasourceUids = uidsOf(args.datasources);
    this.wantedFolderUid = args.folder.uid;
    const found = args.datasources.mode === "existing" ? lookUp(this.access, this.datasourceUids) : pulumi.output(undefined);
    const parts = args.owned ? this.createOwned(args, found) : this.referTo(args, found);
    this.folderUid = parts.folderUid;
    this.folderUrl = parts.folderUrl;
    this.genaiDashboardUrl = parts.genaiDashboardUrl;
    this.resources = parts.resources;
    this.registerOutputs({ folderUrl: this.folderUrl, genaiDashboardUrl: this.genaiDashboardUrl });
  }

  /** @param found there once existing datasources were found */
  private createOwned(args: ObservabilityPlatformArgs, found: pulumi.Output<void>): SharedParts {
    const { adoption } = args;
    const own = { parent: this, provider: this.provider };
    const { title, uid, parentUid } = args.folder;
    const wanted = { uid: args.genaiDashboard.uid, title: genaiObservabilityTitle, folderUid: uid };
    const managed = args.datasources.mode === "managed" ? args.datasources : undefined;
    const strangers = { folderUid: uid, datasourceUids: managed ? this.datasourceUids : undefined, dashboard: wanted, adoption };
    const warned = pulumi.unsecret(this.access.apply((plain) => warnOfStrangers(plain, strangers)));

    const datasources = managed
      ? createDatasources(managed, (type, uid) => pulumi.mergeOptions(own, adoptionOptions(type, uid, adoption)))
      : [];
    const folder = new grafana.oss.Folder(
      "folder",
      { title: warned.apply(() => title), uid, preventDestroyIfNotEmpty: true, ...(parentUid && { parentFolderUid: parentUid }) },
      pulumi.mergeOptions(own, adoptionOptions("folder", uid, adoption)),
    );
    // A folder that is being taken over stays as it is, for now.
    const permissions = adoption.adopting.includes("folder") ? [] : createPermissions(folder, args.folder, own);
    const dashboard = createDashboard(
      "genai-observability",
      {
        model: () =>
          genaiObservability({
            ...args.genaiDashboard,
            prometheusUid: this.datasourceUids.prometheus,
            tempoUid: this.datasourceUids.tempo,
          }),
        wanted,
        folder: pulumi.all([folder.uid, found]).apply(([folderUid]) => folderUid),
        access: this.access,
        part: "genai-observability",
        adoption,
      },
      { ...own, dependsOn: datasources },
    );
    return {
      folderUid: folder.uid,
      folderUrl: folder.url,
      genaiDashboardUrl: dashboard.url,
      resources: [...datasources, folder, ...permissions, dashboard],
    };
  }

  private referTo({ folder, genaiDashboard }: ObservabilityPlatformArgs, found: pulumi.Output<void>): SharedParts {
    const folderUid = pulumi
      .all([pulumi.unsecret(this.access.apply((plain) => requireFolder(plain, folder.uid))), found])
      .apply(() => folder.uid);
    return {
      folderUid,
      folderUrl: pulumi.interpolate`${this.url}/dashboards/f/${folderUid}`,
      genaiDashboardUrl: pulumi.interpolate`${this.url}/d/${genaiDashboard.uid}`,
      resources: [],
    };
  }
}

/** What of a platform may be another stack's. */
type SharedParts = Pick<ObservabilityPlatform, "folderUid" | "folderUrl" | "genaiDashboardUrl" | "resources">;

/** A value that is there once all three datasources were found. It tells nothing of the credentials that were used to look. */
function lookUp(access: pulumi.Output<GrafanaAccess>, uids: DatasourceUids): pulumi.Output<void> {
  const wanted = datasourceKinds.map((type) => ({ uid: uids[type], type, setting: `${type}Uid` }));
  return pulumi.unsecret(access.apply((plain) => requireDatasources(plain, wanted)));
}

/** What a role may do in a folder that nobody said anything about. */
const usual = { viewers: "view", editors: "edit" } as const;

/**
 * The folder's whole list of permissions, where one is wanted. It is never deleted but with its folder: Grafana would be left with an empty list,
 * by which nobody but administrators see the folder.
 */
function createPermissions(
  folder: grafana.oss.Folder,
  { viewers, editors }: { viewers?: FolderAccess | undefined; editors?: FolderAccess | undefined },
  options: pulumi.CustomResourceOptions,
): grafana.oss.FolderPermission[] {
  if (!viewers && !editors) return [];
  const names = { none: undefined, view: "View", edit: "Edit", admin: "Admin" };
  const permissions = [
    { role: "Viewer", permission: names[viewers ?? usual.viewers] },
    { role: "Editor", permission: names[editors ?? usual.editors] },
  ].flatMap(({ role, permission }) => (permission ? [{ role, permission }] : []));
  return [
    new grafana.oss.FolderPermission("folder-permissions", { folderUid: folder.uid, permissions }, { ...options, retainOnDelete: true }),
  ];
}
