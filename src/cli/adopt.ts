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
import { type GrafanaAccess, messageOf, readGrafana, requestGrafana } from "../network/grafana";
import { managerOf, markedFor, nameOf, ownerOf } from "../platform/ownership";
import { managedByOtherStacks } from "../platform/problems";
import type { Settings } from "../settings";
import { shell, visible } from "../text/sanitize";
import { type Candidate, candidates } from "./adopt/candidates";
import { deleteLeftovers, type ListedRule, leftoversOf } from "./adopt/leftovers";
import { endWith, parseStackOptions, pulumi, readStack, readState, type StateResource } from "./stack";

/** A candidate that exists in Grafana, with Grafana's response. */
interface Found extends Candidate {
  body: unknown;
  /** The owner in the mark of a dashboard; undefined without a mark, and for other resources. */
  manager: string | undefined;
  isInState: boolean;
}

async function main(): Promise<void> {
  const { stack, from, yes } = parseStackOptions("adopt", { yes: { type: "boolean" }, from: { type: "string" } });
  if (!stack) throw new Error("Name the stack: npm run adopt -- --stack NAME");
  const { settings, access, qualified } = readStack(stack);
  const state = readState("--stack", stack);
  const found = await find(candidates(settings), state, access);
  const imported = found.filter(({ part, isInState }) => isInState && settings.adoption.imports.includes(part));
  if (imported.length > 0) return finishImport(imported, settings, stack);

  const provider = state.find(({ urn }) => urn?.endsWith("$pulumi:providers:grafana::platform-grafana"));
  const owner = provider?.id ? ownerOf(qualified, provider.id) : qualified;
  // Without an id, the mark is of an earlier release, or of a stack with this name in another backend.
  const isOwn = ({ manager, isInState }: Found) => [undefined, owner, isInState && qualified].includes(manager);
  const marked = found.filter((each) => !isOwn(each));
  const others = marked.flatMap(({ manager, ...dashboard }) => (manager && manager !== from ? [{ dashboard, manager }] : []));
  if (others.length > 0) throw new Error(managedByOtherStacks(others, stack).join("\n\n"));
  const toImport = found.filter(({ isInState }) => !isInState);

  const alerts = defineAlerts(settings).all;
  // Without alerts, rules are not read: the token may lack the permission.
  const rules = alerts.length > 0 ? ((await read(access, "/api/v1/provisioning/alert-rules")).body as ListedRule[]) : [];
  const owned = found.flatMap(({ uid, manager }) => (manager ? [uid] : []));
  const leftovers = leftoversOf({ folder: settings.folder, alerts }, rules, state, [qualified, from && nameOf(from)], owned);

  const toAdopt = [...new Set([...toImport, ...marked])];
  if (toAdopt.length === 0 && leftovers.length === 0)
    return console.log(`Nothing to adopt: stack ${stack} manages every resource with its uids that Grafana has and grafanaAuth may read.`);
  if (toAdopt.length > 0) console.log(`These resources of Grafana have the uids of stack ${stack}: ${partsOf(toAdopt)}`);
  const titles = leftovers.map(({ ruleGroup }) => ruleGroup).join("; ");
  if (titles)
    console.log(`Alert rules of this stack that are not in its state are deleted. The next up creates them again: ${visible(titles)}`);
  if (!yes && !(await confirm("Adopt them? (yes/no) "))) throw new Error("Nothing was changed.");

  await deleteLeftovers(leftovers, access);
  for (const dashboard of marked) await replaceMark(dashboard, access, owner);
  if (marked.length > 0) console.log(`Marked in Grafana as managed by ${owner}: ${partsOf(marked)}`);
  if (toImport.length === 0) return console.log(shell`Next: npx pulumi up --stack ${stack}`);
  moveParts(toImport, "imports", settings, stack);
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

/** After the import: lets the next deployment change the resources. */
function finishImport(imported: readonly Found[], settings: Settings, stack: string): void {
  moveParts(imported, "retainOnDelete", settings, stack);
  console.log(
    shell`Next: npm run preview-report -- --stack ${stack}, which reports their changes, then npx pulumi up --stack ${stack}, which makes them.\n` +
      "pulumi destroy keeps them in Grafana. To let it delete resources that this stack created itself, run before that up: " +
      shell`npx pulumi config rm retainOnDelete --stack ${stack}`,
  );
}

const partsOf = (found: readonly Candidate[]) => found.map(({ part }) => part);

/** Adds parts to one of the two lists, and removes them from the other one. An empty list removes its setting. */
function moveParts(found: readonly Candidate[], target: keyof Settings["adoption"], { adoption }: Settings, stack: string): void {
  const parts = partsOf(found);
  for (const key of ["retainOnDelete", "imports"] as const) {
    const others = adoption[key].filter((part) => !parts.includes(part));
    const list = key === target ? [...others, ...parts] : others;
    pulumi("config", ...(list.length > 0 ? ["set", key, list.join(",")] : ["rm", key]), "--stack", stack);
    if (key === target) console.log(`Set: ${key} = ${list}`);
  }
}

/** The candidates that exist in Grafana. For a missing one, some releases return 403 without the role Admin. */
async function find(all: readonly Candidate[], state: readonly StateResource[], access: GrafanaAccess): Promise<Found[]> {
  const responses = await Promise.all(all.map(({ path }) => read(access, path, [403, 404])));
  return all.flatMap((candidate, index) => {
    const { status, body } = responses[index] ?? {};
    const isInState = state.some(({ type, outputs }) => type === candidate.type && outputs?.uid === candidate.uid);
    return status === 200 ? [{ ...candidate, body, manager: managerOf((body as { dashboard?: object }).dashboard), isInState }] : [];
  });
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
