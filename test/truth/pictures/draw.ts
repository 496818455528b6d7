/** Draws dashboards as PNG, with the telemetry of a made-up company on real servers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { modelFiles, pictureOf, recordFile, recordOf } from "../../support/picture-record";
import { type Browser, drawPage, findChromium, startChromium } from "../../view/browser";
import { buildView } from "../../view/build";
import type { Comparison, DashboardFile } from "../../view/reading/file";
import { recordHistory } from "../history";
import { startServers } from "../servers";
import { pushWorld } from "../telemetry/push";
import { companyWorld } from "../world/company";
import { hour } from "../world/world";
import { changedModels, panelNumbers } from "./compare";
import { pictureTime, readDashboard } from "./data";

/** Pixels: of a dashboard, or of two at half their size. */
const width = 1600;

/** The data of a model's panels. Each model has its own: a changed query is sent as it is. */
type Read = (model: DashboardModel) => Promise<DashboardFile>;

/** The data of a page by the picture of it: see `main.tsx` of the view. */
type Drawings = Record<string, (read: Read) => Promise<{ data: DashboardFile } | { comparison: Comparison }>>;

const progress = (text: string) => console.log(`pictures: ${text} …`);

async function draw(drawings: Drawings, out: string): Promise<void> {
  // Before anything takes time.
  findChromium();
  const folder = await buildView();
  progress("starting Prometheus, Loki and Tempo");
  const servers = await startServers();
  let browser: Browser | undefined;
  try {
    const until = pictureTime(Date.now());
    progress("sending a day of telemetry");
    await pushWorld(companyWorld(until), servers);
    progress("recording its counters and costs");
    await recordHistory(servers, { from: until - 25 * hour, to: until });
    browser = await startChromium();
    for (const [picture, dataOf] of Object.entries(drawings)) {
      progress(`drawing ${picture}`);
      const data = await dataOf((model) => readDashboard(model, until, servers));
      writeFileSync(join(out, picture), await drawPage(browser, folder, data, width));
    }
  } finally {
    await browser?.close();
    await servers.stop();
  }
  console.log(`pictures: written to ${out}/: ${Object.keys(drawings).join(", ")}`);
}

/** All dashboards, and the record of the model that each picture shows. */
export async function drawAll(out: string): Promise<void> {
  const models = modelFiles("dashboards");
  const contentOf = (name: string) => readFileSync(join("dashboards", name));
  const drawings = models.map((name): [string, Drawings[string]] => [
    pictureOf(name),
    async (read) => ({ data: await read(JSON.parse(contentOf(name).toString("utf8"))) }),
  ]);
  await draw(Object.fromEntries(drawings), out);
  const records = models.map((name) => recordOf({ [name]: contentOf(name), [pictureOf(name)]: readFileSync(join(out, pictureOf(name))) }));
  writeFileSync(join(out, recordFile), records.join(""));
}

/** Each dashboard that differs from a Git revision, before and after, and `pictures.md`, which refers to the pictures. */
export async function drawChanges(base: string, out: string): Promise<void> {
  const changed = await changedModels(base);
  const drawings = changed.map(({ name, before, after }): [string, Drawings[string]] => [
    pictureOf(name),
    async (read) => ({
      comparison: { before: before && (await read(before)), after: after && (await read(after)), panels: panelNumbers(before, after) },
    }),
  ]);
  if (changed.length > 0) await draw(Object.fromEntries(drawings), out);
  else console.log(`pictures: no dashboard differs from ${base}`);
  const sections = changed.map(({ name, before, after }) => {
    const picture = pictureOf(name);
    return `### ${after ? after.title : `${before?.title} (removed)`}\n\n![${picture}](${picture})\n`;
  });
  writeFileSync(join(out, "pictures.md"), sections.join("\n"));
}
