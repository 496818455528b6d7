/**
 * `npm run adopt -- --stack NAME`: imports existing Grafana resources with the uids of the stack's settings, so that they keep history and links.
 * Also the fix after a deployment was killed before Pulumi stored a resource that it had created, and after a stack was renamed.
 *
 *   1. npm run adopt -- --stack NAME   finds the resources, asks for a confirmation, sets `imports`
 *   2. npx pulumi up --stack NAME      imports them unchanged
 *   3. npm run adopt -- --stack NAME   sets `retainOnDelete` instead of `imports`
 *   4. npx pulumi up --stack NAME      changes them, as a preview or `npm run preview-report` shows before
 *
 * A dashboard with the ownership mark of another stack requires `--from` with the owner in the mark: the command then replaces the mark in Grafana.
 * If the dashboard is in the state already, the next `up` is the only further step.
 * Alert rules that a killed deployment left in Grafana are deleted after the confirmation, and created again by the next `up`.
 * `--yes` confirms. Exit codes: 0 done, or nothing to do; 1 failed, or not confirmed.
 */
import { createInterface } from "node:readline/promises";
import { defineAlerts } from "../alerts/definitions";
import { defineDashboards } from "../dashboards/definitions";
import { type GrafanaAccess, messageOf, readGrafana, requestGrafana } from "../network/grafana";
import { markedFor, nameOf, ownerOf } from "../platform/ownership";
import { managedByOtherStacks } from "../platform/problems";
import type { Settings } from "../settings";
import type { AdoptablePart } from "../settings/keys";
import { shell, visible } from "../text/sanitize";
import { type Candidate, candidates, managerIn } from "./adopt/candidates";
import { deleteLeftovers, type ListedRule, leftoversOf } from "./adopt/leftovers";
import { endWith } from "./run";
import { parseStackOptions, pulumi, readStack, readState } from "./stack";

/** A candidate that exists in Grafana, with Grafana's response. */
type Found = Candidate & { body: unknown };

async function main(): Promise<void> {
  const { stack, from, yes } = parseStackOptions("adopt", { yes: { type: "boolean" }, from: { type: "string" } });
  if (!stack) throw new Error("Name the stack: npm run adopt -- --stack NAME");
  const { settings, grafanaAuth, qualified } = await readStack(stack);
  const { url, caCert } = settings.grafana;
  const access = { url, caCert, auth: grafanaAuth };
  const alerts = defineAlerts(settings).all;
  const state = await readState("--stack", stack);
  const provider = state.find(({ urn }) => urn?.endsWith("$pulumi:providers:grafana::platform-grafana"));
  const owner = provider?.id ? ownerOf(qualified, provider.id) : qualified;
  const isInState = ({ type, uid }: Candidate) => state.some((resource) => resource.type === type && resource.outputs?.uid === uid);
  const found = await find(candidates(settings), access);
  const imported = found.filter((candidate) => settings.adoption.imports.includes(candidate.part) && isInState(candidate));
  if (imported.length > 0) return finishImport(imported, settings, stack);

  // Without an id, the mark is of an earlier release, or of a stack with this name in another backend.
  const isOwn = (candidate: Found) => [undefined, owner, isInState(candidate) && qualified].includes(managerIn(candidate.body));
  const marked = found.filter((candidate) => !isOwn(candidate));
  const dashboards = defineDashboards(settings).all;
  const others = marked.flatMap(({ uid, body }) => {
    const [dashboard, manager] = [dashboards.find((each) => each.uid === uid), managerIn(body)];
    return dashboard && manager && manager !== from ? { dashboard, manager } : [];
  });
  if (others.length > 0) throw new Error(managedByOtherStacks(others, stack).join("\n\n"));
  const toImport = found.filter((candidate) => !isInState(candidate));
  const toAdopt = [...new Set([...toImport, ...marked])];
  const owned = found.filter(({ body }) => managerIn(body) !== undefined).map(({ uid }) => uid);
  // Without alerts, rules are not read: the token may lack the permission.
  const rules = alerts.length > 0 ? ((await read(access, "/api/v1/provisioning/alert-rules")).body as ListedRule[]) : [];
  const leftovers = leftoversOf({ folder: settings.folder, alerts }, rules, state, [qualified, from && nameOf(from)], owned);
  if (toAdopt.length === 0 && leftovers.length === 0)
    return console.log(`Nothing to adopt: stack ${stack} manages every resource with its uids that Grafana has and grafanaAuth may read.`);
  if (toAdopt.length > 0) console.log(`These resources of Grafana have the uids of stack ${stack}: ${partsOf(toAdopt)}`);
  const titles = leftovers.map(({ title }) => title).join("; ");
  if (titles)
    console.log(`Alert rules of this stack that are not in its state are deleted. The next up creates them again: ${visible(titles)}`);
  if (rules.length > 0 && marked.length > 0) console.log(`The next up also changes the alert rules whose label stack is not ${qualified}.`);
  const adopted = [...partsOf(toAdopt), ...(titles ? ["alert rules"] : [])];
  if (!yes && !(await confirm(`Adopt ${adopted}? (yes/no) `))) throw new Error("Nothing was changed.");

  await deleteLeftovers(leftovers, access);

  for (const dashboard of marked) await replaceMark(dashboard, access, owner);
  if (marked.length > 0) console.log(`Marked in Grafana as managed by ${owner}: ${partsOf(marked)}`);
  if (toImport.length === 0) return console.log(shell`Next: npx pulumi up --stack ${stack}`);
  const imports = [...settings.adoption.imports, ...partsOf(toImport)];
  await setParts({ retainOnDelete: without(settings.adoption.retainOnDelete, toImport), imports }, stack);
  console.log(`Set: imports = ${partsOf(toImport)}`);
  console.log(shell`Next: npx pulumi up --stack ${stack}, which imports them unchanged. Then: npm run adopt -- --stack ${stack}`);
}

