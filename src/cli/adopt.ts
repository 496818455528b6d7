/**
 * `npm run adopt -- STACK`: takes over what Grafana has already under the uids of the stack's settings, without losing history or links.
 * Also the way out where a deployment was killed between a create and Pulumi's note of it, and after a stack was renamed.
 *
 *   1. npm run adopt -- STACK        finds it, reports what this program would change in it, asks, and sets `imports`
 *   2. npx pulumi up --stack STACK   imports it unchanged
 *   3. npm run adopt -- STACK        sets `retainOnDelete` in place of `imports`
 *   4. npx pulumi up --stack STACK   changes it
 *
 * A dashboard whose description names another stack is taken over only with `--from PROJECT/STACK`: it is marked for this stack in Grafana. One
 * that the state has already needs nothing more than the next `up`.
 *
 *   -- --from PROJECT/STACK   takes dashboards over from that stack
 *   -- --yes                  answers the question
 *
 * Exit codes: 0 done, or nothing to do; 1 a failure, or the answer was no.
 */
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { preflightArgs } from "../arguments";
import { type GrafanaAccess, messageOf, readGrafana, requestGrafana } from "../network/grafana";
import { markedFor } from "../platform/ownership";
import { type FoundDatasource, takenDatasourceNames } from "../platform/problems";
import { previewOf } from "../report/parse-preview";
import { renderReport } from "../report/render";
import type { Settings } from "../settings";
import type { AdoptablePart } from "../settings/keys";
import { visible } from "../text/sanitize";
import { type Candidate, candidates, changeOf } from "./adopt/candidates";
import { partsInState, readStack } from "./adopt/stack";
import { pulumi } from "./pulumi";
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

/** Something in Grafana. */
interface Found extends Candidate {
  /** Grafana's answer. */
  body: unknown;
}

