/** `npm run pictures -- --check`: names each picture that does not show the present model, with the command that draws it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pictureProblems } from "../support/picture-record";
import { temporaryFolder } from "../support/temporary-folder";

// Written by `sha256sum` for files with the contents "model" and "picture".
const record = (name: string) =>
  `9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4  ${name}.json\n2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97  ${name}.png\n`;

it("names pictures that are missing, older than the model, or not the recorded ones", () => {
  const folder = temporaryFolder();
  const files = { new: ["model", "picture"], missing: ["model"], older: ["model 2", "picture"], other: ["model", "picture 2"] };
  for (const [name, [model = "", picture]] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.json`), model);
    if (picture) writeFileSync(join(folder, `${name}.png`), picture);
  }
  writeFileSync(join(folder, "pictures.sha256"), Object.keys(files).map(record).join(""));
  expect(pictureProblems(folder)).toEqual([
    "dashboards/missing.png is missing. Draw it: npm run pictures",
    "dashboards/older.png shows an older older.json. Draw it: npm run pictures",
    "dashboards/other.png is not the one of pictures.sha256. Draw it: npm run pictures",
  ]);
});
