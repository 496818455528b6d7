/** The project's documents, and the commands in them. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isFullSize } from "./test-size";

const root = resolve(__dirname, "../..");

/** Paths of all documents, relative to the root of the repository. */
export const documents = ["", "src", "test", "dashboards", ".github"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
    .map((file) => join(folder, file)),
);

/** @param document relative to the root of the repository */
export const readDocument = (document: string): string => readFileSync(join(root, document), "utf8");

/** A block of shell commands. Its name is in the mark above it: `<!-- tested: NAME -->`, or `tested at full size`, with TEST_SIZE=full only. */
export const commandBlocks = documents.flatMap((document) =>
  [...readDocument(document).matchAll(/(?:<!-- tested(?: at full size)?: (\w+) -->\n)?^```sh\n([\s\S]*?)^```/gm)].map(
    ([, name, commands = ""]) => ({ document, name, commands }),
  ),
);

/** A block as the file that `FOLLOWED_COMMANDS` names has it. */
const entry = (document: string, name: string) => `${document}\t${name}`;

/** The blocks with a mark, commands and programs, that tests of this size follow. `.ci/run` fails if a block was followed by no test. */
export const testedBlocks = documents.flatMap((document) =>
  [...readDocument(document).matchAll(/<!-- tested( at full size)?: (\w+) -->/g)].flatMap(([, isFull, name = ""]) =>
    isFull && !isFullSize ? [] : entry(document, name),
  ),
);

/** The commands of a block. Notes that a test follows them. @throws Error if the document has no such block */
export const commandsOf = (name: string, document = "README.md"): string => follow(name, document, "sh");

/** A program in a document, in the same way. */
export const programOf = (name: string, document: string): string => follow(name, document, "ts");

function follow(name: string, document: string, language: "sh" | "ts"): string {
  const [, content] =
    new RegExp(`<!-- tested(?: at full size)?: ${name} -->\n\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "m").exec(readDocument(document)) ??
    [];
  if (!content) throw new Error(`${document} has no block of ${language} with the mark <!-- tested: ${name} -->`);
  if (process.env.FOLLOWED_COMMANDS) appendFileSync(process.env.FOLLOWED_COMMANDS, `${entry(document, name)}\n`);
  return content;
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a document. */
export function fill(document: string, name: string, content: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) throw new Error(`The document lacks the marks ${opening} and ${closing}`);
  return `${document.slice(0, start + opening.length)}\n${content}\n${document.slice(end)}`;
}

/** The anchor of a heading, as GitHub derives it. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