/** Saves a dashboard with this stack's mark and no other change. Grafana refuses it if the dashboard was saved since it was read. */
async function replaceMark({ part, body }: Found, access: GrafanaAccess, owner: string): Promise<void> {
  const { dashboard, meta } = body as { dashboard: Record<string, unknown>; meta: { folderUid?: string } };
  const message = `Adopted by Pulumi (${owner})`;
  const request = { dashboard: markedFor(dashboard, owner), folderUid: meta.folderUid ?? "", message };
  const response = await requestGrafana(access, "/api/dashboards/db", request);
  if (response.status !== 200) throw new Error(`Grafana at ${access.url} did not save ${part}: ${messageOf(response, access)}`);
}

const partsOf = (found: readonly Candidate[]) => found.map(({ part }) => part);

const without = (parts: readonly AdoptablePart[], found: readonly Candidate[]) => parts.filter((part) => !partsOf(found).includes(part));

/** After the import: lets the next deployment change the resources. */
async function finishImport(imported: readonly Found[], settings: Settings, stack: string): Promise<void> {
  const retainOnDelete = [...settings.adoption.retainOnDelete, ...partsOf(imported)];
  await setParts({ retainOnDelete, imports: without(settings.adoption.imports, imported) }, stack);
  console.log(
    `Set: retainOnDelete = ${retainOnDelete}\n` +
      shell`Next: npm run preview-report -- --stack ${stack}, which reports their changes, then npx pulumi up --stack ${stack}, which makes them.\n` +
      "pulumi destroy keeps them in Grafana. To let it delete resources that this stack created itself, run before that up: " +
      shell`npx pulumi config rm retainOnDelete --stack ${stack}`,
  );
}

/** Sets both lists, with each part once. An empty list removes its setting. */
async function setParts(lists: Record<"retainOnDelete" | "imports", AdoptablePart[]>, stack: string): Promise<void> {
  for (const [key, parts] of Object.entries(lists)) {
    const command = parts.length > 0 ? ["set", key, [...new Set(parts)].join(",")] : ["rm", key];
    await pulumi("config", ...command, "--stack", stack);
  }
}

/** The candidates that exist in Grafana. For a missing one, some releases return 403 without the role Admin. */
async function find(all: readonly Candidate[], access: GrafanaAccess): Promise<Found[]> {
  const responses = await Promise.all(
    all.map(async (candidate) => ({ ...candidate, ...(await read(access, candidate.path, [403, 404])) })),
  );
  return responses.filter(({ status }) => status === 200);
}

const read = (access: GrafanaAccess, path: string, others: number[] = []) => readGrafana(access, path, others, "npm run adopt");

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error("The confirmation requires a terminal. Check the resources above, then add --yes to the command.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer.trim().toLowerCase() === "yes";
}

main().catch(endWith(1));
