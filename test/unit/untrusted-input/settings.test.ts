/** Any stack config ends in settings that work or in a list of problems: without a stack trace, a hang or a secret in the text. */
// For what the program requires where it is needed, see src/dashboards/models.ts.
import "../../../src/load.cjs";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTargets, connectionSecrets, dashboardModels, datasourceCredentials, platformArgs, serviceArgs } from "../../../src/arguments";
import { authorizationOf, dotenv, otlpEnvironment } from "../../../src/otlp";
import { describeKeys, formatProblems, type Problem, parseSettings, type Settings } from "../../../src/settings";
import { warnings } from "../../../src/settings/warnings";
import { spellingsIn } from "../../support/raw-server";
import { complete, type HostileConfig, hostileConfig, isSetting, mark, mended, secretKeys, stackConfig } from "./values";

/** The number of generated configs; a seed of an earlier run, printed by it, repeats that. */
const cases = 10_000;
const seed = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** No config may take longer, in seconds of this process: far more than any needs, far less than a regular expression that goes astray. */
const longest = 2;

const documented = describeKeys();
/** Control characters, and what turns or hides text. Line breaks stand only where `formatProblems` puts them. */
const unseen = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

const read = (config: HostileConfig) => parseSettings(stackConfig(config), "dev");

/** The secrets of a config, however they are stored; the mark alone finds the long ones. */
const secretsOf = ({ values, misplaced }: HostileConfig) =>
  Object.entries(values)
    .filter(([key, value]) => (secretKeys.includes(key) || misplaced.includes(key)) && value.includes(mark) && value.length < 1_000)
    .map(([, value]) => value);

function expectReadable(problems: readonly Problem[], config: HostileConfig): void {
  expect(problems.length).toBeGreaterThan(0);
  const text = formatProblems(problems, "dev");
  expect(text).not.toContain(mark);
  expect(spellingsIn(text, secretsOf(config))).toEqual([]);
  expect(text).not.toMatch(unseen);
  expect(text).not.toMatch(/^\s+at /m);
  const [head, ...blocks] = text.trimEnd().split("\n\n");
  expect(head).toBe(`The config of stack dev has ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:`);
  expect(blocks).toHaveLength(problems.length);
  expect(problems.filter((problem) => !hasKnownForm(problem))).toEqual([]);
  expect(blocks.filter((block, place) => !shows(block, problems[place] as Problem))).toEqual([]);
}