async function main(): Promise<void> {
  const options = { yes: { type: "boolean" }, from: { type: "string" } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [stack, ...others] = positionals;
  if (!stack || others.length > 0) throw new Error("Name one stack: npm run adopt -- STACK");
  await ensure(pulumiTool());
  const { settings, grafanaAuth, qualified } = await readStack(stack);
  const access = { ...preflightArgs(settings).access, auth: grafanaAuth };
  const all = candidates(settings, qualified);
  const inState = await partsInState(all, stack);
  const found = await lookUp(all, access);
  const imported = found.filter(({ part }) => settings.imports.includes(part) && inState.has(part));
  if (imported.length > 0) return finish(imported, settings, stack);

  const foreign = found.filter(({ manager, body }) => ![undefined, qualified].includes(manager(body)));
  refuseOthers(foreign, values.from, stack);
  const toImport = found.filter(({ part }) => !inState.has(part));
  const taken = await takenNames(
    all.filter(({ part }) => !found.some((each) => each.part === part) && !inState.has(part)),
    settings,
    access,
    stack,
  );
  if (toImport.length + foreign.length === 0) {
    if (taken.length > 0) throw new Error(taken.join("\n"));
    console.log(
      `Nothing to adopt: Grafana has nothing under the uids of stack ${stack} that grafanaAuth may read and the stack does not manage.`,
    );
    return;
  }
  for (const problem of taken) console.log(problem);
  const both = [...new Set([...toImport, ...foreign])];
  console.log(describe(both, stack));
  if (!values.yes && !(await confirmed(`Take over ${listOf(both)}? (yes/no) `))) throw new Error("Nothing was changed.");

  for (const dashboard of foreign) await mark(dashboard, access, qualified);
  if (foreign.length > 0) console.log(`Marked in Grafana as managed by ${qualified}: ${listOf(foreign)}`);
  if (toImport.length === 0) {
    console.log(`Next: npx pulumi up --stack ${stack}`);
    return;
  }
  await pulumi(...listArgs("retainOnDelete", without(settings.retainOnDelete, toImport), stack));
  await pulumi(...listArgs("imports", [...settings.imports, ...partsOf(toImport)], stack));
  console.log(
    `Set: imports = ${listOf(toImport)}\nNext: npx pulumi up --stack ${stack}, which imports them unchanged, then npm run adopt -- ${stack} again.`,
  );
}

/** @throws Error where a dashboard belongs to a stack that `--from` does not name */
function refuseOthers(foreign: readonly Found[], from: string | undefined, stack: string): void {
  const others = foreign.filter(({ manager, body }) => manager(body) !== from);
  if (others.length === 0) return;
  const lines = others.map(({ part, manager, body }) => `  ${part}: managed by stack ${visible(manager(body) ?? "")}`);
  const first = others[0]?.manager(others[0].body) ?? "";
  throw new Error(
    `Other stacks manage dashboards that the settings of stack ${stack} name, by their descriptions in Grafana:\n${lines.join("\n")}\n` +
      "If such a stack is in use, set managedResources, so that this stack only refers to its dashboards. If it was renamed to this one, or no longer exists:\n" +
      `  npm run adopt -- ${stack} --from ${visible(first)}`,
  );
}

/** Datasources that are neither in Grafana nor in the state, and cannot be created because another one has the name. */
async function takenNames(missing: readonly Candidate[], settings: Settings, access: GrafanaAccess, stack: string): Promise<string[]> {
  const { created, wanted } = preflightArgs(settings).datasources;
  const asked = wanted.filter(({ type }) => created && missing.some(({ part }) => part === type));
  if (asked.length === 0) return [];
  return takenDatasourceNames(asked, (await ask(access, "/api/datasources")).body as FoundDatasource[], stack);
}

/** Saves a dashboard with this stack's mark, and nothing else changed. Grafana refuses it where the dashboard was saved since it was read. */
async function mark({ part, body }: Found, access: GrafanaAccess, qualified: string): Promise<void> {
  const { dashboard, meta } = body as { dashboard: Record<string, unknown>; meta: { folderUid?: string } };
  const message = `Taken over by Pulumi (${qualified})`;
  const request = { dashboard: markedFor(dashboard, qualified), folderUid: meta.folderUid ?? "", message };
  const answer = await requestGrafana(access, "/api/dashboards/db", request);
  if (answer.status !== 200) throw new Error(`Grafana at ${access.url} did not save ${part}: ${messageOf(answer, access)}`);
}

const partsOf = (found: readonly Candidate[]) => found.map(({ part }) => part);

const without = (parts: readonly AdoptablePart[], found: readonly Candidate[]) => parts.filter((part) => !partsOf(found).includes(part));

/** Parts as the settings list them. */
const listOf = (found: readonly Candidate[]) => partsOf(found).join(",");

/** What would change in what is there, and what would not. */
function describe(found: readonly Found[], stack: string): string {
  const changes = found.flatMap((candidate) => changeOf(candidate, candidate.body) ?? []);
  const unchanged = found.filter(({ part, replaced }) => !replaced && !changes.some(({ name }) => name === part));
  const replaced = found.flatMap(({ replaced }) => replaced ?? []);
  const secrets = found.filter(({ secrets }) => secrets.length > 0).map(({ part, secrets }) => `${part} (${secrets.join(", ")})`);
  const report = changes.length > 0 ? renderReport([previewOf(stack, changes)]).full : "";
  return [
    ...(report ? ["What would change in what is there, once it is taken over:\n", report] : []),
    ...(unchanged.length > 0 ? [`Nothing changes in ${listOf(unchanged).replaceAll(",", ", ")}.`] : []),
    ...(replaced.length > 0 ? [`Replaced, as the settings say: ${replaced.join(", ")}.`] : []),
    ...(secrets.length > 0 ? [`Secrets cannot be compared, and are written again: ${secrets.join("; ")}.`] : []),
  ].join("\n");
}

/** After the import: the next deployment changes what was taken over. */
async function finish(imported: readonly Found[], settings: Settings, stack: string): Promise<void> {
  const retainOnDelete = [...settings.retainOnDelete, ...partsOf(imported)];
  await pulumi(...listArgs("retainOnDelete", retainOnDelete, stack));
  await pulumi(...listArgs("imports", without(settings.imports, imported), stack));
  console.log(
    `Set: retainOnDelete = ${retainOnDelete.join(",")}\nNext: npx pulumi preview --stack ${stack}, then npx pulumi up --stack ${stack}, which changes them.\n` +
      `pulumi destroy keeps them in Grafana. To let it delete what this stack created itself, before that up: npx pulumi config rm retainOnDelete --stack ${stack}`,
  );
}

/** The arguments of the CLI that set a list of parts, each once; an empty one is no setting. */
const listArgs = (key: "imports" | "retainOnDelete", parts: readonly AdoptablePart[], stack: string) => [
  "config",
  ...(parts.length > 0 ? ["set", key, [...new Set(parts)].join(",")] : ["rm", key]),
  "--stack",
  stack,
];

/** Those that Grafana has. Without the role Admin, some releases refuse to say that one is missing. */
async function lookUp(asked: readonly Candidate[], access: GrafanaAccess): Promise<Found[]> {
  const answers = await Promise.all(asked.map(({ path }) => ask(access, path, [403, 404])));
  return asked.flatMap((candidate, place) => (answers[place]?.status === 200 ? [{ ...candidate, body: answers[place].body }] : []));
}

const ask = (access: GrafanaAccess, path: string, others: number[] = []) => readGrafana(access, path, others, "npm run adopt");

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error("There is no terminal to ask at: look at the report, then run it with --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer.trim().toLowerCase() === "yes";
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
