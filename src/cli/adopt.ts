/**
 * `npm run adopt -- STACK`: takes over what Grafana has already under the uids of the stack's settings, without losing history or links.
 * Also the way out where a deployment was killed after it made something and before Pulumi noted that.
 *
 *   1. npm run adopt -- STACK        finds it, reports what this program would change in it, asks, and sets `adopting`
 *   2. npx pulumi up --stack STACK   imports it as it is
 *   3. npm run adopt -- STACK        sets `adopted` in place of `adopting`
 *   4. npx pulumi up --stack STACK   changes it
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
import { dashboardModels, platformArgs, serviceArgs } from "../arguments";
import { askGrafana, type GrafanaAccess, messageOf } from "../grafana";
import { datasourceName } from "../platform/datasources";
import type { ResourceChange } from "../report/read";
import { writeReport } from "../report/write";
import { formatProblems, parseSettings, type Settings } from "../settings";
import type { AdoptablePart } from "../settings/keys";
import { datasourceKinds } from "../settings/rules";
import { visible } from "../shown";
import { pulumi } from "./pulumi";
import { ensure } from "./toolchain/install";
import { pulumiTool } from "./toolchain/tools";

type Properties = ResourceChange["before"];

/** Something that this stack has, or would create. */
interface Candidate {
  part: AdoptablePart;
  type: string;
  uid: string;
  /** Where Grafana tells it. */
  path: string;
  /** What of Grafana's answer may change, as the program's own properties. */
  read(body: unknown): Properties;
  wanted: Properties;
}

function candidates(settings: Settings): Candidate[] {
  const { owned, folder, datasources } = platformArgs(settings);
  const { service, genai } = dashboardModels(settings);
  const dashboard = (part: AdoptablePart, model: { uid: string }): Candidate => ({
    part,
    type: "grafana:oss/dashboard:Dashboard",
    uid: model.uid,
    path: `/api/dashboards/uid/${model.uid}`,
    read: (body) => {
      const { dashboard, meta } = body as { dashboard: object; meta: { folderUid?: string } };
      return { configJson: JSON.stringify(withoutNumbers(dashboard)), folder: meta.folderUid ?? "" };
    },
    wanted: { configJson: JSON.stringify(withoutNumbers(model)), folder: folder.uid },
  });
  const shared: Candidate[] = [
    {
      part: "folder",
      type: "grafana:oss/folder:Folder",
      uid: folder.uid,
      path: `/api/folders/${folder.uid}`,
      read: (body) => ({ title: (body as { title: string }).title }),
      wanted: { title: folder.title },
    },
    ...(datasources.mode === "existing" ? [] : datasourceKinds).map((kind): Candidate => {
      const { uid, url } = (datasources as Record<typeof kind, { uid: string; url: string }>)[kind];
      return {
        part: kind,
        type: "grafana:oss/dataSource:DataSource",
        uid,
        path: `/api/datasources/uid/${uid}`,
        read: (body) => {
          const { name, type, url } = body as Record<"name" | "type" | "url", string>;
          // Whoever made it by hand may have written a password into its address.
          return { name, type, url: url.replace(/\/\/[^/@]*@/, "//[secret]@") };
        },
        wanted: { name: datasourceName(kind), type: kind, url },
      };
    }),
    dashboard("genai-observability", genai),
  ];
  const { ownsDashboard } = serviceArgs(settings, "");
  return [...(owned ? shared : []), ...(ownsDashboard ? [dashboard("llm-monitoring", service)] : [])];
}

/** Grafana counts both itself. */
const withoutNumbers = (model: object) => ({ ...model, id: undefined, version: undefined });

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { yes: { type: "boolean" } } });
  const [stack, ...others] = positionals;
  if (!stack || others.length > 0) throw new Error("Name one stack: npm run adopt -- STACK");
  await ensure(pulumiTool());
  const { settings, grafanaAuth } = await readStack(stack);
  const { url, orgId, caCert } = platformArgs(settings).grafana;
  const all = candidates(settings);
  const known = await inState(all, stack);

  const imported = settings.adopting.filter((part) => known.has(part));
  if (imported.length > 0) return finish(imported, settings, stack);

  const found = await lookUp(all, known, { url, auth: grafanaAuth, orgId, caCert });
  if (found.length === 0) {
    console.log(`Nothing to adopt: what Grafana has under the uids of stack ${stack} is this stack's, or there is nothing.`);
    return;
  }
  const changes = found.map(({ candidate: { part, type, read, wanted }, body }): ResourceChange => {
    return {
      operation: "update",
      type,
      name: part,
      before: read(body),
      after: wanted,
      found: undefined,
      outside: false,
      gone: false,
      reasons: [],
    };
  });
  console.log("What would change in what is there, once it is taken over:\n");
  console.log(writeReport([{ stack, isRefresh: false, changes, errors: [], warnings: [] }]).whole);
  const parts = found.map(({ candidate }) => candidate.part).join(",");
  if (!values.yes && !(await confirmed(`Take over ${parts}? The next pulumi up imports it without a change. (yes/no) `))) {
    throw new Error("Nothing was set.");
  }
  const stillAdopted = settings.adopted.filter((part) => !found.some(({ candidate }) => candidate.part === part));
  await setList("adopted", stillAdopted, stack);
  await setList("adopting", [...settings.adopting, ...found.map(({ candidate }) => candidate.part)], stack);
  console.log(
    `Set: adopting = ${parts}\nNext: npx pulumi up --stack ${stack}, which changes nothing in it, then npm run adopt -- ${stack} again.`,
  );
}

/** After the import: the next deployment changes what was taken over. */
async function finish(imported: readonly AdoptablePart[], { adopting, adopted }: Settings, stack: string): Promise<void> {
  const done = [...adopted, ...imported];
  await setList("adopted", done, stack);
  await setList(
    "adopting",
    adopting.filter((part) => !imported.includes(part)),
    stack,
  );
  console.log(
    `Set: adopted = ${done.join(",")}\nNext: npx pulumi preview --stack ${stack}, then npx pulumi up --stack ${stack}: now they become this program's.`,
  );
  console.log(
    `pulumi destroy will leave them at Grafana; to let it delete what this stack made itself, before that up: npx pulumi config rm adopted --stack ${stack}`,
  );
}

/** Sets a list of parts, each once; an empty one is no setting. */
async function setList(key: "adopting" | "adopted", parts: readonly AdoptablePart[], stack: string): Promise<void> {
  if (parts.length > 0) await pulumi("config", "set", key, [...new Set(parts)].join(","), "--stack", stack);
  else await pulumi("config", "rm", key, "--stack", stack);
}

async function readStack(stack: string): Promise<{ settings: Settings; grafanaAuth: string }> {
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
  return { settings: result.settings, grafanaAuth: values.grafanaAuth ?? "" };
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

/** What Grafana has and Pulumi has not noted. */
async function lookUp(all: readonly Candidate[], known: ReadonlySet<AdoptablePart>, access: GrafanaAccess) {
  const asked = all.filter(({ part }) => !known.has(part));
  const answers = await Promise.all(asked.map(({ path }) => askGrafana(access, path)));
  return asked.flatMap((candidate, place) => {
    const answer = answers[place];
    if (answer?.status === 404) return [];
    if (answer?.status !== 200)
      throw new Error(
        `Grafana at ${access.url} answered ${answer ? visible(messageOf(answer, access)) : "nothing"} to GET ${candidate.path}`,
      );
    return [{ candidate, body: answer.body }];
  });
}

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
