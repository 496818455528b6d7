/** What exists once for each Grafana: provider, datasources, folder, and the dashboard of everything that SDKs push. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import { genaiObservability } from "../dashboards/models";
import { type Adoption, adoptionOptions } from "./adoption";
import { createDashboard, importId } from "./dashboard";
import { createDatasources, type DatasourceUids, type ExistingDatasources, type ManagedDatasources, uidsOf } from "./datasources";

/** What somebody may do in a folder. */
export type FolderAccess = "none" | "view" | "edit" | "admin";

export interface ObservabilityPlatformArgs {
  grafana: {
    /** Address of Grafana, a path prefix included, without a slash at its end. */
    url: string;
    /** Service-account token, or `user:password`. */
    auth: pulumi.Output<string>;
    /** Organization of every resource. Only for `user:password`: the plugin refuses it with a token. Defaults to 1. */
    orgId?: string | undefined;
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
    /** Whether Grafana can refuse to delete the folder while it holds something. If not, `destroy` keeps the folder. */
    refusesDeletion: boolean;
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
  /** Organization of every resource, where the credentials leave a choice. */
  readonly orgId: string | undefined;
  /** What was at Grafana before this stack. */
  readonly adoption: Adoption;
  /** Uids of the datasources. They are fixed by settings, and so known in previews. */
  readonly datasourceUids: DatasourceUids;
  /** Uid of the folder: a value once the folder exists. */
  readonly folderUid: pulumi.Output<string>;
  /** The folder's address in a browser. */
  readonly folderUrl: pulumi.Output<string>;
  /** The address of "GenAI Observability" in a browser. */
  readonly genaiDashboardUrl: pulumi.Output<string>;
  /** Everything that must exist before the platform can be checked. */
  readonly resources: pulumi.Resource[];

  constructor(name: string, args: ObservabilityPlatformArgs, options?: pulumi.ComponentResourceOptions) {
    super("llm-observability:platform:ObservabilityPlatform", name, {}, options);
    const { url, auth, orgId, caCert, cloudAccessPolicyToken } = args.grafana;
    this.provider = new grafana.Provider(
      `${name}-grafana`,
      // Said outright: the plugin would take GRAFANA_INSECURE_SKIP_VERIFY from the environment.
      // No organization: the plugin ignores the provider's, so that each resource names it.
      { url, auth, insecureSkipVerify: false, ...(caCert && { caCert }) },
      { parent: this },
    );
    // A provider of its own: when the token goes, what was made with it is still deleted with the stored one.
    this.cloudProvider = cloudAccessPolicyToken && new grafana.Provider(`${name}-cloud`, { cloudAccessPolicyToken }, { parent: this });

    this.url = url;
    this.orgId = orgId;
    this.adoption = args.adoption;
    this.datasourceUids = uidsOf(args.datasources);
    const parts = args.owned ? this.createOwned(args) : this.referTo(args);
    this.folderUid = parts.folderUid;
    this.folderUrl = parts.folderUrl;
    this.genaiDashboardUrl = parts.genaiDashboardUrl;
    this.resources = parts.resources;
    this.registerOutputs({ folderUrl: this.folderUrl, genaiDashboardUrl: this.genaiDashboardUrl });
  }

  private createOwned(args: ObservabilityPlatformArgs): SharedParts {
    const { orgId, adoption } = this;
    const own = { parent: this, provider: this.provider };
    const inOrg = orgId ? { orgId } : {};
    const { title, uid, parentUid, refusesDeletion } = args.folder;

    const datasources =
      args.datasources.mode === "managed"
        ? createDatasources(args.datasources, inOrg, (type, uid) =>
            pulumi.mergeOptions(own, adoptionOptions(type, importId(uid, orgId), adoption)),
          )
        : [];
    const folder = new grafana.oss.Folder(
      "folder",
      {
        title,
        uid,
        ...inOrg,
        ...(refusesDeletion && { preventDestroyIfNotEmpty: true }),
        ...(parentUid && { parentFolderUid: parentUid }),
      },
      pulumi.mergeOptions({ ...own, retainOnDelete: !refusesDeletion }, adoptionOptions("folder", importId(uid, orgId), adoption)),
    );
    // A folder that is being taken over stays as it is, for now.
    const permissions = adoption.imports.includes("folder") ? [] : createPermissions(folder, args.folder, inOrg, own);
    const { genaiDashboard } = args;
    const dashboard = createDashboard(
      "genai-observability",
      {
        uid: genaiDashboard.uid,
        model: () =>
          genaiObservability({ ...genaiDashboard, prometheusUid: this.datasourceUids.prometheus, tempoUid: this.datasourceUids.tempo }),
        folder: folder.uid,
        orgId,
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

  private referTo({ folder, genaiDashboard }: ObservabilityPlatformArgs): SharedParts {
    return {
      folderUid: pulumi.output(folder.uid),
      folderUrl: pulumi.output(`${this.url}/dashboards/f/${folder.uid}`),
      genaiDashboardUrl: pulumi.output(`${this.url}/d/${genaiDashboard.uid}`),
      resources: [],
    };
  }
}

/** What of a platform may be another stack's. */
type SharedParts = Pick<ObservabilityPlatform, "folderUid" | "folderUrl" | "genaiDashboardUrl" | "resources">;

/** What a role may do in a folder that nobody said anything about. */
const usual = { viewers: "view", editors: "edit" } as const;

/**
 * The folder's whole list of permissions, where one is wanted. It is never deleted but with its folder: Grafana would be left with an empty list,
 * by which nobody but administrators see the folder.
 */
function createPermissions(
  folder: grafana.oss.Folder,
  { viewers, editors }: { viewers?: FolderAccess | undefined; editors?: FolderAccess | undefined },
  inOrg: { orgId?: string },
  options: pulumi.CustomResourceOptions,
): grafana.oss.FolderPermission[] {
  if (!viewers && !editors) return [];
  const names = { none: undefined, view: "View", edit: "Edit", admin: "Admin" };
  const permissions = [
    { role: "Viewer", permission: names[viewers ?? usual.viewers] },
    { role: "Editor", permission: names[editors ?? usual.editors] },
  ].flatMap(({ role, permission }) => (permission ? [{ role, permission }] : []));
  return [
    new grafana.oss.FolderPermission(
      "folder-permissions",
      { folderUid: folder.uid, permissions, ...inOrg },
      { ...options, retainOnDelete: true },
    ),
  ];
}
