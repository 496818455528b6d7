/** The documents: their links and npm scripts exist, tests or CI run all commands, and the root README stays short. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { scripts } from "../../package.json";
import { anchorOf, commandBlocks, documents, readDocument } from "../support/documents";

const root = resolve(__dirname, "../..");

const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

describe.each(documents)("%s", (document) => {
  const text = readDocument(document);

  it("links to files and headings that exist", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
    const broken = links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path ? join(dirname(document), path) : document;
      return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(readDocument(target)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it("names npm scripts that exist", () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([a-z][a-z0-9:-]*)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  it("has no line of prose with more than 140 characters", () => {
    const prose = text
      .replace(/^ *```[\s\S]*?^ *```/gm, "")
      .split("\n")
      .filter((line) => !/^( {4}|\s*(\||<!--))/.test(line));
    // Without the addresses of links.
    expect(prose.filter((line) => line.replace(/\]\([^)]*\)/g, "").length > 140)).toEqual([]);
  });
});

it("no line of the program has more than 140 characters: Biome breaks code, not texts and comments", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(100);
  const long = (file: string) =>
    readFileSync(join(root, "src", file), "utf8")
      .split("\n")
      .filter((line) => line.length > 140);
  expect(files.flatMap(long)).toEqual([]);
});

// Those with a mark are followed by tests, each of which `.ci/run` records.
it("only blocks that CI runs itself, or that name files, have no mark", () => {
  const others = commandBlocks.filter(({ name }) => !name);
  expect(others.map(({ document, commands }) => [document, commands.trim().split("\n")])).toEqual([
    ["README.md", ["npm ci && npm run local", "npm test"]],
    [
      "test/README.md",
      [
        'npx vitest run --config .config/vitest.config.mts --project unit test/unit/settings.test.ts -t "service"',
        "npx vitest run --config .config/vitest.config.mts --project engine test/stories/connection.test.ts",
        "npx vitest run --config .config/vitest.truth.mts test/truth/dashboards.test.ts",
      ],
    ],
  ]);
  for (const [file] of readDocument("test/README.md").matchAll(/(?:\.config|test)\/\S+\.m?ts\b/g))
    expect(existsSync(join(root, file)), file).toBe(true);
});

it("blocks with the same name have the same commands", () => {
  const named = commandBlocks.filter(({ name }) => name);
  const different = named.filter(({ name, commands }) => commands !== named.find((other) => other.name === name)?.commands);
  expect(different).toEqual([]);
});

it("the root README has at most 180 lines", () => {
  expect(readDocument("README.md").split("\n").length - 1).toBeLessThanOrEqual(180);
});
