/** The stand-in for the Grafana plugin: folders. */
import type { Call, Resource, State } from "../resource";
import type { Values } from "../values";
import { unlessMissing } from "./client";
import { type Clients, grafanaOf, orgId, splitId } from "./config";

/** A folder as the server shows it. */
export interface FolderDto {
  uid: string;
  title: string;
  url: string;
  parentUid?: string;
}

export const folderRoute = "GET /folders/{folder_uid}";

const isUid = (value: unknown): string | undefined =>
  /^[a-zA-Z0-9\-_]+$/.test(String(value)) ? undefined : "folder UIDs can only be alphanumeric, dashes, or underscores";

export const folder: Resource<Clients> = {
  properties: {
    title: { required: true },
    uid: { replace: true, computed: true, validate: isUid },
    parentFolderUid: { replace: true },
    preventDestroyIfNotEmpty: { default: false },
    orgId,
  },
  computed: ["url"],
  async create(call, inputs) {
    const { org, send } = grafanaOf(call, inputs.orgId);
    const body = { title: inputs.title, uid: inputs.uid, parentUid: inputs.parentFolderUid };
    const created = await send<FolderDto>({ name: "createFolder", route: "POST /folders", body }).catch((error: Error) => {
      throw new Error(`failed to create folder: ${error.message}`);
    });
    return existing(await readFolder(call, `${org}:${created.uid}`), created.uid);
  },
  read: readFolder,
  async update(call, id, _state, { title }) {
    const { org, uid } = splitId(id);
    const { send } = grafanaOf(call, org);
    const params = { folder_uid: uid };
    await send({ name: "getFolderByUID", route: folderRoute, params }).catch((error: Error) => {
      throw new Error(`failed to get folder ${uid}: ${error.message}`);
    });
    await send({ name: "updateFolder", route: "PUT /folders/{folder_uid}", params, body: { overwrite: true, title } });
    return existing(await readFolder(call, id), uid);
  },
  async delete(call, id, { preventDestroyIfNotEmpty }) {
    const { org, uid } = splitId(id);
    const { send } = grafanaOf(call, org);
    if (preventDestroyIfNotEmpty) {
      const held: { title: string }[] = [];
      for (const type of ["dash-db", "dash-folder"]) {
        held.push(...(await send<{ title: string }[]>({ name: "search", route: "GET /search", query: { folderUIDs: uid, type } })));
      }
      if (held.length > 0) {
        const titles = held.map(({ title }) => title).join(" ");
        throw new Error(
          `folder ${uid} is not empty and prevent_destroy_if_not_empty is set. It contains the following dashboards and/or folders: [${titles}]`,
        );
      }
    }
    const query = preventDestroyIfNotEmpty ? {} : { forceDeleteRules: "true" };
    await unlessMissing(send({ name: "deleteFolder", route: "DELETE /folders/{folder_uid}", params: { folder_uid: uid }, query }));
  },
};

/** What was just written. */
export function existing(state: State | undefined, uid: string): State {
  if (!state) throw new Error(`${uid} was written and cannot be read`);
  return state;
}

export async function readFolder(call: Call<Clients>, id: string, _state?: Values): Promise<State | undefined> {
  const { org: idOrg, uid } = splitId(id);
  const { org, send, page } = grafanaOf(call, idOrg);
  const read = await unlessMissing(send<FolderDto>({ name: "getFolderByUID", route: folderRoute, params: { folder_uid: uid } }));
  if (!read) return undefined;
  const { title, url, parentUid = "" } = read;
  return { id: `${org}:${read.uid}`, outputs: { orgId: String(org), title, uid: read.uid, url: page(url), parentFolderUid: parentUid } };
}
