/**
 * The record of the pictures in `dashboards/`: the hashes of each picture and of the model that it shows. It needs neither a browser nor servers. The
 * format is that of `sha256sum`.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The file of the record, beside the pictures. */
export const recordFile = "pictures.sha256";

/** The files of the models, such as `llm-monitoring.json`. */
export const modelFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".json"));

/** The picture of a model's file. */
export const pictureOf = (model: string) => model.replace(/\.json$/, ".png");

/** @param files contents by name */
export const recordOf = (files: Record<string, Uint8Array>) =>
  Object.entries(files)
    .map(([name, content]) => `${createHash("sha256").update(content).digest("hex")}  ${name}\n`)
    .join("");

/** Problems of the pictures in the folder `dashboards`, each with the command that solves it. */
export function pictureProblems(folder: string): string[] {
  const file = join(folder, recordFile);
  const record = existsSync(file) ? readFileSync(file, "utf8") : "";
  const isRecorded = (name: string) => record.includes(recordOf({ [name]: readFileSync(join(folder, name)) }));
  return modelFiles(folder).flatMap((model) => {
    const picture = pictureOf(model);
    const draw = "Draw it: npm run pictures";
    if (!existsSync(join(folder, picture))) return [`dashboards/${picture} is missing. ${draw}`];
    if (!isRecorded(model)) return [`dashboards/${picture} shows an older ${model}. ${draw}`];
    if (!isRecorded(picture)) return [`dashboards/${picture} is not the one of ${recordFile}. ${draw}`];
    return [];
  });
}
