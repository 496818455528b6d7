/** The stand-in for the Grafana plugin: all permissions of a folder. */
import type { Call, Resource, State } from "../resource";
import { goJson, isZero, sameSet, type Values } from "../values";
import { unlessMissing } from "./client";
import { type Clients, grafanaOf, orgId, splitId } from "./config";
import { folderRoute } from "./folder";

/** As a program and the state have it. */
interface Permission {
  permission: string;
  role?: string;
  teamId?: string;
  userId?: string;
}

/** As the server has it. */
interface PermissionDto {
  permission?: string | undefined;
  builtInRole?: string | undefined;
  teamId?: number | undefined;
  userId?: number | undefined;
  isManaged?: boolean | undefined;
  isInherited?: boolean | undefined;
}

export const folderPermission: Resource<Clients> = {
  properties: {
    folderUid: { required: true, replace: true },
    permissions: { validate: isPermissions, same: (old, value) => sameSet(asList(old).map(toDto), asList(value).map(toDto)) },
    orgId,
  },
  computed: [],
  async create(call, inputs) {
    const { org, send } = grafanaOf(call, inputs.orgId);
    const uid = String(inputs.folderUid);
    await send({ name: "getFolderByUID", route: folderRoute, params: { folder_uid: uid } });
    await setPermissions(call, String(org), uid, asList(inputs.permissions));
    return stateOf(call, String(org), uid);
  },
  async read(call, id) {
    const { org, uid } = splitId(id);
    const { send } = grafanaOf(call, org);
    if (!(await unlessMissing(send({ name: "getFolderByUID", route: folderRoute, params: { folder_uid: uid } })))) return undefined;
    return unlessMissing(stateOf(call, org, uid));
  },
  update: (call, _id, _state, inputs) => folderPermission.create(call, inputs, ""),
  /** Permissions go with the folder; without it they are none but the administrators'. */
  async delete(call, id) {
    const { org, uid } = splitId(id);
    await unlessMissing(setPermissions(call, org, uid, []));
  },
};

const asList = (value: unknown): Permission[] => (Array.isArray(value) ? value : []);

function isPermissions(value: unknown): string | undefined {
  const known: (keyof Permission)[] = ["permission", "role", "teamId", "userId"];
  for (const item of asList(value)) {
    const stranger = Object.keys(item).find((key) => !known.some((name) => name === key));
    if (stranger) return `Invalid or unknown key "${stranger}"; known are ${known.join(", ")}`;
    if (!["View", "Edit", "Admin"].includes(item.permission)) return `expected permission to be one of ["View" "Edit" "Admin"]`;
    if (item.role && !["Viewer", "Editor", "Admin"].includes(item.role)) return `expected role to be one of ["Viewer" "Editor" "Admin"]`;
  }
  return undefined;
}

/** Without what is not set: 0 is no team and no user. */
function toDto({ permission, role, teamId, userId }: Permission): PermissionDto {
  const [team, user] = [teamId, userId].map((id) => Number(splitId(id ?? "0").uid));
  return clean({ permission, builtInRole: role, teamId: team, userId: user });
}

const clean = <T extends object>(values: T): T => Object.fromEntries(Object.entries(values).filter(([, value]) => !isZero(value))) as T;

const route = "/access-control/{resource}/{resourceID}";

async function managed(call: Call<Clients>, org: string, uid: string): Promise<PermissionDto[]> {
  const operation = { name: "getResourcePermissions", route: `GET ${route}`, params: { resource: "folders", resourceID: uid } };
  const all = await grafanaOf(call, org).send<PermissionDto[]>(operation);
  return all
    .filter(({ isManaged, isInherited }) => isManaged && !isInherited)
    .map(({ permission, builtInRole, teamId, userId }) => clean({ permission, builtInRole, teamId, userId }));
}

/** Takes away what is not wanted, by a permission of none, and gives what is missing. */
async function setPermissions(call: Call<Clients>, org: string, uid: string, wanted: Permission[]): Promise<void> {
  const news = wanted.map(toDto);
  const olds = await managed(call, org, uid);
  const missingIn = (list: PermissionDto[]) => (one: PermissionDto) => !list.some((other) => sameSet([one], [other]));
  const changes = [...olds.filter(missingIn(news)).map(({ permission: _, ...who }) => who), ...news.filter(missingIn(olds))];
  const operation = { name: "setResourcePermissions", route: `POST ${route}`, params: { resource: "folders", resourceID: uid } };
  await grafanaOf(call, org).send({ ...operation, body: { permissions: changes.length > 0 ? changes : null } });
}

async function stateOf(call: Call<Clients>, idOrg: string, uid: string): Promise<State> {
  const { org } = grafanaOf(call, idOrg);
  const permissions = (await managed(call, idOrg, uid)).map(({ permission, builtInRole, teamId, userId }): Values => {
    return clean({ permission, role: builtInRole, teamId: teamId && String(teamId), userId: userId && String(userId) });
  });
  // The server's order changes from answer to answer.
  permissions.sort((one, other) => (goJson(one) < goJson(other) ? -1 : 1));
  return { id: `${org}:${uid}`, outputs: { folderUid: uid, orgId: String(org), permissions } };
}
