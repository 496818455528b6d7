/** The documents: their links and npm scripts exist, tests or CI run all commands, and the root README stays short. */
import { existsSync, readFileSync } from "node:fs";
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
});

it("tests or CI run all commands", () => {
  const files = ["e2e/readme.test.ts", "e2e/adoption.test.ts", "real-servers/history.ts", "real-servers/alerts/stories.ts"];
  const followed = files.map((file) => readFileSync(join(root, "test", file), "utf8")).join("\n");
  const isTested = (name: string) => new RegExp(`(follow|commandsOf)\\("${name}"`).test(followed);
  const others = commandBlocks.filter(({ name }) => !name || !isTested(name));
  expect(others.map(({ document, commands }) => [document, commands.trim().split("\n")])).toEqual([
    ["README.md", ["npm ci && npm run local", "npm ci && npm test"]],
    [
      "test/README.md",
      [
        'npx vitest run --config .config/vitest.config.mts --project unit test/unit/settings.test.ts -t "service"',
        "npx vitest run --config .config/vitest.config.mts --project engine test/engine/connection.test.ts",
        "npx vitest run --config .config/vitest.real-servers.mts test/real-servers/dashboards.test.ts",
      ],
    ],
  ]);
});

it("blocks with the same name have the same commands", () => {
  const named = commandBlocks.filter(({ name }) => name);
  const different = named.filter(({ name, commands }) => commands !== named.find((other) => other.name === name)?.commands);
  expect(different).toEqual([]);
});

it("the commands for one test name files that exist", () => {
  const { commands = "" } = commandBlocks.find(({ document }) => document === "test/README.md") ?? {};
  const files = commands.match(/(?:\.config|test)\/\S+\.m?ts/g) ?? [];
  expect(files).toHaveLength(6);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it.each(documents)("%s has no line of prose with more than 140 characters", (document) => {
  const text = readDocument(document).replace(/^ *```[\s\S]*?^ *```/gm, "");
  const prose = text.split("\n").filter((line) => !/^( {4}|\s*(\||<!--))/.test(line));
  // Without the addresses of links.
  const long = prose.filter((line) => line.replace(/\]\([^)]*\)/g, "").length > 140);
  expect(long).toEqual([]);
});

it("the root README has at most 180 lines", () => {
  expect(readDocument("README.md").split("\n").length - 1).toBeLessThanOrEqual(180);
});
