/** The record of the pictures: a picture that is missing, older than its model, or another one is a problem. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pictureProblems, recordFile, recordOf } from "../support/picture-record";
import { temporaryFolder } from "../support/temporary-folder";

function folderWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const files = { "a.json": "{}", "a.png": "picture" };
const record = recordOf({ "a.json": Buffer.from("{}"), "a.png": Buffer.from("picture") });

it("the pictures in dashboards/ show the present models", () => {
  const folder = join(__dirname, "../../dashboards");
  const models = readdirSync(folder).filter((file) => file.endsWith(".json"));
  expect(models.length).toBeGreaterThan(0);
  expect(pictureProblems(folder, models)).toEqual([]);
});

it("a picture of the present model is right", () => {
  expect(pictureProblems(folderWith({ ...files, [recordFile]: record }), ["a.json"])).toEqual([]);
});

it("the record has the format of sha256sum", () => {
  expect(record).toBe(
    "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a  a.json\n" +
      "2cea274d0bedc39ec4ab6ba9e59ec889e3ed6fb56a1cf088a64d9b383378dc97  a.png\n",
  );
});

it.each([
  ["a changed model", { "a.json": '{"panels":[]}' }, "dashboards/a.png shows an older a.json. Draw it: npm run pictures"],
  ["another picture", { "a.png": "other" }, "dashboards/a.png is not the one of pictures.sha256. Draw it: npm run pictures"],
  ["an empty record", { [recordFile]: "" }, "dashboards/a.png shows an older a.json. Draw it: npm run pictures"],
])("%s is a problem", (_name, changed, problem) => {
  expect(pictureProblems(folderWith({ ...files, [recordFile]: record, ...changed }), ["a.json"])).toEqual([problem]);
});

it("a missing picture, and a missing record, are problems", () => {
  expect(pictureProblems(folderWith({ "a.json": "{}", [recordFile]: record }), ["a.json"])).toEqual([
    "dashboards/a.png is missing. Draw it: npm run pictures",
  ]);
  expect(pictureProblems(folderWith(files), ["a.json"])).toHaveLength(1);
});
