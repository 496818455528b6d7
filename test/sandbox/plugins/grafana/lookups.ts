/** The stand-in for the Grafana plugin: look-ups of resources that the program does not manage. */
import type { Call, Lookup } from "../resource";
import type { Values } from "../values";
import { unlessMissing } from "./client";
import { type Clients, grafanaOf } from "./config";
import { type DataSourceDto, fromDto } from "./data-source";
import { getFolder as askFolder, readFolder } from "./folder";

export const getDataSource: Lookup<Clients> = {
  arguments: ["name", "uid", "orgId"],
  async run(call, { name, uid, orgId }) {
    if (!name && !uid) throw new Error('one of "name,uid" must be specified');
    const { send } = grafanaOf(call, orgId);
    const operation = name
      ? { name: "getDataSourceByName", route: "GET /datasources/name/{name}", params: { name: String(name) } }
      : { name: "getDataSourceByUID", route: "GET /datasources/uid/{uid}", params: { uid: String(uid) } };
    const { id, outputs } = fromDto(await send<DataSourceDto>(operation));
    return { ...outputs, id };
  },
};

export const getFolder: Lookup<Clients> = {
  arguments: ["title", "uid", "orgId"],
  async run(call, args) {
    const { org } = grafanaOf(call, args.orgId);
    const uid = await folderUid(call, args);
    const state = await readFolder(call, `${org}:${uid}`);
    if (!state) throw new Error(`folder with uid ${uid} not found`);
    return { ...state.outputs, id: state.id };
  },
};

/** Reads the folder by uid twice, first to check whether it exists. Without a uid, reads pages of hits for the title until an empty one. */
async function folderUid(call: Call<Clients>, { title, uid, orgId }: Values): Promise<string> {
  if (!title && !uid) throw new Error("either title or uid must be set");
  const { send } = grafanaOf(call, orgId);
  if (uid && !title) {
    const found = await unlessMissing(askFolder(send, String(uid)));
    if (found) return found.uid;
    throw new Error(`folder with uid ${uid} not found`);
  }
  for (let page = 1; ; page++) {
    const query = { page: String(page), sort: "alpha-asc", type: "dash-folder" };
    const hits = await send<{ uid: string; title: string }[]>({ name: "search", route: "GET /search", query });
    const hit = hits.find((folder) => folder.title === title && (!uid || folder.uid === uid));
    if (hit) return hit.uid;
    if (hits.length === 0) throw new Error(`folder with title ${title}${uid ? ` and uid ${uid}` : ""} not found`);
  }
}
