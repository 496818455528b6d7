/** The stand-in for the Grafana plugin: all permissions of a folder. */
import type { Call, State } from "../resource";
import { goJson, isZero, sameSet, type Values } from "../values";
import { framework, trying } from "./bridge";
import { unlessMissing } from "./client";
import { type Clients, grafanaOf, type Organization, ofOrganization, orgId, splitId } from "./config";
import { getFolder, isUid } from "./folder";

/** A permission in the program and in the state. */
interface Permission {
  permission: string;
  role?: string;
  teamId?: string;
  userId?: string;
}

/** A permission in the server's response. */
interface PermissionDto {
  permission?: string | undefined;
  builtInRole?: string | undefined;
  teamId?: number | undefined;
  userId?: number | undefined;
  isManaged?: boolean | undefined;
  isInherited?: boolean | undefined;
}

export const folderPermission = framework({
  properties: {
    folderUid: { required: true, replace: true, validate: isUid },
    permissions: { validate: isPermissions, same: (old, value) => sameSet(asList(old).map(toDto), asList(value).map(toDto)), set: true },
    orgId,
  },
  computed: [],
  async create(call, { folderUid, orgId: wanted, permissions }) {
    const organization = grafanaOf(call, wanted);
    const { uid } = await trying(call, "Failed to get folder", getFolder(organization.send, String(folderUid)));
    await setPermissions(call, organization, uid, asList(permissions));
    return stateOf(call, organization, uid);
  },
  async read(call, id, state) {
    const { uid, ...organization } = byId(call, id);
    const { send } = organization;
    // An import requests everything twice.
    if (Object.keys(state).length === 0) {
      await trying(call, "Failed to get folder", getFolder(send, uid));
      await managed(call, organization, uid);
    }
    const found = await trying(call, "Failed to get folder", unlessMissing(getFolder(send, uid)));
    return found && stateOf(call, organization, found.uid);
  },
  async update(call, _id, _state, { folderUid, orgId: wanted, permissions }) {
    const organization = grafanaOf(call, wanted);
    await setPermissions(call, organization, String(folderUid), asList(permissions));
    return stateOf(call, organization, String(folderUid));
  },
  /** Removes all permissions except those of administrators. */
  async delete(call, id) {
    const { uid, ...organization } = byId(call, id);
    await setPermissions(call, organization, uid, []);
  },
});

/** An id with the organization 0 means no organization, also with basic auth. */
function byId(call: Call<Clients>, id: string): Organization & { uid: string } {
  const { org, uid } = splitId(id);
  return { ...(id.includes(":") ? ofOrganization(call, Number(org)) : grafanaOf(call, undefined)), uid };
}

const asList = (value: unknown): Permission[] => (Array.isArray(value) ? value : []);

function isPermissions(value: unknown): string | undefined {
  const known: (keyof Permission)[] = ["permission", "role", "teamId", "userId"];
  for (const item of asList(value)) {
    const unknown = Object.keys(item).find((key) => !known.some((name) => name === key));
    if (unknown) return `Invalid or unknown key "${unknown}"; known are ${known.join(", ")}`;
    if (!["View", "Edit", "Admin"].includes(item.permission)) return `expected permission to be one of ["View" "Edit" "Admin"]`;
    if (item.role && !["Viewer", "Editor", "Admin"].includes(item.role)) return `expected role to be one of ["Viewer" "Editor" "Admin"]`;
  }
  return undefined;
}

/** Omits unset values: 0 is no team and no user. */
function toDto({ permission, role, teamId, userId }: Permission): PermissionDto {
  const [team, user] = [teamId, userId].map((id) => Number(splitId(id ?? "0").uid));
  return clean({ permission, builtInRole: role, teamId: team, userId: user });
}

const clean = <T extends object>(values: T): T => Object.fromEntries(Object.entries(values).filter(([, value]) => !isZero(value))) as T;

const route = "/access-control/{resource}/{resourceID}";

async function managed(
  call: Call<Clients>,
  { send }: Organization,
  uid: string,
  summary = "Failed to read permissions",
): Promise<PermissionDto[]> {
  const operation = { name: "getResourcePermissions", route: `GET ${route}`, params: { resource: "folders", resourceID: uid } };
  const all = await trying(call, summary, send<PermissionDto[]>(operation));
  return all
    .filter(({ isManaged, isInherited }) => isManaged && !isInherited)
    .map(({ permission, builtInRole, teamId, userId }) => clean({ permission, builtInRole, teamId, userId }));
}

/** Removes permissions that the program does not have, with an empty permission, and adds missing ones. */
async function setPermissions(call: Call<Clients>, organization: Organization, uid: string, wanted: Permission[]): Promise<void> {
  const summary = "Failed to update permissions";
  const news = wanted.map(toDto);
  const olds = await managed(call, organization, uid, summary);
  const missingIn = (list: PermissionDto[]) => (one: PermissionDto) => !list.some((other) => sameSet([one], [other]));
  const changes = [...olds.filter(missingIn(news)).map(({ permission: _, ...who }) => who), ...news.filter(missingIn(olds))];
  const operation = { name: "setResourcePermissions", route: `POST ${route}`, params: { resource: "folders", resourceID: uid } };
  const body = { permissions: changes.length > 0 ? changes : null };
  await trying(call, summary, organization.send({ ...operation, body }));
}

async function stateOf(call: Call<Clients>, organization: Organization, uid: string): Promise<State> {
  const { org } = organization;
  const permissions = (await managed(call, organization, uid)).map(({ permission, builtInRole, teamId, userId }): Values => {
    return clean({ permission, role: builtInRole, teamId: teamId && String(teamId), userId: userId && String(userId) });
  });
  // The server's order varies.
  permissions.sort((one, other) => (goJson(one) < goJson(other) ? -1 : 1));
  return { id: `${org}:${uid}`, outputs: { folderUid: uid, orgId: String(org), permissions } };
}
