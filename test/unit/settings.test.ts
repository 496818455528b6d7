import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeKeys, formatProblems, type KeyDoc, type Problem, parseSettings, type Settings } from "../../src/settings";

const keys = describeKeys();
const secrets = keys.filter(({ secret }) => secret).map(({ name }) => name);

const required = keys.filter((key) => key.required);
const exampleOf = ({ name, example }: KeyDoc) => [name, example ?? `${name}-value`];

/** Every required key with its own example, secrets with a value of their own, and what rules ask for beside them. */
const complete: Record<string, string> = {
  ...Object.fromEntries(required.map(exampleOf)),
  datasources: "existing",
  otlpToken: "otlpToken-value",
};

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
    for (const name of secrets.filter((name) => name in complete)) {
      const value = result[name as keyof Settings] as pulumi.Output<string>;
      expect(pulumi.Output.isInstance(value)).toBe(true);
      expect(await pulumi.isSecret(value)).toBe(true);
    }
  });

  it.each([
    ["serviceUrl", "https://llmobs.example.com/", "https://llmobs.example.com"],
    ["serviceUrl", "http://127.0.0.1:4000/prefix//", "http://127.0.0.1:4000/prefix"],
    ["otlpEndpoint", "https://otlp.example.com/otlp/", "https://otlp.example.com/otlp"],
    ["metricsUrl", "https://metrics.example.com/write?db=a/", "https://metrics.example.com/write?db=a/"],
    ["otlpData", "metrics", ["metrics"]],
    ["otlpData", "traces", ["traces"]],
    ["otlpData", "both", ["metrics", "traces"]],
  ])("reads %s = %s as %j", (key, value, expected) => {
    expect(settings({ ...complete, [key]: value })[key as keyof Settings]).toEqual(expected);
  });
});

describe("problems", () => {
  it("are all reported at once: an empty config names every key that is needed", () => {
    const needed = [...required.map(({ name }) => name), "otlpToken", "prometheusUrl", "lokiUrl", "tempoUrl"];
    expect(problems({}).map(({ key }) => key)).toEqual(needed);
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

  it.each(required.map(({ name }) => name))("%s missing is one problem", (name) => {
    expect(problems(without(complete, name))).toMatchObject([{ key: name, reason: expect.stringContaining("is not set") }]);
  });

  it.each(secrets.filter((name) => name in complete))("%s in plain is refused", (name) => {
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
    ["metricsUrl", "https://metrics.example.com/a b", "white space"],
    ["metricsUsername", " ", "must not be empty"],
    ["otlpEndpoint", "https://otlp.example.com/otlp/v1/traces", "exporters append"],
    ["otlpInstanceId", "12:34", "colon"],
    ["otlpData", "logs", "metrics, traces or both"],
    ["grafanaUrl", "https://grafana.example.com/api", "without /api"],
    ["grafanaOrgId", "0", "whole number from 1"],
    ["grafanaCaCert", "/etc/ssl/ca.pem", "PEM form"],
    ["folderUid", "with space", "no other uid"],
    ["folderUid", "u".repeat(41), "no other uid"],
    ["folderViewers", "all", "none, view, edit or admin"],
    ["checks", "off", "fail or warn"],
    ["owns", "none", "all, service or connection"],
    ["adopting", "folder,dashboards", "must be a list, with commas, of folder, prometheus"],
    ["readBack", "yes", "on or off"],
  ])("%s = %j is refused", (key, value, reason) => {
    const found = problems({ ...complete, [key]: value });
    expect(found.map((problem) => problem.key)).toEqual([key]);
    expect(found[0]?.reason).toContain(reason);
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  const managed = { ...complete, datasources: "managed", prometheusUrl: "http://p", lokiUrl: "http://l", tempoUrl: "http://t" };
  const made = { ...without(complete, "otlpToken"), cloudAccessPolicyToken: "a-token", cloudRegion: "eu", cloudStackId: "1" };

  it.each<[string, Record<string, string>]>([
    ["managed datasources", managed],
    ["with basic auth", { ...managed, lokiUsername: "1", lokiPassword: "password" }],
    ["with a bearer token", { ...managed, tempoToken: "a-token", tempoTenant: "tenant" }],
    ["a token of the push that is made", made],
    ["another stack's datasources, managed there", { ...without(complete, "datasources"), owns: "service" }],
    ["everything adopted that is managed", { ...managed, adopting: "folder, loki", adopted: "tempo,genai-observability,llm-monitoring" }],
  ])("are none with %s", (_what, values) => {
    expect(problems(values)).toEqual([]);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ["no token of the push", without(complete, "otlpToken"), "otlpToken", "config set --secret otlpToken"],
    ["two tokens of the push", { ...made, otlpToken: "a-token" }, "otlpToken", "config rm otlpToken"],
    ["no region for the token", without(made, "cloudRegion"), "cloudRegion", "config set cloudRegion eu"],
    ["a stack number for nothing", { ...complete, cloudStackId: "1" }, "cloudStackId", "config rm cloudStackId"],
    ["a managed datasource without an address", without(managed, "lokiUrl"), "lokiUrl", "config set lokiUrl https://loki.example.com"],
    ["an address of an existing datasource", { ...complete, tempoUrl: "http://t" }, "tempoUrl", "config rm tempoUrl"],
    ["a user name without password", { ...managed, lokiUsername: "1" }, "lokiPassword", "config set --secret lokiPassword"],
    ["a password without user name", { ...managed, lokiPassword: "password" }, "lokiUsername", "config set lokiUsername"],
    ["an address of another stack's datasource", { ...complete, owns: "service", lokiUrl: "http://l" }, "lokiUrl", "config rm lokiUrl"],
    ["a title of another stack's folder", { ...complete, owns: "connection", folderTitle: "Ours" }, "folderTitle", "config rm folderTitle"],
    ["the adoption of another stack's", { ...complete, owns: "connection", adopting: "llm-monitoring" }, "adopting", "config rm adopting"],
    ["the adoption of a hosted datasource", { ...complete, adopted: "prometheus" }, "adopted", "config rm adopted"],
    ["what is adopted twice", { ...complete, adopting: "folder", adopted: "folder" }, "adopting", "config rm adopting"],
    ["both kinds of credentials", { ...managed, lokiUsername: "1", lokiPassword: "p", lokiToken: "t" }, "lokiToken", "config rm lokiToken"],
  ])("name %s", (_what, values, key, command) => {
    expect(problems(values)).toEqual([{ key, reason: expect.any(String), command: expect.stringContaining(command) }]);
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
      // An example may be a shell's redirection, and a key may have no effect beside the others here.
      const found = problems({ ...complete, [name]: example ?? "" }).filter(({ command }) => command.includes(` set ${name} `));
      if (!secret && !example?.startsWith("< ")) expect(found, name).toEqual([]);
    }
  });

  // A project that it made asks nobody any more: the questions are gone from its file.
  const { template } = parse(readFileSync(join(__dirname, "../../Pulumi.yaml"), "utf8"));
  it.runIf(template)("`pulumi new` asks for enough to make a valid config, secrets as secrets", () => {
    const asked = Object.entries<{ secret?: boolean; default?: string }>(template.config);
    for (const [name, { secret }] of asked) expect(secret === true, name).toBe(secrets.includes(name));
    const docs = new Map(keys.map((doc) => [doc.name, doc]));
    const answered = asked.map(([name, { default: given }]) => [name, given ?? docs.get(name)?.example ?? `${name}-value`]);
    expect(problems(Object.fromEntries(answered))).toEqual([]);
  });
});
