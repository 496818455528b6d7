/** Draws all dashboards as pictures, and records which model each one shows. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pictureOf, recordFile, recordOf } from "../../support/picture-record";
import { dockedMenu } from "../../view/browser";
import { inStudio, progress } from "./studio";

function modelsFor(out: string): string[] {
  mkdirSync(out, { recursive: true });
  return readdirSync("dashboards").filter((name) => name.endsWith(".json"));
}

/** Draws for the eye only: beside a docked menu, with telemetry, and in a time range before it. */
export async function drawWidths(widths: readonly number[], out: string): Promise<void> {
  const models = modelsFor(out);
  await inStudio(async (studio) => {
    for (const name of models) {
      const model = JSON.parse(readFileSync(join("dashboards", name), "utf8"));
      for (const telemetry of ["full", "empty"] as const) {
        const data = await studio.read(model, telemetry);
        for (const width of widths) {
          const picture = pictureOf(name).replace(".png", `-${width}-${telemetry}.png`);
          progress(`drawing ${picture}`);
          writeFileSync(join(out, picture), await studio.draw({ data }, width, dockedMenu));
        }
      }
    }
  });
  console.log(`pictures: written to ${out}/`);
}

/** @param out a folder; pictures of all models of `dashboards/` are written there */
export async function drawAll(out: string): Promise<void> {
  const models = modelsFor(out);
  await inStudio(async (studio) => {
    const files: Record<string, Uint8Array> = {};
    for (const name of models) {
      const model = readFileSync(join("dashboards", name));
      const picture = pictureOf(name);
      progress(`drawing ${picture}`);
      const png = await studio.draw({ data: await studio.read(JSON.parse(model.toString("utf8"))) });
      writeFileSync(join(out, picture), png);
      Object.assign(files, { [name]: model, [picture]: png });
    }
    writeFileSync(join(out, recordFile), recordOf(files));
    console.log(`pictures: written to ${out}/: ${models.map(pictureOf).join(", ")}`);
  });
}
