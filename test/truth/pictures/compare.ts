/** Which dashboards differ from another revision, and the numbers of their changed panels. */
import { readdirSync, readFileSync } from "node:fs";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { describePanels } from "../../../src/report/describe-dashboard";
import type { Json, JsonObject } from "../../../src/report/json";
import { run } from "../../support/run";
import type { NumberedPanel } from "../../view/reading/file";

interface ChangedModel {
  /** The model's file. */
  name: string;
  /** Undefined for a new dashboard. */
  before: DashboardModel | undefined;
  /** Undefined for a removed dashboard. */
  after: DashboardModel | undefined;
}

/** @throws CommandError if the revision does not exist */
export async function changedModels(base: string): Promise<ChangedModel[]> {
  const git = (...args: string[]) => run("git", args);
  const commit = (await git("rev-parse", "--verify", "--end-of-options", `${base}^{commit}`)).trim();
  const isModel = (file: string) => /^dashboards\/[\w-]+\.json$/.test(file);
  const old = (await git("ls-tree", "-r", "--name-only", commit, "--", "dashboards")).split("\n").filter(isModel);
  const current = readdirSync("dashboards")
    .map((name) => `dashboards/${name}`)
    .filter(isModel);
  const models: ChangedModel[] = [];
  for (const file of [...new Set([...old, ...current])].sort()) {
    const before = old.includes(file) ? await git("show", `${commit}:${file}`) : undefined;
    const after = current.includes(file) ? readFileSync(file, "utf8") : undefined;
    const parse = (text: string | undefined): DashboardModel | undefined => text && JSON.parse(text);
    if (before !== after) models.push({ name: file.replace("dashboards/", ""), before: parse(before), after: parse(after) });
  }
  return models;
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
