/**
 * `npm run adopt -- STACK`: takes over what Grafana has already under the uids of the stack's settings, without losing history or links.
 * Also the way out where a deployment was killed after it made something and before Pulumi noted that.
 *
 *   1. npm run adopt -- STACK        finds it, reports what this program would change in it, asks, and sets `adopting`
 *   2. npx pulumi up --stack STACK   imports it as it is
 *   3. npm run adopt -- STACK        sets `adopted` in place of `adopting`
 *   4. npx pulumi up --stack STACK   changes it
 *
 * A dashboard that the state has, though nothing in Grafana's history of it shows that, needs no import: `adopted` is set at once.
 *
 *   -- --yes   answers the question
 *
 * Exit codes: 0 done, or nothing to do; 1 a failure, or the answer was no.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { platformArgs } from "../arguments";
import { type GrafanaAccess, readGrafana } from "../grafana";
import { doubtOf } from "../platform/adoption";
import { writeReport } from "../report/write";
import { formatProblems, parseSettings, type Settings } from "../settings";
import type { AdoptablePart } from "../settings/keys";
import { type Candidate, candidates, changeOf, parentProblem } from "./adopt/candidates";
import { pulumi } from "./pulumi";
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

/** Something at Grafana. */
interface Found extends Candidate {
  /** What Grafana tells of it. */
  body: unknown;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { yes: { type: "boolean" } } });
  const [stack, ...others] = positionals;
  if (!stack || others.length > 0) throw new Error("Name one stack: npm run adopt -- STACK");
  await ensure(pulumiTool());
  const { settings, grafanaAuth, project } = await readStack(stack);
  const { adopting, adopted } = settings;
  const { url, orgId, caCert } = platformArgs(settings).grafana;
  const access = { url, auth: grafanaAuth, orgId, caCert };
  const all = candidates(settings);
  const known = await inState(all, stack);

  const imported = adopting.filter((part) => known.has(part));
  if (imported.length > 0) return finish(imported, settings, stack);

  const unnoted = all.filter(({ part }) => !known.has(part));
  const toImport = await lookUp(unnoted, access);
  const unsure = all.filter(({ part }) => known.has(part) && !adopted.includes(part));
  // The stack may have been named with its organization and project.
  const doubted = await lookUp(await doubtful(unsure, access, `${project}/${stack.split("/").at(-1)}`), access);
  if (toImport.length + doubted.length === 0) {
    console.log(`Nothing to adopt: what Grafana has under the uids of stack ${stack} is this stack's, or there is nothing.`);
    return;
  }
  const folder = toImport.find(({ part }) => part === "folder");
  const problem = folder && parentProblem(folder.body, settings.folderParentUid, stack);
  if (problem) throw new Error(problem);

  for (const { part, doubt } of doubted) console.log(`${part} is in the state of stack ${stack}, but ${doubt}.`);
  const found = [...toImport, ...doubted];
  console.log(describe(found, stack));
  const next = toImport.length > 0 ? `pulumi up imports ${listOf(toImport)} without a change` : "pulumi up --refresh saves it";
  if (!values.yes && !(await confirmed(`Take over ${listOf(found)}? The next ${next}. (yes/no) `))) {
    throw new Error("Nothing was set.");
  }
  await take(toImport, doubted, settings, stack);
}

/** Sets what was confirmed: what is to be imported, and what the state has. */
async function take(toImport: readonly Candidate[], doubted: readonly Candidate[], settings: Settings, stack: string): Promise<void> {
  const adopted = settings.adopted.filter((part) => !toImport.some((candidate) => candidate.part === part));
  await pulumi(...listArgs("adopted", [...adopted, ...doubted.map(({ part }) => part)], stack));
  await pulumi(...listArgs("adopting", [...settings.adopting, ...toImport.map(({ part }) => part)], stack));
  if (doubted.length > 0) {
    console.log(
      `Added to adopted: ${listOf(doubted)}\nNext: npx pulumi up --refresh --stack ${stack}, which saves what differs.\n` +
        "pulumi destroy will leave it at Grafana; to let it delete it, once it was saved, and before another up: " +
        `npx pulumi ${listArgs("adopted", adopted, stack).join(" ")}`,
    );
  }
  if (toImport.length > 0) {
    console.log(
      `Set: adopting = ${listOf(toImport)}\nNext: npx pulumi up --stack ${stack}, which changes nothing in it, then npm run adopt -- ${stack} again.`,
    );
  }
}

/** Parts as the settings list them. */
const listOf = (found: readonly Candidate[]) => found.map(({ part }) => part).join(",");