/** A reason is a sentence in plain words, a command one that sets or removes a key, or a shell's comment. */
const hasKnownForm = ({ key, reason, command }: Problem) =>
  /^[ -~…]{5,600}[.?]$/.test(reason) &&
  !/\bundefined\b|\[object|node_modules|Error/.test(reason) &&
  /^(npx pulumi config (set|rm) .*--stack dev.*|# .*Pulumi\.dev\.yaml.*)$/u.test(command) &&
  (!isSetting(key) || command.includes(` ${key} `));

/** The reason ends the first line, and the command has the second one for itself. */
function shows(block: string, { reason, command }: Problem): boolean {
  const [first = "", second = "", ...others] = block.split("\n");
  return first.endsWith(` ${reason}`) && second === `      ${command}` && others.length === 0;
}

/** All that is made of settings before anything is sent. */
function expectWorking(settings: Settings, { values }: HostileConfig): void {
  const models = dashboardModels(settings);
  const targets = checkTargets(settings);
  const told = { models, targets };
  // What is written into the state and read back is the same: no NaN, no lone surrogate, nothing that JSON leaves out.
  expect(JSON.parse(JSON.stringify(models))).toEqual(models);
  expect(JSON.stringify(told)).not.toMatch(/\\ud[89a-f]/i);
  expect(
    spellingsIn(
      JSON.stringify(told),
      secretKeys.flatMap((key) => values[key] ?? []),
    ),
  ).toEqual([]);
  // Linux takes no longer variable, and the checks get theirs that way.
  expect(Buffer.byteLength(JSON.stringify(targets))).toBeLessThan(128 * 1024);
  for (const address of [targets.grafana.url, targets.serviceUrl, targets.otlp.endpoint]) {
    expect(new URL(`${address}/api/x`).pathname.endsWith("/api/x")).toBe(true);
  }
  const { grafana, datasources } = platformArgs(settings, { version: undefined, basicAuth: false });
  expect(pulumi.Output.isInstance(grafana.auth)).toBe(true);
  expect(datasources.mode).toBe(settings.datasources === "managed" && settings.managedResources === "all" ? "managed" : "existing");
  const { otlp, connection } = serviceArgs(settings, "project");
  expect(pulumi.Output.isInstance(connection.platformApiKey)).toBe(true);
  datasourceCredentials(settings);
  connectionSecrets(settings);
  expect(warnings(settings).join()).not.toContain(mark);
  const environment = otlpEnvironment({ ...otlp, token: values.otlpToken ?? "made" });
  expect(dotenv(environment).split("\n")).toHaveLength(4);
  expect(Buffer.from(authorizationOf(environment).replace("Basic ", ""), "base64").toString("utf8")).toBe(
    `${otlp.instanceId}:${values.otlpToken ?? "made"}`,
  );
}

/** Reads a config, checks what comes out, and tells which it was. */
function judge(config: HostileConfig): "settings" | "problems" {
  const start = process.cpuUsage();
  const result = read(config);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(longest);
  if ("problems" in result) expectReadable(result.problems, config);
  else expectWorking(result.settings, config);
  return "problems" in result ? "problems" : "settings";
}

describe("any config", () => {
  it(`is settings that work, or problems that a person can read: ${cases} cases`, () => {
    console.log(`Hostile configs: HOSTILE_SEED=${seed}, ${cases} cases`);
    const seen = { settings: 0, problems: 0 };
    const property = fc.property(hostileConfig, (config) => {
      seen[judge(config)]++;
    });
    fc.assert(property, { numRuns: cases, seed });
    console.log(`Hostile configs: ${seen.settings} were settings, ${seen.problems} had problems`);
    // A generator that only ever gives one of them proves little.
    expect(Math.min(seen.settings, seen.problems)).toBeGreaterThan(cases / 20);
  }, 300_000);
});

describe("the commands", () => {
  const problemsOf = (config: HostileConfig) => {
    const result = read(config);
    return "problems" in result ? result.problems : [];
  };
  const faulty = hostileConfig.filter((config) => problemsOf(config).length > 0);

  it("each fix their own problem", () => {
    fc.assert(
      fc.property(faulty, (config) => {
        for (const problem of problemsOf(config)) {
          const { key, reason } = problem;
          expect(problemsOf(mended(config, problem)).filter((other) => other.key === key && other.reason === reason)).toEqual([]);
        }
      }),
      { numRuns: 200, seed },
    );
  });

  it("together leave no problem", () => {
    fc.assert(
      fc.property(faulty, (config) => {
        const left = problemsOf(problemsOf(config).reduce(mended, config));
        // A uid that is wrong is replaced by an example, and that may be another one's.
        expect(left.filter(({ reason }) => !reason.startsWith("has the same uid"))).toEqual([]);
      }),
      { numRuns: 500, seed },
    );
  });
});

const long = 1_000_000;
/** Long values of the forms that make regular expressions go back and forth. */
const shapes: Record<string, (usual: string) => string> = {
  letters: () => "a".repeat(long),
  blanks: (usual) => `${usual}${" ".repeat(long)}x`,
  "blanks at the end": (usual) => `${usual}${" ".repeat(long)}`,
  "words and blanks": () => "a ".repeat(long / 2),
  slashes: (usual) => `${usual}${"/".repeat(long)}x`,
  "slashes at the end": (usual) => `${usual}${"/".repeat(long)}`,
  "line breaks": (usual) => `${usual}${"\n".repeat(long)}x`,
  commas: () => ",".repeat(long),
  parts: () => "folder,".repeat(long / 7),
  certificates: () => `${"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".repeat(long / 54)}x`,
  "signs of two units": () => "🙂".repeat(long / 2),
};

describe("a value of 1 MB", () => {
  it.each(documented.map(({ name, example }) => [name, example ?? `${mark}-${name}`]))("in %s is no hang", (name, usual) => {
    for (const [shape, make] of Object.entries(shapes)) {
      const outcome = judge({ values: { ...complete, [name]: make(usual) }, misplaced: [] });
      // Blanks around a value are not part of it.
      if (shape !== "blanks at the end") expect(outcome, shape).toBe("problems");
    }
  });

  it("as a key is no hang, and is shown in short", () => {
    for (const make of Object.values(shapes)) {
      const { problems } = read({ values: { ...complete, [make("a")]: "x" }, misplaced: [] }) as { problems: Problem[] };
      expectReadable(problems, { values: {}, misplaced: [] });
      expect(formatProblems(problems, "dev").length).toBeLessThan(1_000);
    }
  });

  it("is not needed: 10,000 keys that are none are all named", () => {
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, number) => [`key${number}`, "x"]));
    const { problems } = read({ values: { ...complete, ...unknown }, misplaced: [] }) as { problems: Problem[] };
    expect(problems).toHaveLength(10_000);
  });
});

describe("names of JavaScript's own objects", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"])("%s is a key like any other unknown one", (name) => {
    const values = Object.fromEntries([...Object.entries(complete), [name, "x"]]);
    expect(read({ values, misplaced: [] })).toEqual({
      problems: [{ key: name, reason: expect.stringContaining("is not a setting"), command: `npx pulumi config rm ${name} --stack dev` }],
    });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
