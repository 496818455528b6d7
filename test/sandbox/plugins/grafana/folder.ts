/** The stand-in for the Grafana plugin: folders. */
import type { Call, State } from "../resource";
import { failing, sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaOf, type Organization, splitId } from "./config";

/** A folder in the server's response. */
type FolderDto = { uid: string; title: string; url: string };

export const getFolder = (send: Organization["send"], uid: string): Promise<FolderDto> =>
  send<FolderDto>({ name: "getFolderByUID", route: "GET /folders/{folder_uid}", params: { folder_uid: uid } });

export const isUid = (value: unknown): string | undefined =>
  /^[a-zA-Z0-9\-_]+$/.test(String(value)) ? undefined : "folder UIDs can only be alphanumeric, dashes, or underscores";

export const folder = sdk({
  properties: {
    title: { required: true },
    uid: { required: true, replace: true, validate: isUid },
    preventDestroyIfNotEmpty: { default: false },
  },
  computed: ["url", "orgId"],
  async create(call, { title, uid: wanted }) {
    const { org, send } = grafanaOf(call);
    const operation = { name: "createFolder", route: "POST /folders", body: { title, uid: wanted } };
    const { uid } = await failing("failed to create folder", send<FolderDto>(operation));
    return { id: `${org}:${uid}` };
  },
  read: readFolder,
  async update(call, id, _state, { title }) {
    const { org, uid } = splitId(id);
    const { send } = grafanaOf(call, org);
    const params = { folder_uid: (await failing(`failed to get folder ${uid}`, getFolder(send, uid))).uid };
    await send({ name: "updateFolder", route: "PUT /folders/{folder_uid}", params, body: { overwrite: true, title } });
    return readFolder(call, id);
  },
  async delete(call, id, { preventDestroyIfNotEmpty }) {
    const { org, uid } = splitId(id);
    const { send } = grafanaOf(call, org);
    if (preventDestroyIfNotEmpty) {
      const search = send<{ title: string }[]>({ name: "search", route: "GET /search", query: { folderUIDs: uid } });
      const held = await failing("failed to search for dashboards in folder", search);
      if (held.length > 0) {
        const titles = held.map(({ title }) => title).join(" ");
        throw new Error(
          `folder ${uid} is not empty and prevent_destroy_if_not_empty is set. It contains the following dashboards and/or folders: [${titles}]`,
        );
      }
    }
    const query = preventDestroyIfNotEmpty ? {} : { forceDeleteRules: "true" };
    const operation = { name: "deleteFolder", route: "DELETE /folders/{folder_uid}", params: { folder_uid: uid }, query };
    await unlessGone("folder", id, send(operation));
  },
});

async function readFolder(call: Call<Clients>, id: string): Promise<State | undefined> {
  const { org: idOrg, uid } = splitId(id);
  const { org, send, page } = grafanaOf(call, idOrg);
  const read = await unlessGone("folder", id, getFolder(send, uid));
  if (!read) return undefined;
  const { title, url } = read;
  return { id: `${org}:${read.uid}`, outputs: { orgId: String(org), title, uid: read.uid, url: page(url), parentFolderUid: "" } };
}
