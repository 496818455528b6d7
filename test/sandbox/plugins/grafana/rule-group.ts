/** The stand-in for the Grafana plugin: groups of alert rules. The genuine plugin repeats a refused group for two minutes; this one does not. */
import type { Call, State } from "../resource";
import type { Values } from "../values";
import { sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaOf, type Organization, splitId } from "./config";
import { isUid } from "./folder";
import { fromDto, type RuleDto, rule, toDto } from "./rule";

type GroupDto = { title: string; folderUid: string; interval: number; rules: RuleDto[] };

const rulesRoute = "/v1/provisioning/alert-rules";
const groupRoute = "/v1/provisioning/folder/{FolderUID}/rule-groups/{Group}";

const hasOne = (rules: unknown): string | undefined =>
  Array.isArray(rules) && rules.length > 0 ? undefined : "Attribute rules requires 1 item minimum, but config has only 0 declared.";

const isProvisioned = (value: unknown): string | undefined => (value === false ? undefined : "the stand-in keeps the provenance of rules");

export const ruleGroup = sdk({
  properties: {
    name: { required: true, replace: true, unique: true },
    folderUid: { required: true, replace: true, validate: isUid },
    intervalSeconds: { required: true },
    disableProvenance: { default: false, validate: isProvisioned },
    rules: { required: true, validate: hasOne, items: rule },
  },
  computed: ["orgId"],
  create: async (call, inputs) => ({ id: await put(call, inputs) }),
  read: readGroup,
  // From the first read on, the state has the organization of the rules.
  update: async (call, _id, { orgId }, inputs) => readGroup(call, await put(call, inputs, orgId)),
  async delete(call, id) {
    const { send, folderUid, title } = groupOf(call, id);
    const { rules } = await getGroup(send, folderUid, title);
    for (const { uid } of rules) {
      const operation = { name: "DeleteAlertRule", route: `DELETE ${rulesRoute}/{UID}`, params: { UID: uid } };
      // Like the real plugin, stops at a missing rule.
      if ((await unlessGone("rule group", id, send(operation))) === undefined) return;
    }
  },
});

/** Ids are `<organization>:<folder>:<title>`. */
function groupOf(call: Call<Clients>, id: string): Organization & { folderUid: string; title: string } {
  const { org, uid } = splitId(id);
  const [, folderUid, title] = /^([^:]*):(.*)$/s.exec(uid) ?? [];
  if (folderUid === undefined || title === undefined) throw new Error(`invalid ID ${JSON.stringify(uid)}`);
  return { ...grafanaOf(call, org), folderUid, title };
}

const getGroup = (send: Organization["send"], folderUid: string, title: string): Promise<GroupDto> =>
  send<GroupDto>({ name: "GetAlertRuleGroup", route: `GET ${groupRoute}`, params: { FolderUID: folderUid, Group: title } });

/**
 * Writes the whole group. A rule has the uid of the rule at the same position in the state.
 *
 * @param owner the organization of an existing group
 * @returns the id
 */
async function put(call: Call<Clients>, { name, folderUid, intervalSeconds, rules }: Values, owner?: unknown): Promise<string> {
  const { org, send } = grafanaOf(call, owner);
  const existing = await send<{ ruleGroup: string; folderUID: string }[]>({ name: "GetAlertRules", route: `GET ${rulesRoute}` });
  if (owner === undefined && existing.some(({ ruleGroup: own, folderUID }) => own === name && folderUID === folderUid)) {
    throw new Error(`rule group with name ${JSON.stringify(name)} already exists`);
  }
  const { folderUid: folder, title } = await send<GroupDto>({
    name: "PutAlertRuleGroup",
    route: `PUT ${groupRoute}`,
    params: { FolderUID: String(folderUid), Group: String(name) },
    body: {
      ...{ title: name, folderUid, interval: intervalSeconds || undefined },
      rules: (rules as Values[]).map((one) => toDto(one, { name, folderUid, org })),
    },
  });
  return `${org}:${folder}:${title}`;
}

/** Only the request for a single rule returns its provenance. */
async function readGroup(call: Call<Clients>, id: string): Promise<State | undefined> {
  const { org, send, folderUid, title } = groupOf(call, id);
  const group = await unlessGone("rule group", id, getGroup(send, folderUid, title));
  if (!group) return undefined;
  const rules: RuleDto[] = [];
  for (const { uid } of group.rules) {
    rules.push(await send<RuleDto>({ name: "GetAlertRule", route: `GET ${rulesRoute}/{UID}`, params: { UID: uid } }));
  }
  const owner = rules.at(-1)?.orgID;
  const own = { name: group.title, folderUid: group.folderUid, intervalSeconds: group.interval, rules: rules.map(fromDto) };
  const disableProvenance = rules.every(({ provenance }) => !provenance);
  const outputs = { ...own, disableProvenance, ...(owner === undefined ? {} : { orgId: String(owner) }) };
  return { id: `${org}:${folderUid}:${title}`, outputs };
}
