/** Draws all dashboards as pictures, and records which model each one shows. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pictureOf, recordFile, recordOf } from "../../support/picture-record";
import { inStudio, progress } from "./studio";

/** @param out a folder; pictures of all models of `dashboards/` are written there */
export async function drawAll(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const models = readdirSync("dashboards").filter((name) => name.endsWith(".json"));
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
