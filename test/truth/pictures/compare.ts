/** Draws what differs from another revision: each changed dashboard before and after, the changed panels with the numbers of the report's lines. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { describePanels } from "../../../src/report/describe-dashboard";
import type { Json, JsonObject } from "../../../src/report/json";
import { pictureOf } from "../../support/picture-record";
import { run } from "../../support/run";
import type { Comparison, NumberedPanel } from "../../view/reading/file";
import { inStudio, progress } from "./studio";

/**
 * @param base a Git revision
 * @param out the folder of the pictures, and of `pictures.md`, which refers to them
 */
export async function drawChanges(base: string, out: string): Promise<void> {
  const changed = await changedModels(base);
  mkdirSync(out, { recursive: true });
  if (changed.length === 0) {
    writeFileSync(join(out, "pictures.md"), "");
    console.log(`pictures: no dashboard differs from ${base}`);
    return;
  }
  const sections: string[] = [];
  await inStudio(async (studio) => {
    for (const { name, before, after } of changed) {
      const picture = pictureOf(name);
      progress(`drawing ${picture}`);
      // Each model is read by its own queries.
      const data: Comparison = {
        before: before && (await studio.read(before)),
        after: after && (await studio.read(after)),
        panels: panelNumbers(before, after),
      };
      writeFileSync(join(out, picture), await studio.draw({ comparison: data }));
      sections.push(`### ${after ? after.title : `${before?.title} (removed)`}\n\n![${picture}](${picture})\n`);
    }
  });
  writeFileSync(join(out, "pictures.md"), sections.join("\n"));
  console.log(`pictures: written to ${out}/: ${changed.map(({ name }) => pictureOf(name)).join(", ")}`);
}

interface ChangedModel {
  /** The model's file. */
  name: string;
  /** Undefined for a new dashboard. */
  before: DashboardModel | undefined;
  /** Undefined for a removed dashboard. */
  after: DashboardModel | undefined;
}

/** @throws CommandError if the revision does not exist */
async function changedModels(base: string): Promise<ChangedModel[]> {
  const git = (...args: string[]) => run("git", args);
  const commit = (await git("rev-parse", "--verify", "--end-of-options", `${base}^{commit}`)).trim();
  const isModel = (file: string) => /^dashboards\/[\w-]+\.json$/.test(file);
  const old = (await git("ls-tree", "-r", "--name-only", commit, "--", "dashboards")).split("\n").filter(isModel);
  const current = readdirSync("dashboards")
    .map((name) => `dashboards/${name}`)
    .filter(isModel);
  const models = await Promise.all(
    [...new Set([...old, ...current])].sort().map(async (file) => {
      const before = old.includes(file) ? await git("show", `${commit}:${file}`) : undefined;
      const after = current.includes(file) ? readFileSync(file, "utf8") : undefined;
      const parse = (text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as DashboardModel));
      return { name: file.replace("dashboards/", ""), isChanged: before !== after, before: parse(before), after: parse(after) };
    }),
  );
  return models.filter(({ isChanged }) => isChanged);
}

/** The panels that the lines of the report name. */
export function panelNumbers(before: DashboardModel | undefined, after: DashboardModel | undefined): NumberedPanel[] {
  if (!before || !after) return [];
  const idOf = (panel: Json | undefined) => (panel as { id?: number } | undefined)?.id;
  const found = new Map<string, NumberedPanel>();
  for (const [index, { panels }] of describePanels(before as unknown as JsonObject, after as unknown as JsonObject).entries()) {
    for (const panel of panels) {
      const ids = { before: idOf(panel.before), after: idOf(panel.after) };
      const key = `${ids.before} ${ids.after}`;
      if (!found.has(key)) found.set(key, { number: index + 1, ...ids });
    }
  }
  return [...found.values()];
}
