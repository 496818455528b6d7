/**
 * `npm run adopt -- --stack NAME`: prepares the import of Grafana resources that exist under the uids of the stack's settings and are not in its state, so
 * that they keep history and links. Also the fix after a killed deployment. Writes an import file for `pulumi import`, and changes nothing else.
 *
 * A dashboard with the mark of another stack requires `--from` with the owner in the mark: the command then replaces the mark in Grafana.
 * Exit codes: 0 done, or nothing to do; 1 failed.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { defineAlerts } from "../alerts/definitions";
import { defineDashboards } from "../dashboards/definitions";
import { type GrafanaAccess, messageOf, readGrafana, requestGrafana } from "../network/grafana";
import { managerOf, markedFor, ownerOf } from "../platform/ownership";
import { managedByOtherStacks, unchangeable } from "../platform/problems";
import { warnVariable } from "../platform/warn-variable";
import type { Settings } from "../settings";
import { datasourceTypes } from "../settings/keys";
import { shell } from "../text/sanitize";
import { endWith, parseStackOptions, pulumi, readStack, readState } from "./stack";

/** What the stack would create: the name of the resource, its id for an import, and its path in Grafana's API. */
interface Candidate {
  name: string;
  id: string;
  path: string;
}

/** The file of `pulumi preview --import-file`. */
interface ImportFile {
  resources?: { name: string; id?: string | undefined; component?: boolean; type: string }[];
}

async function main(): Promise<void> {
  const { stack, from } = parseStackOptions("adopt", { from: { type: "string" } });
  if (!stack) throw new Error("Name the stack: npm run adopt -- --stack NAME");
  const { settings, access, qualified } = readStack(stack);
  const file = shell`adopt.${stack.replaceAll("/", ".")}.json`;
  // The engine knows what it would create, under which parents and with which provider. Problems that stop a deployment only warn.
  process.env[warnVariable] = "warn";
  pulumi("preview", "--import-file", file, "--stack", stack);
  const planned = JSON.parse(readFileSync(file, "utf8")) as ImportFile;
  const isPlanned = ({ name }: Candidate) => planned.resources?.some((resource) => resource.name === name && resource.id !== undefined);
  const found = await existing(candidates(settings), access);

  const provider = readState("--stack", stack).find(({ type }) => type === "pulumi:providers:grafana");
  const owner = provider?.id ? ownerOf(qualified, provider.id) : qualified;
  const marked = found.filter(({ manager }) => manager !== undefined && manager !== owner);
  const others = marked.filter(({ manager }) => manager !== from && manager !== qualified);
  const dashboards = defineDashboards(settings).all;
  const refused = others.flatMap(({ id, manager = "" }) =>
    dashboards.flatMap((dashboard) => (dashboard.uid === id ? [{ dashboard, manager }] : [])),
  );
  const fixed = unchangeable(found, stack);
  if (refused.length > 0 || fixed.length > 0) {
    rmSync(file);
    throw new Error([...managedByOtherStacks(refused, owner, stack), ...fixed].join("\n\n"));
  }
  for (const { id, manager, body } of marked) if (manager === from) await replaceMark(id, body, access, owner);

  const ids = new Map(found.filter(isPlanned).map(({ name, id }) => [name, id]));
  const resources = planned.resources?.flatMap((resource) =>
    resource.id === undefined ? [resource] : ids.has(resource.name) ? [{ ...resource, id: ids.get(resource.name) }] : [],
  );
  if (ids.size === 0) {
    rmSync(file);
    return console.log(`Nothing to adopt: stack ${stack} manages every resource with its uids that Grafana has and grafanaAuth may read.`);
  }
  writeFileSync(file, `${JSON.stringify({ ...planned, resources }, null, 2)}\n`);
  console.log(
    `Grafana has these resources with the uids of stack ${stack}:\n${[...ids].map(([name, id]) => `  ${name}  ${id}`).join("\n")}`,
  );
  console.log(
    "The first command imports them unchanged and protects them from deletion. The second one shows their changes, and makes them:",
  );
  console.log(shell`  npx pulumi import --file ${file} --generate-code=false --stack ${stack}\n  npx pulumi up --stack ${stack}`);
}

function candidates(settings: Settings): Candidate[] {
  const { folder, datasources } = settings;
  const candidate = (name: string, id: string, path: string) => ({ name, id, path: `/api/${path}` });
  return [
    candidate("platform-folder", folder.uid, `folders/${folder.uid}`),
    ...datasourceTypes.map((type) => candidate(`platform-${type}`, datasources[type].uid, `datasources/uid/${datasources[type].uid}`)),
    ...defineDashboards(settings).all.map(({ part, uid }) =>
      candidate(`${part === "llm-monitoring" ? "service" : "platform"}-${part}`, uid, `dashboards/uid/${uid}`),
    ),
    ...Object.entries(defineAlerts(settings)).flatMap(([of, alerts]) =>
      (of === "all" || !alerts ? [] : "rules" in alerts ? alerts.rules : []).map(({ id, title }) =>
        candidate(
          `${of === "ofService" ? "service" : "platform"}-alert-${id}`,
          `${folder.uid}:${title}`,
          `v1/provisioning/folder/${folder.uid}/rule-groups/${encodeURIComponent(title)}`,
        ),
      ),
    ),
  ];
}

/** The candidates that exist, with Grafana's response and the owner in the mark of a dashboard. For a missing one, some releases return 403. */
async function existing(all: readonly Candidate[], access: GrafanaAccess) {
  const responses = await Promise.all(all.map(({ path }) => readGrafana(access, path, [403, 404], "npm run adopt")));
  return all.flatMap((candidate, index) => {
    const { status, body } = responses[index] ?? {};
    const { dashboard } = body as { dashboard?: object };
    return status === 200 ? [{ ...candidate, body, manager: managerOf(dashboard) }] : [];
  });
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