/** What would change in what is there, and what would not. */
function describe(found: readonly Found[], stack: string): string {
  const changes = found.flatMap((candidate) => changeOf(candidate, candidate.body) ?? []);
  const unchanged = found.filter(({ part, replaced }) => !replaced && !changes.some(({ name }) => name === part));
  const replaced = found.flatMap(({ replaced }) => replaced ?? []);
  const secrets = found.filter(({ secrets }) => secrets.length > 0).map(({ part, secrets }) => `${part} (${secrets.join(", ")})`);
  const report = changes.length > 0 ? writeReport([{ stack, isRefresh: false, changes, errors: [], warnings: [] }]).whole : "";
  return [
    ...(report ? ["What would change in what is there, once it is taken over:\n", report] : []),
    ...(unchanged.length > 0 ? [`Nothing changes in ${unchanged.map(({ part }) => part).join(", ")}.`] : []),
    ...(replaced.length > 0 ? [`Replaced, as the settings say: ${replaced.join(", ")}.`] : []),
    ...(secrets.length > 0 ? [`Secrets cannot be compared, and are written again: ${secrets.join("; ")}.`] : []),
  ].join("\n");
}

/** After the import: the next deployment changes what was taken over. */
async function finish(imported: readonly AdoptablePart[], { adopting, adopted }: Settings, stack: string): Promise<void> {
  const done = [...adopted, ...imported];
  await pulumi(...listArgs("adopted", done, stack));
  const left = adopting.filter((part) => !imported.includes(part));
  await pulumi(...listArgs("adopting", left, stack));
  console.log(
    `Set: adopted = ${done.join(",")}\nNext: npx pulumi preview --stack ${stack}, then npx pulumi up --stack ${stack}: now they become this program's.`,
  );
  console.log(
    `pulumi destroy will leave them at Grafana; to let it delete what this stack made itself, before that up: npx pulumi config rm adopted --stack ${stack}`,
  );
}

/** The arguments of the CLI that set a list of parts, each once; an empty one is no setting. */
const listArgs = (key: "adopting" | "adopted", parts: readonly AdoptablePart[], stack: string) => [
  "config",
  ...(parts.length > 0 ? ["set", key, [...new Set(parts)].join(",")] : ["rm", key]),
  "--stack",
  stack,
];

async function readStack(stack: string): Promise<{ settings: Settings; grafanaAuth: string; project: string }> {
  const { name: project } = parse(readFileSync(join(process.cwd(), "Pulumi.yaml"), "utf8")) as { name: string };
  const config = JSON.parse(await pulumi("config", "--json", "--show-secrets", "--stack", stack)) as Record<
    string,
    { value: string; secret: boolean }
  >;
  const own = Object.entries(config).flatMap(([key, entry]) =>
    key.startsWith(`${project}:`) ? [[key.slice(project.length + 1), entry] as const] : [],
  );
  const values = Object.fromEntries(own.map(([key, { value }]) => [key, value]));
  const secret = new Set(own.filter(([, entry]) => entry.secret).map(([key]) => key));
  const result = parseSettings({ values, isSecret: (key) => secret.has(key) }, stack);
  if ("problems" in result) throw new Error(formatProblems(result.problems, stack));
  return { settings: result.settings, grafanaAuth: values.grafanaAuth ?? "", project };
}

/** Parts that Pulumi has noted. */
async function inState(all: readonly Candidate[], stack: string): Promise<Set<AdoptablePart>> {
  const { deployment } = JSON.parse(await pulumi("stack", "export", "--stack", stack)) as {
    deployment: { resources?: { type: string; outputs?: { uid?: unknown } }[] };
  };
  const has = ({ type, uid }: Candidate) =>
    (deployment.resources ?? []).some((resource) => resource.type === type && resource.outputs?.uid === uid);
  return new Set(all.filter(has).map(({ part }) => part));
}

/** Those that Grafana has. */
async function lookUp<C extends Candidate>(asked: readonly C[], access: GrafanaAccess): Promise<(C & Found)[]> {
  const answers = await Promise.all(asked.map(({ path }) => ask(access, path, [404])));
  return asked.flatMap((candidate, place) => (answers[place]?.status === 200 ? [{ ...candidate, body: answers[place].body }] : []));
}

/** Those with a history that does not show them to be the stack's, named as `project/stack`. */
async function doubtful(asked: readonly Candidate[], access: GrafanaAccess, name: string): Promise<(Candidate & { doubt: string })[]> {
  const told = await Promise.all(asked.map(async ({ history }) => history && doubtOf(await ask(access, history, [403, 404]), name)));
  return asked.flatMap((candidate, place) => (told[place] ? [{ ...candidate, doubt: told[place] }] : []));
}

const ask = (access: GrafanaAccess, path: string, others: number[]) => readGrafana(access, path, others, "npm run adopt");

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
