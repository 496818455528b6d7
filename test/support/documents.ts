/** The project's documents, and the commands in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** Paths of all documents, relative to the root of the repository. */
export const documents = ["", "src", "test", "dashboards", ".github"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== "", encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
    .map((file) => join(folder, file)),
);

/** @param document relative to the root of the repository */
export const readDocument = (document: string): string => readFileSync(join(root, document), "utf8");

/** A block of shell commands. Its name is in the mark above it, `<!-- tested: name -->`; undefined without a mark. */
export interface CommandBlock {
  document: string;
  name: string | undefined;
  commands: string;
}

export const commandBlocks: CommandBlock[] = documents.flatMap((document) =>
  [...readDocument(document).matchAll(/(?:<!-- tested: (\w+) -->\n)?^```sh\n([\s\S]*?)^```/gm)].map(([, name, commands = ""]) => ({
    document,
    name,
    commands,
  })),
);

/** @throws Error if the document has no such block */
export function commandsOf(name: string, document = "README.md"): string {
  const block = commandBlocks.find((each) => each.name === name && each.document === document);
  if (!block) throw new Error(`${document} has no block with the mark <!-- tested: ${name} -->`);
  return block.commands;
}

/** A program in a document, with the mark above it. @throws Error if the document has no such block */
export function programOf(name: string, document: string): string {
  const [, program] = new RegExp(`<!-- tested: ${name} -->\n\`\`\`ts\n([\\s\\S]*?)\`\`\``).exec(readDocument(document)) ?? [];
  if (!program) throw new Error(`${document} has no program with the mark <!-- tested: ${name} -->`);
  return program;
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
