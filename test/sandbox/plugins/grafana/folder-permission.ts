/** The stand-in for the Grafana plugin: all permissions of a folder. The program grants permissions to roles alone. */
import type { State } from "../resource";
import { goJson, isZero, sameSet } from "../values";
import { failing, framework } from "./bridge";
import { unlessMissing } from "./client";
import { grafanaOf, type Organization, splitId } from "./config";
import { getFolder, isUid } from "./folder";

/** A permission in the program and in the state. Only the server knows users. */
type Permission = { permission: string; role?: string; userId?: string };

/** A permission in the server's response. */
interface PermissionDto {
  permission?: string | undefined;
  builtInRole?: string | undefined;
  userId?: number | undefined;
  isManaged?: boolean | undefined;
  isInherited?: boolean | undefined;
}

export const folderPermission = framework({
  properties: {
    folderUid: { required: true, replace: true, validate: isUid },
    permissions: { validate: isPermissions, same: (old, value) => sameSet(asList(old).map(toDto), asList(value).map(toDto)), set: true },
  },
  computed: ["orgId"],
  async create(call, { folderUid, permissions }) {
    const organization = grafanaOf(call);
    const { uid } = await failing("Failed to get folder", getFolder(organization.send, String(folderUid)));
    await setPermissions(organization, uid, asList(permissions));
    return stateOf(organization, uid);
  },
  async read(call, id) {
    const { org, uid } = splitId(id);
    const organization = grafanaOf(call, org);
    const found = await failing("Failed to get folder", unlessMissing(getFolder(organization.send, uid)));
    return found && stateOf(organization, found.uid);
  },
  async update(call, _id, _state, { folderUid, permissions }) {
    const organization = grafanaOf(call);
    await setPermissions(organization, String(folderUid), asList(permissions));
    return stateOf(organization, String(folderUid));
  },
  /** Removes all permissions except those of administrators. */
  async delete(call, id) {
    const { org, uid } = splitId(id);
    await setPermissions(grafanaOf(call, org), uid, []);
  },
});

const asList = (value: unknown): Permission[] => (Array.isArray(value) ? value : []);

function isPermissions(value: unknown): string | undefined {
  for (const { permission, role = "", ...unknown } of asList(value)) {
    const [other] = Object.keys(unknown);
    if (other) return `Invalid or unknown key "${other}"; known are permission, role`;
    if (!["View", "Edit", "Admin"].includes(permission)) return `expected permission to be one of ["View" "Edit" "Admin"]`;
    if (!["Viewer", "Editor", "Admin"].includes(role)) return `expected role to be one of ["Viewer" "Editor" "Admin"]`;
  }
  return undefined;
}

const toDto = ({ permission, role, userId }: Permission): PermissionDto =>
  clean({ permission, builtInRole: role, userId: Number(userId ?? 0) });

const clean = <T extends object>(values: T): T => Object.fromEntries(Object.entries(values).filter(([, value]) => !isZero(value))) as T;

const route = "/access-control/{resource}/{resourceID}";

async function managed({ send }: Organization, uid: string, summary: string): Promise<PermissionDto[]> {
  const operation = { name: "getResourcePermissions", route: `GET ${route}`, params: { resource: "folders", resourceID: uid } };
  const all = await failing(summary, send<PermissionDto[]>(operation));
  return all
    .filter(({ isManaged, isInherited }) => isManaged && !isInherited)
    .map(({ permission, builtInRole, userId }) => clean({ permission, builtInRole, userId }));
}

/** Removes permissions that the program does not have, with an empty permission, and adds missing ones. */
async function setPermissions(organization: Organization, uid: string, wanted: Permission[]): Promise<void> {
  const summary = "Failed to update permissions";
  const news = wanted.map(toDto);
  const olds = await managed(organization, uid, summary);
  const missingIn = (list: PermissionDto[]) => (one: PermissionDto) => !list.some((other) => sameSet([one], [other]));
  const changes = [...olds.filter(missingIn(news)).map(({ permission: _, ...who }) => who), ...news.filter(missingIn(olds))];
  const operation = { name: "setResourcePermissions", route: `POST ${route}`, params: { resource: "folders", resourceID: uid } };
  const body = { permissions: changes.length > 0 ? changes : null };
  await failing(summary, organization.send({ ...operation, body }));
}

async function stateOf(organization: Organization, uid: string): Promise<State> {
  const found = await managed(organization, uid, "Failed to read permissions");
  const permissions = found.map(({ permission, builtInRole, userId }) =>
    clean({ permission, role: builtInRole, userId: userId && `${userId}` }),
  );
  // The server's order varies.
  permissions.sort((one, other) => (goJson(one) < goJson(other) ? -1 : 1));
  return { id: `${organization.org}:${uid}`, outputs: { folderUid: uid, orgId: String(organization.org), permissions } };
}
