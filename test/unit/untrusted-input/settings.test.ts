/** Any stack config results in valid settings or a list of problems, without a stack trace, a hang or a secret in the message. */
// The program requires the builders of dashboards on first use: see src/dashboards/definitions.ts.
import "tsx/cjs";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineAlerts } from "../../../src/alerts/definitions";
import { checkTargets } from "../../../src/checks/targets";
import { defineDashboards } from "../../../src/dashboards/definitions";
import { dotenv, otlpAuthorization, otlpEnvironment } from "../../../src/otlp";
import { formatProblems, keyDocs, type Problem, type Settings } from "../../../src/settings";
import { spellingsIn } from "../../support/raw-server";
import { isFullSize } from "../../support/test-size";
import { complete, mark, plainValue, problemsOf, read, secretKeys } from "../config";
import { type UntrustedConfig, untrustedConfig } from "./values";

/** The number of generated configs. */
const cases = Number(process.env.FUZZ_CASES ?? (isFullSize ? 10_000 : 1_000));

/** The maximum CPU time of a config in seconds: far more than any requires, far less than catastrophic backtracking. */
const maxSeconds = 2;

const documented = keyDocs();
/** Control characters except line breaks, and characters that reorder or hide text. */
const invisible = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

/** The secrets of a config that are short enough for a search, and the passwords of logins; the mark finds the long ones. */
const secretsOf = ({ values, misplaced }: UntrustedConfig) =>
  Object.entries(values)
    .filter(([key]) => secretKeys.includes(key) || misplaced.includes(key))
    .flatMap(([, value]) => [value, value.slice(value.indexOf(":") + 1)])
    .filter((secret) => secret.includes(mark) && secret.length < 1_000);

function expectReadable(problems: readonly Problem[], config: UntrustedConfig): void {
  expect(problems.length).toBeGreaterThan(0);
  const text = formatProblems(problems, "dev");
  expect(text).not.toContain(mark);
  expect(spellingsIn(text, secretsOf(config))).toEqual([]);
  expect(text).not.toMatch(invisible);
  expect(text).not.toMatch(/^\s+at /m);
  const [head, ...blocks] = text.trimEnd().split("\n\n");
  expect(head).toBe(`The config of stack dev has ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:`);
  expect(blocks).toHaveLength(problems.length);
  expect(blocks.filter((block, place) => !isReadable(block, problems[place] as Problem))).toEqual([]);
}

