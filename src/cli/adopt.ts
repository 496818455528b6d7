/** `npm run adopt`: prepares the import of Grafana resources that exist under the uids of a stack, also after a killed deployment. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { type GrafanaAccess, messageOf, readGrafana, requestGrafana } from "../network/grafana";
import { managedByOtherStacks, unchangeable } from "../platform/existing";
import { datasourceOwner, holderOf, managerOf, markedFor, ownerOf } from "../platform/ownership";
import { warnVariable } from "../platform/warn-variable";
import { shell } from "../text/sanitize";
import { endWith, readOptions, stackOption } from "./options";
import { pulumi, readStack } from "./stack";

/** The file of `pulumi preview --import-file`: what the stack would create. Components and providers have no field for an id. */
type ImportFile = { resources?: { type: string; name: string; id?: string; parent?: string; provider?: string }[] };
/** The inputs that identify a resource. */
type Inputs = { uid?: string; name?: string; configJson?: string };
type Preview = { steps: { op: string; urn: string; oldState?: { id?: string }; newState?: { type: string; inputs?: Inputs } }[] };

const usage = `Usage: npm run adopt -- --stack NAME [--from OWNER]

Prepares the import of Grafana resources that exist under the uids of the stack's settings and are not in its state: they keep history and
links. Writes an import file for "pulumi import", and prints the commands that follow.

  -s, --stack NAME the stack
  --from OWNER     for resources with the mark of another stack: the owner in the mark, which this stack's then replaces in Grafana

Exit codes: 0 done, or nothing to do; 1 failed.`;

async function main(): Promise<void> {
  const { stack, from } = readOptions(usage, { ...stackOption, from: { type: "string" } }).values;
  if (!stack) throw new Error("Name the stack: npm run adopt -- --stack NAME");
  const { settings, access, qualified } = readStack(stack);
  const file = `adopt.${stack.replaceAll("/", ".")}.json`;
  rmSync(file, { force: true });
  // The engine knows what it would create, under which parents and with which provider.
  process.env[warnVariable] = "warn";
  const preview = JSON.parse(pulumi("preview", "--json", "--show-sames", "--import-file", file, "--stack", stack)) as Preview;
  const planned = JSON.parse(readFileSync(file, "utf8")) as ImportFile;
  rmSync(file);
  const all = await existing(preview, settings.folder.uid, access);
  const found = all.filter(({ isCreated }) => isCreated);

  const provider = preview.steps.find(({ urn }) => /::pulumi:providers:grafana::(platform-)?grafana$/.test(urn));
  const providerId = provider?.oldState?.id;
  const owner = ownerOf(qualified, providerId);
  // The next deployment changes the mark of a datasource that is in the state.
  const marked = all.filter((each) => (each.isCreated || each.kind === "dashboard") && holderOf(each.manager, owner) === "another stack");
  const others = marked.filter(({ manager }) => manager !== from);
  const foreign = others.map(({ id, kind, name, manager = "" }) => {
    return { what: `${kind} ${id}`, manager, isOfService: name.startsWith("service-") };
  });
  const problems = [...managedByOtherStacks(foreign, stack), ...unchangeable(found, stack)];
  if (problems.length > 0) throw new Error(problems.join("\n\n"));
  // Without an id in the state, the name alone says that the dashboard is this stack's.
  for (const { id, body, kind } of marked) if (kind === "dashboard") await replaceMark(id, body, access, providerId ? owner : qualified);
  if (found.length === 0) {
    return console.log(`Nothing to import: stack ${stack} manages every resource with its uids that Grafana has and grafanaAuth may read.`);
  }
  writeFileSync(file, `${JSON.stringify({ ...planned, resources: importsOf(planned, found) }, null, 2)}\n`);
  const list = found.map(({ name, id }) => `  ${name}  ${id}`).join("\n");
  console.log(`Grafana has these resources with the uids of stack ${stack}:\n${list}`);
  console.log("The first command imports them unchanged, the second one shows their changes and makes them:");
  console.log(shell`  npx pulumi import --file ${file} --generate-code=false --stack ${stack}\n  npx pulumi up --stack ${stack}`);
  console.log("From then on, `npx pulumi destroy` deletes them. To protect the Grafana resources of the stack, before the second command:");
  console.log(shell`  npx pulumi config set protect on --stack ${stack}`);
}

