import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeKeys, formatProblems, type Problem, parseSettings, type Settings } from "../../src/settings";

const keys = describeKeys();
const secrets = keys.filter(({ secret }) => secret).map(({ name }) => name);

/** Every required key with its own example, secrets with a value of their own. */
const complete = Object.fromEntries(keys.filter(({ required }) => required).map(({ name, example }) => [name, example ?? `${name}-value`]));

const read = (values: Record<string, string>, isSecret = (key: string) => secrets.includes(key)) =>
  parseSettings({ values, isSecret }, "dev");

function problems(values: Record<string, string>, isSecret?: (key: string) => boolean): Problem[] {
  const result = read(values, isSecret);
  return "problems" in result ? result.problems : [];
}

function settings(values: Record<string, string>): Settings {
  const result = read(values);
  if ("problems" in result) throw new Error(formatProblems(result.problems, "dev"));
  return result.settings;
}

const without = (values: Record<string, string>, key: string) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));

describe("a complete config", () => {
  it("gives settings with defaults, secrets as secret Outputs", async () => {
    const result = settings(complete);
    expect(result).toMatchObject({ service: "llmobs", platform: "grafana", otlpData: ["metrics", "traces"] });
    for (const name of secrets) {
      const value = result[name as keyof Settings] as pulumi.Output<string>;
      expect(pulumi.Output.isInstance(value)).toBe(true);
      expect(await pulumi.isSecret(value)).toBe(true);
    }
  });

  it.each([
    ["serviceUrl", "https://llmobs.example.com/", "https://llmobs.example.com"],
    ["serviceUrl", "http://127.0.0.1:4000/prefix//", "http://127.0.0.1:4000/prefix"],
    ["otlpEndpoint", "https://otlp.example.net/otlp/", "https://otlp.example.net/otlp"],
    ["metricsUrl", "https://metrics.example.net/write?db=a/", "https://metrics.example.net/write?db=a/"],
    ["otlpData", "metrics", ["metrics"]],
    ["otlpData", "traces", ["traces"]],
    ["otlpData", "both", ["metrics", "traces"]],
  ])("reads %s = %s as %j", (key, value, expected) => {
    expect(settings({ ...complete, [key]: value })[key as keyof Settings]).toEqual(expected);
  });
});

describe("problems", () => {
  it("are all reported at once: an empty config names every required key", () => {
    expect(problems({}).map(({ key }) => key)).toEqual(keys.filter(({ required }) => required).map(({ name }) => name));
  });

  it("are mended by their commands: each command, with a value for each secret asked for, leads to a valid config", () => {
    const mended = Object.fromEntries(
      problems({}).map(({ command }) => {
        const match = /^npx pulumi config set (--secret )?(\w+)(?: (\S+))? --stack dev$/.exec(command);
        expect(match, command).not.toBeNull();
        const [, secret, key = "", value] = match ?? [];
        expect(Boolean(secret)).toBe(secrets.includes(key));
        return [key, value ?? "typed by the user"];
      }),
    );
    expect(problems(mended)).toEqual([]);
  });

  it.each(keys.filter(({ required }) => required).map(({ name }) => name))("%s missing is one problem", (name) => {
    expect(problems(without(complete, name))).toMatchObject([{ key: name, reason: expect.stringContaining("is not set") }]);
  });

  it.each(secrets)("%s in plain is refused", (name) => {
    const found = problems(complete, (key) => secrets.includes(key) && key !== name);
    expect(found).toMatchObject([{ key: name, command: `npx pulumi config set --secret ${name} --stack dev` }]);
  });

  it.each(Object.keys(complete).filter((name) => !secrets.includes(name)))("%s as a secret is refused: it is shown", (name) => {
    expect(problems(complete, (key) => secrets.includes(key) || key === name)).toMatchObject([
      { key: name, reason: expect.stringContaining("set as a secret") },
    ]);
  });

  it.each([
    ["service", "my-service", "letters, digits and underscores"],
    ["service", "1st", "letters, digits and underscores"],
    ["service", "a".repeat(26), "at most 25 characters"],
    ["serviceUrl", "llmobs.example.com", "http:// or https://"],
    ["serviceUrl", "ftp://llmobs.example.com", "http:// or https://"],
    ["serviceUrl", "https://user:canary@llmobs.example.com", "must not hold a user name or password"],
    ["serviceUrl", "https://llmobs.example.com/api/connections", "appended"],
    ["serviceUrl", "https://llmobs.example.com/?a=b", "no query"],
    ["serviceUrl", "https://llmobs.example.com/$(id)", "only letters"],
    ["serviceApiKey", "canary\n", "starts or ends with white space"],
    ["serviceApiKey", "canary\nsecond", "printable ASCII"],
    ["serviceApiKey", "canaryü", "printable ASCII"],
    ["platformApiKey", " canary", "starts or ends with white space"],
    ["platformApiKey", "", "must not be empty"],
    ["platform", "Grafana Cloud", "one lowercase word"],
    ["metricsUrl", "https://metrics.example.net/a b", "white space"],
    ["metricsUsername", " ", "must not be empty"],
    ["otlpEndpoint", "https://otlp.example.net/otlp/v1/traces", "exporters append"],
    ["otlpInstanceId", "12:34", "colon"],
    ["otlpData", "logs", "metrics, traces or both"],
  ])("%s = %j is refused", (key, value, reason) => {
    const found = problems({ ...complete, [key]: value });
    expect(found.map((problem) => problem.key)).toEqual([key]);
    expect(found[0]?.reason).toContain(reason);
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  it.each([
    ["serviceURL", "serviceUrl"],
    ["metricUrl", "metricsUrl"],
    ["otlptoken", "otlpToken"],
  ])("an unknown key %s names %s", (wrong, right) => {
    expect(problems({ ...complete, [wrong]: "x" })).toEqual([
      { key: wrong, reason: `is not a setting. Did you mean ${right}?`, command: `npx pulumi config rm ${wrong} --stack dev` },
    ]);
  });

  it("never show a secret's value, whatever it is and however it is stored", () => {
    const value = fc.string({ minLength: 6, unit: "grapheme" });
    fc.assert(
      fc.property(fc.constantFrom(...secrets), value, fc.boolean(), (key, text, stored) => {
        const canary = `canary${text}canary`;
        const found = problems({ ...complete, [key]: canary }, (name) => stored && secrets.includes(name));
        expect(formatProblems(found, "dev")).not.toContain(canary);
      }),
    );
  });

  it("never throw: any config is either settings or problems", () => {
    const names = fc.oneof(fc.constantFrom(...keys.map(({ name }) => name)), fc.string());
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), fc.func(fc.boolean()), (values, isSecret) => {
        const result = parseSettings({ values, isSecret }, "dev");
        expect("problems" in result ? result.problems.length > 0 : result.settings.service.length > 0).toBe(true);
      }),
    );
  });
});

describe("documents", () => {
  it("every key says what it means, and every plain one shows an example that is valid", () => {
    for (const { name, description, example, secret } of keys) {
      expect(description.length, name).toBeGreaterThan(10);
      if (!secret) expect(problems({ ...complete, [name]: example ?? "" }), name).toEqual([]);
    }
  });

  it("`pulumi new` asks for the required keys, secrets as secrets", () => {
    const project = parse(readFileSync(join(__dirname, "../../Pulumi.yaml"), "utf8"));
    const asked = Object.entries<{ secret?: boolean }>(project.template.config).map(([name, { secret }]) => [name, secret === true]);
    expect(asked).toEqual(keys.filter(({ required }) => required).map(({ name, secret }) => [name, secret]));
  });
});