/** A reason is a sentence in ASCII, which ends the first line; a command, the second line, sets or removes the key, or is a comment. */
function isReadable(block: string, { key, reason, command }: Problem): boolean {
  const [first = "", ...others] = block.split("\n");
  return (
    /^[ -~…]{5,600}[.?]$/.test(reason) &&
    !/\bundefined\b|\[object|node_modules|Error\b/.test(reason) &&
    /^(npx pulumi config (set|rm) .*--stack dev.*|# .*Pulumi\.dev\.yaml.*)$/u.test(command) &&
    (documented.every(({ name }) => name !== key) || new RegExp(`[ ']${key}[ \\[]`).test(`${command} `)) &&
    first.endsWith(` ${reason}`) &&
    others.join("\n") === `      ${command}`
  );
}

/** Everything that the program derives from settings before it sends a request. */
async function expectWorking(settings: Settings, warnings: string[], config: UntrustedConfig): Promise<void> {
  const { values } = config;
  const { all: definitions } = defineDashboards(settings);
  const models = definitions.map(({ model }) => model({ prometheus: "p", loki: "l", tempo: "t" }));
  const targets = await plainValue(checkTargets({ ...settings, definitions, otlpAuthorization: "" }));
  const shown = JSON.stringify({ models, targets });
  // The state is JSON: no NaN, no lone surrogate, no undefined.
  expect(JSON.parse(JSON.stringify(models))).toEqual(models);
  expect(shown).not.toMatch(/\\ud[89a-f]/i);
  expect(spellingsIn(shown, secretsOf(config))).toEqual([]);
  // The maximum length of an environment variable in Linux, which passes them to the checks.
  expect(Buffer.byteLength(JSON.stringify(targets))).toBeLessThan(128 * 1024);
  for (const address of [targets.grafana.url, targets.serviceUrl, targets.otlp.endpoint]) {
    expect(new URL(`${address}/api/x`).pathname.endsWith("/api/x")).toBe(true);
  }
  const { grafana, datasources, connection, otlp } = settings;
  for (const secret of [grafana.auth, connection.platformApiKey]) expect(pulumi.Output.isInstance(secret)).toBe(true);
  const isManaged = values.datasources !== "existing" && grafana.managedResources === "all";
  expect([datasources.prometheus.url, datasources.loki.url, datasources.tempo.url].map(Boolean)).toEqual(Array(3).fill(isManaged));
  // Grafana refuses a second rule with the same title.
  const titles = defineAlerts(settings).all.flatMap(({ rules }) => rules.map(({ title }) => title));
  expect(titles).toEqual([...new Set(titles)]);
  expect(warnings.join()).not.toContain(mark);
  const authorization = otlpAuthorization(otlp.instanceId, values.otlpToken ?? "created");
  for (const capture of [true, false]) {
    const environment = otlpEnvironment(otlp.endpoint, authorization, capture);
    expect(dotenv(environment).trimEnd().split("\n")).toHaveLength(capture ? 5 : 8);
  }
}

/** Reads a config and checks the result. */
async function readAndCheck(config: UntrustedConfig): Promise<"settings" | "problems"> {
  const start = process.cpuUsage();
  const result = read(config.values, config.misplaced);
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1e6).toBeLessThan(maxSeconds);
  if ("problems" in result) expectReadable(result.problems, config);
  else await expectWorking(result.settings, result.warnings, config);
  return "problems" in result ? "problems" : "settings";
}

it(`any config results in valid settings or readable problems: ${cases} cases`, async () => {
  const seen = { settings: 0, problems: 0 };
  const property = fc.asyncProperty(untrustedConfig, async (config) => {
    seen[await readAndCheck(config)]++;
  });
  await fc.assert(property, { numRuns: cases });
  // The generator must produce both.
  expect(Math.min(seen.settings, seen.problems)).toBeGreaterThan(cases / 20);
}, 300_000);

it("a service with the name of the alert rules on SDKs has rules of its own", async () => {
  const values = { ...complete, service: "GenAI", alerts: "on", alertBudget: "500", recordingRules: "external" };
  expect(await readAndCheck({ values, misplaced: [] })).toBe("settings");
});

const long = 1_000_000;
/** Long values that cause backtracking in regular expressions. */
const shapes: Record<string, (usual: string) => string> = {
  letters: () => "a".repeat(long),
  "blanks at the end": (usual) => `${usual}${" ".repeat(long)}`,
  "words and blanks": () => "a ".repeat(long / 2),
  "slashes at the end": (usual) => `${usual}${"/".repeat(long)}`,
  "line breaks": (usual) => `${usual}${"\n".repeat(long)}x`,
  parts: () => "folder,".repeat(long / 7),
  certificates: () => `${"-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".repeat(long / 54)}x`,
  "signs of two units": () => "🙂".repeat(long / 2),
};

describe("a value of 1 MB", () => {
  it.each(documented.map(({ name, example }) => [name, example ?? `${mark}-${name}`]))("in %s does not hang", async (name, usual) => {
    for (const [shape, make] of Object.entries(shapes)) {
      const outcome = await readAndCheck({ values: { ...complete, [name]: make(usual) }, misplaced: [] });
      // White space around a value is removed.
      if (shape !== "blanks at the end") expect(outcome, shape).toBe("problems");
    }
  });

  it("as a key does not hang, and is truncated in the message", () => {
    for (const make of Object.values(shapes)) {
      const problems = problemsOf({ ...complete, [make("a")]: "x" });
      expectReadable(problems, { values: {}, misplaced: [] });
      expect(formatProblems(problems, "dev").length).toBeLessThan(1_000);
    }
  });
});