/** The id for an import and the path in Grafana's API, by type. */
const places: Record<string, (inputs: Inputs, folder: string) => [id: string, path: string]> = {
  "grafana:oss/folder:Folder": ({ uid = "" }) => [uid, `folders/${uid}`],
  "grafana:oss/dataSource:DataSource": ({ uid = "" }) => [uid, `datasources/uid/${uid}`],
  "grafana:oss/dashboard:Dashboard": ({ configJson = "{}" }) => {
    const { uid } = JSON.parse(configJson) as { uid: string };
    return [uid, `dashboards/uid/${uid}`];
  },
  "grafana:alerting/ruleGroup:RuleGroup": ({ name = "" }, folder) => {
    return [`${folder}:${name}`, `v1/provisioning/folder/${folder}/rule-groups/${encodeURIComponent(name)}`];
  },
};

/** A dashboard, a datasource or a group of rules, as Grafana returns it. */
type Found = { dashboard?: object; jsonData?: Record<string, unknown>; rules?: { labels?: { stack?: string } }[] };

/** The resources of the stack that Grafana has, with its response and its owner. For a missing one, some releases return 403. */
async function existing({ steps }: Preview, folderUid: string, access: GrafanaAccess) {
  const read = steps.map(async ({ op, urn, newState }) => {
    const [id, path] = places[newState?.type ?? ""]?.(newState?.inputs ?? {}, folderUid) ?? [];
    if (!id) return [];
    const body = await readGrafana<Found>(access, `/api/${path}`, [403, 404], "npm run adopt");
    if (!body) return [];
    // A folder and recording rules have no owner.
    const [name = "", kind] = [urn.split("::").at(-1), body.dashboard ? "dashboard" : body.rules ? "alert rule" : "datasource"];
    const manager = managerOf(body.dashboard) ?? datasourceOwner(body.jsonData) ?? body.rules?.[0]?.labels?.stack;
    return [{ isCreated: op === "create", kind, name, id, body, manager }];
  });
  const found = (await Promise.all(read)).flat();
  // An alert rule has the name of its stack only: other resources have its id, too.
  const complete = (owner: string) => found.find(({ manager }) => manager?.startsWith(`${owner}@`))?.manager ?? owner;
  return found.map((each) => ({ ...each, manager: each.manager && complete(each.manager) }));
}

/** The found resources with their ids, their components and their provider. */
function importsOf({ resources = [] }: ImportFile, found: readonly { name: string; id: string }[]) {
  const imported = resources.flatMap((resource) => {
    const { id } = found.find(({ name }) => name === resource.name) ?? {};
    return id === undefined ? [] : [{ ...resource, id }];
  });
  const needed = new Set(imported.flatMap(({ parent, provider }) => [parent, provider]));
  return [...resources.filter(({ id, name }) => id === undefined && needed.has(name)), ...imported];
}

/** Saves a dashboard with this stack's mark and no other change. Grafana refuses it if the dashboard was saved since it was read. */
async function replaceMark(uid: string, body: unknown, access: GrafanaAccess, owner: string): Promise<void> {
  const { dashboard, meta } = body as { dashboard: Record<string, unknown>; meta: { folderUid?: string } };
  const request = { dashboard: markedFor(dashboard, owner), folderUid: meta.folderUid ?? "", message: `Adopted by Pulumi (${owner})` };
  const response = await requestGrafana(access, "/api/dashboards/db", request);
  if (response.status !== 200)
    throw new Error(`Grafana at ${access.url} did not save the dashboard ${uid}: ${messageOf(response, access)}`);
  console.log(`Marked in Grafana as managed by ${owner}: ${uid}`);
}

main().catch(endWith(1));
