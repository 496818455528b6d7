/** The stand-in for the Grafana plugin: groups of alert rules. */
import type { Call, State } from "../resource";
import type { Values } from "../values";
import { sdk } from "./bridge";
import { unlessGone } from "./client";
import { type Clients, grafanaForNew, grafanaOf, type Organization, orgId, splitId } from "./config";
import { isUid } from "./folder";
import { retried } from "./retry";
import { fromDto, type RuleDto, rule, toDto } from "./rule";

interface GroupDto {
  title: string;
  folderUid: string;
  interval: number;
  rules: RuleDto[];
}

const rulesRoute = "/v1/provisioning/alert-rules";
const groupRoute = "/v1/provisioning/folder/{FolderUID}/rule-groups/{Group}";

const hasOne = (rules: unknown): string | undefined =>
  Array.isArray(rules) && rules.length > 0 ? undefined : "Attribute rules requires 1 item minimum, but config has only 0 declared.";

export const ruleGroup = sdk({
  properties: {
    name: { autonamed: true, replace: true },
    folderUid: { required: true, replace: true, validate: isUid },
    intervalSeconds: { required: true },
    disableProvenance: { default: false },
    rules: { required: true, validate: hasOne, items: rule },
    orgId,
  },
  computed: [],
  async create(call, inputs) {
    return { id: await put(call, grafanaForNew(call, inputs.orgId), inputs, true) };
  },
  read: readGroup,
  update: async (call, _id, _state, inputs) => readGroup(call, await put(call, grafanaOf(call, inputs.orgId), inputs, false)),
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
 * Writes the whole group, with retries. A rule without a uid has that of the rule at the same position in the state.
 *
 * @returns the id
 */
async function put(call: Call<Clients>, { org, send }: Organization, inputs: Values, isNew: boolean): Promise<string> {
  const { name, folderUid, intervalSeconds, disableProvenance } = inputs;
  const once = async () => {
    const existing = await send<{ ruleGroup: string; folderUID: string }[]>({ name: "GetAlertRules", route: `GET ${rulesRoute}` });
    if (isNew && existing.some(({ ruleGroup: own, folderUID }) => own === name && folderUID === folderUid)) {
      throw new Error(`rule group with name ${JSON.stringify(name)} already exists`);
    }
    const rules = (inputs.rules as Values[]).map((one) => toDto(one, { name, folderUid, org }));
    refuseTwins(rules);
    return send<GroupDto>({
      name: "PutAlertRuleGroup",
      route: `PUT ${groupRoute}`,
      params: { FolderUID: String(folderUid), Group: String(name) },
      headers: disableProvenance ? { "X-Disable-Provenance": "disabled" } : {},
      body: { title: name, folderUid, interval: intervalSeconds || undefined, rules },
    }).catch((error: Error) => {
      throw new Refused(error);
    });
  };
  const { folderUid: folder, title } = await retried(call, once, (error) => !(error instanceof Refused)).catch((error: Error) => {
    throw error instanceof Refused ? error.cause : error;
  });
  return `${org}:${folder}:${title}`;
}

/** A failed PUT: it is retried, whatever the reason. */
class Refused extends Error {
  constructor(override readonly cause: Error) {
    super(cause.message);
  }
}

function refuseTwins(rules: readonly Values[]): void {
  for (const [index, { uid, title }] of rules.entries()) {
    const twin = rules.slice(0, index).find((other) => uid && other.uid === uid);
    const both = `Rules with name "${twin?.title}" and "${title}" have the same uid`;
    if (twin) throw new Error(`rule with UID "${uid}" is defined more than once. ${both}`);
  }
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
  return {
    id: `${org}:${folderUid}:${title}`,
    outputs: {
      name: group.title,
      folderUid: group.folderUid,
      intervalSeconds: group.interval,
      disableProvenance: rules.every(({ provenance }) => !provenance),
      rules: rules.map(fromDto),
      ...(owner === undefined ? {} : { orgId: String(owner) }),
    },
  };
}
