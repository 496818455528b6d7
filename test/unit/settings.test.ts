/** Checks of the config: what is valid, what is refused, and with which reason and command; and the warnings about what is valid. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configOf, formatProblems, keyDocs } from "../../src/settings";
import { groupSettings } from "../../src/settings/groups";
import { type FlatSettings, type KeyName, settingsKeys } from "../../src/settings/keys";
import { createAuthority, selfSigned } from "../support/certificate";
import { complete, managed, mark, plainValue, problemsOf, read, secretKeys, settingsOf, usual } from "./config";

const keys = keyDocs();

const without = (values: Readonly<Record<string, string>>, key: string) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));

describe("a complete config", () => {
  it("results in settings with defaults, and secrets as secret Outputs", async () => {
    const { service, grafana, datasources, connection, otlp } = settingsOf(complete);
    expect([service.name, connection.platformName, otlp.data]).toEqual(["llmobs", "grafana", ["metrics", "traces"]]);
    const { prometheus, loki, tempo } = datasources;
    expect([prometheus.uid, loki.uid, tempo.uid]).toEqual(["grafanacloud-prom", "grafanacloud-logs", "grafanacloud-traces"]);
    for (const value of [grafana.auth, connection.platformApiKey, otlp.token]) {
      expect(pulumi.Output.isInstance(value)).toBe(true);
      expect(await pulumi.isSecret(value as pulumi.Output<string>)).toBe(true);
    }
  });

  it("has these defaults", () => {
    const defaults = keys.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : `${name} ${defaultValue}`));
    expect(defaults.join(", ")).toBe(
      "managedResources all, protect off, datasources managed, prometheusType prometheus, folderTitle LLM Observability, folderUid llm-observability, " +
        "genaiDashboardUid genai-observability, otelDashboardUid genai-observability-otel, telemetry both, sdkName openlit, metricNaming prometheus, " +
        "contents show, recordingRules grafana, genaiReads samples, countedBy sdks, alerts off, alertErrorRate 1, alertLatency 30, checks fail, " +
        "platformName grafana, otlpData both",
    );
  });

  it.each([
    ["serviceUrl", "http://127.0.0.1:4000/prefix//", "http://127.0.0.1:4000/prefix"],
    ["metricsUrl", "https://metrics.example.com/write?db=a/", "https://metrics.example.com/write?db=a/"],
    ["serviceUrl", "http://h.example:1", "http://h.example:1"],
    ["serviceUrl", "http://h.example:65535", "http://h.example:65535"],
    ["serviceUrl", "http://h.example/%C3%a9", "http://h.example/%C3%a9"],
    ["folderUid", "general-sharedwithme", "general-sharedwithme"],
    ["gateways", "a , b", ["a", "b"]],
    ["prices", '{"m":{"input":"0.25","output":"10000","cached":0.001}}', { m: { input: 0.25, output: 10_000, cached: 0.001 } }],
    ["alertBudgets", '{"shop":1000000000}', { shop: 1e9 }],
    ["alertErrorRate", "6", 6],
    ["otlpData", "metrics", ["metrics"]],
    ["otlpData", "traces", ["traces"]],
    ["alertErrorRate", "2.125", 2.125],
  ])("reads %s = %s as %j", (key, value, expected) => {
    expect(problemsOf({ ...complete, [key]: value })).toEqual([]);
    expect(settingsKeys[key as KeyName].parse(value)).toEqual(expected);
  });
});

it("each setting is in a group, once", () => {
  const values = Object.fromEntries(Object.keys(settingsKeys).map((key) => [key, key])) as unknown as FlatSettings;
  const leaves = (value: object): unknown[] => Object.values(value).flatMap((each) => (Object(each) === each ? leaves(each) : [each]));
  const used = leaves(groupSettings({ ...values, managedResources: "all" })).filter((value) => typeof value === "string");
  // `datasources` decides on addresses, uids and whether they are kept. The connection's provider reads the service's key from the config.
  const expected = Object.keys(settingsKeys).filter((key) => !["managedResources", "datasources", "serviceApiKey"].includes(key));
  expect(used.sort()).toEqual([...expected, "all"].sort());
});

it("the user name of a datasource ends at the first colon; the password is a secret", async () => {
  const { loki, tempo, prometheus } = settingsOf({ ...managed, lokiAuth: "1:pass:wörd", tempoAuth: "a-token" }).datasources;
  expect([loki.auth?.username, tempo.auth?.username, prometheus.auth?.username]).toEqual(["1", undefined, "123456"]);
  const passwords = [loki, tempo].map(({ auth }) => auth?.password as pulumi.Output<string>);
  expect(await Promise.all(passwords.map(plainValue))).toEqual(["pass:wörd", "a-token"]);
  expect(await Promise.all(passwords.map(pulumi.isSecret))).toEqual([true, true]);
});

it("an address of a datasource that the stack does not create is not used", () => {
  const urlOf = (values: Record<string, string>) =>
    settingsOf({ ...managed, tempoUrl: "https://t.example.com", ...values }).datasources.tempo.url;
  expect([urlOf({}), settingsOf(managed).datasources.kept]).toEqual(["https://t.example.com", false]);
  expect(urlOf({ datasources: "kept" })).toBe("https://t.example.com");
  expect(settingsOf({ ...managed, datasources: "kept" }).datasources.kept).toBe(true);
  expect([urlOf({ datasources: "existing" }), urlOf({ managedResources: "service-dashboard" })]).toEqual([undefined, undefined]);
});

describe("problems", () => {
  it("are all reported at once: those of an empty config name every required key", () => {
    const needed = [...Object.keys(without(complete, "datasources")), "prometheusUrl", "lokiUrl", "tempoUrl"];
    const found = problemsOf({});
    expect(found.map(({ key }) => key).sort()).toEqual(needed.sort());
    for (const { reason } of found) expect(reason).toMatch(/^is not set/);
  });

  it("are two for an invalid value that is stored wrongly, without the value", () => {
    for (const [key, value] of Object.entries({ serviceApiKey: " canary", serviceUrl: "https://canary.test/api/connections" })) {
      const found = problemsOf({ ...complete, [key]: value }, [key]);
      expect(found).toMatchObject([{ key }, { key }]);
      expect(JSON.stringify(found)).not.toContain("canary");
    }
  });

  it("are one for a secret in plain text, or another setting as a secret", () => {
    const all = { ...complete, prices: usual("prices"), alertBudgets: usual("alertBudgets") };
    for (const name of Object.keys(all)) {
      const found = problemsOf(all, [name]);
      const secret = secretKeys.includes(name);
      const reason = expect.stringContaining(secret ? "is a secret, but is stored in plain text" : "is stored as a secret");
      const command = expect.stringMatching(` set ${secret ? `--secret ${name}` : `${name} VALUE`} --stack dev$`);
      expect(found).toEqual([{ key: name, reason, command }]);
    }
  });

  it.each([
    ["service", "my-service", "letters, digits and underscores"],
    ["service", "a".repeat(26), "at most 25 characters"],
    ["serviceUrl", "llmobs.example.com", "http:// or https://"],
    ["serviceUrl", "https://user:canary@llmobs.example.com", "must not contain a user name or password"],
    ["serviceUrl", "http://127.0.0.1:65536", "must have a port from 1 to 65535"],
    ["serviceUrl", "http://127.0.0.1:0", "must have a port from 1 to 65535"],
    ["prices", '{"m":{"input":10001}}', "(m: input) must have input"],
    ["prices", '{"m":{"input":true}}', "0 or from 0.001 to 10,000"],
    ["prices", '{"m":{"input":"5x"}}', "0 or from 0.001 to 10,000"],
    ["prices", '{"m":{"input":"x5"}}', "0 or from 0.001 to 10,000"],
    ["alertBudgets", '{"shop":1000000001}', "by application (shop): above 0, at most 1,000,000,000"],
    ["grafanaUrl", "https://grafana.example.com/#canary", "must not have a fragment"],
    ["metricsUrl", "https://metrics.example.com:x/write", "must have a valid host and port"],
    ["serviceUrl", "http://h.example/%2g", "two hexadecimal digits after each %"],
    ["grafanaUrl", "http://a..b/", "must have a valid host and port"],
    ["alertBudgets", '{"shop":1,"__proto__":2}', "cannot contain the name __proto__"],
    ["prices", '{"__proto__":{"input":1}}', "cannot contain the name __proto__"],
    ["metricsUsername", " ", "must not be empty"],
    ["gateways", " , ,", "must have a name"],
    ["logsUrl", "http://:3100/push", "must have a host after http://"],
    ["serviceUrl", "https://llmobs.example.com/api/connections", "is appended"],
    ["serviceUrl", "https://llmobs.example.com/?a=b", "have no query"],
    ["serviceUrl", "https://llmobs.example.com/$(id)", "only letters"],
    ["serviceApiKey", "canary\n", "starts or ends with white space"],
    ["platformApiKey", "", "must not be empty"],
    ["platformName", "Grafana Cloud", "one lowercase word"],
    ["metricsUrl", "https://metrics.example.com/a b", "white space"],
    ["otlpEndpoint", "https://otlp.example.com/otlp/v1/traces", "exporters append"],
    // A shell would expand it in the .env text.
    ["otlpEndpoint", "https://otlp.example.com/a:~/b", ":~"],
    ["grafanaUrl", "https://grafana.example.com/api", "without /api"],
    ["grafanaCaCert", "/etc/ssl/ca.pem", "PEM format"],
    ["grafanaCaCert", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "must be certificates"],
    ["folderUid", "u".repeat(41), "1 to 40 letters"],
    ["folderTitle", "t".repeat(190), "at most 189 characters"],
    ["folderAccess", "all", "view, editors, editors-view or admins"],
    ["alertBudget", "0", "must be a number above 0"],
    ["alertBudget", "1000000001", "at most 1,000,000,000"],
    ["alertLatency", "1.2345", "at most 3 decimals"],
    ["alertErrorRate", "7", "at most 6"],
  ])("%s = %j is refused", (key, value, reason) => {
    const found = problemsOf({ ...complete, [key]: value });
    expect(found.map((problem) => problem.key)).toEqual([key]);
    expect(found[0]?.reason).toContain(reason);
    expect(JSON.stringify(found)).not.toContain("canary");
  });

  const [server, ca] = [selfSigned(), createAuthority().cert];
  const base64 = server.key.split("\n")[1] ?? "";

  it.each([
    ["alone", ca],
    ["with Windows' line ends", ca.replaceAll("\n", "\r\n")],
    ["with a comment", `# Größte\n${ca}`],
    ["as `openssl x509 -text` prints it", `Certificate:\n    Data:\n        Version: 3 (0x2)\n${ca}`],
    ["as `openssl pkcs12 -nokeys` prints it", `Bag Attributes\n    localKeyID: 44 B6\nsubject=CN=corp\n\nissuer=CN=corp\n${ca}`],
  ])("a CA certificate %s is read without the text around it", (_how, text) => {
    expect(settingsOf({ ...complete, grafanaCaCert: text }).grafana.caCert).toBe(ca.trim());
    expect(settingsOf({ ...complete, grafanaCaCert: `${server.cert}${text}` }).grafana.caCert).toBe(`${server.cert}${ca}`.trim());
  });

  it.each([
    ["the file of a server", `${server.cert}${server.key}${ca}`, "contains a private key"],
    ["a key of another kind, without its end", `${ca}-----BEGIN EC PRIVATE KEY-----\n${base64}`, "contains a private key"],
    ["a second block, no certificate", `${ca}-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`, "must be certificates"],
    ["a block of another kind", `${ca}-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----`, "must be certificates"],
  ])("%s is refused as a CA certificate", (_what, text, reason) => {
    const found = problemsOf({ ...complete, serviceCaCert: text });
    expect(found).toMatchObject([{ key: "serviceCaCert", reason: expect.stringContaining(reason) }]);
    expect(JSON.stringify(found)).not.toContain(base64);
  });

  const invisible = ["\u00a0", "\u00ad", "\u200b", "\u202e", "\u3164", "\ufeff"];
  const named = ["Url", "Endpoint", "Uid", "Username", "Id", "Region", "Token", "ApiKey", "Auth", "Tenant", "service"];

  const ofNames = keys.filter(({ name }) => named.some((end) => name.endsWith(end)));

  it.each(ofNames)("$name must not contain an invisible character", ({ name: key }) => {
    const valid = usual(key);
    for (const [place, sign] of invisible.entries()) {
      const at = [0, valid.length - 1, valid.length][place % 3];
      const value = `${valid.slice(0, at)}${sign}${valid.slice(at)}`;
      const found = problemsOf({ ...complete, [key]: value }).filter(({ reason }) => /invisible character|printable ASCII/.test(reason));
      expect(found, JSON.stringify(value)).toMatchObject([{ key }]);
    }
  });

  const others = /^(registrationTrigger|prices|alertBudgets)$|CaCert$/;
  const texts = keys.filter(({ name, choices }) => !choices && !others.test(name));

  it.each(texts.map(({ name }) => name))("%s must be text, not a list, an object or a boolean", (key) => {
    for (const value of ['["x"]', '{"a":"x"}', "true", "false"]) {
      const reason = "must be text, not a list, an object or a boolean.";
      expect(problemsOf({ ...complete, [key]: value }).filter((problem) => problem.reason === reason)).toMatchObject([{ key }]);
    }
  });

  const created = { ...without(complete, "otlpToken"), cloudAccessPolicyToken: "a-token", cloudRegion: "eu" };

  it.each<[string, Record<string, string>]>([
    [
      "secrets with letters beyond ASCII, colons and quotes",
      { ...managed, grafanaAuth: "admin:pässwört \"'\\%&", otlpToken: "tökén+/=%&\"'\\", prometheusAuth: "1:pässwört:with:colons" },
    ],
    ["a token of the push that the stack creates", created],
    ["series recorded by another server", { ...managed, recordingRules: "external", genaiReads: "rules" }],
    ["a title with no-break spaces and composed emoji", { ...complete, folderTitle: "Observabilité\u00a0: 👩\u200d💻" }],
    ["limits of alerts that are off", { ...complete, alertBudget: "100", alertContactPoint: "on-call" }],
    ["alerts of its service's dashboard", { ...complete, managedResources: "service-dashboard", alerts: "on", alertLatency: "9.999" }],
    ["the managed datasources of another stack", { ...without(complete, "datasources"), managedResources: "service-dashboard" }],
    ["the folder of another stack, at the top level", { ...complete, managedResources: "service-dashboard", folderUid: "general" }],
    // The checks read the names whoever manages the dashboard.
    ["another stack's names", { ...complete, managedResources: "service-dashboard", metricNaming: "no-suffixes", contents: "hide" }],
  ])("a config with %s is valid", (_what, values) => {
    expect(problemsOf(values)).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["no token of the push", without(complete, "otlpToken"), "set --secret otlpToken --stack dev"],
    ["two tokens of the push", { ...created, otlpToken: "a-token" }, "rm --stack dev -- otlpToken"],
    ["no region for the token", without(created, "cloudRegion"), "set cloudRegion eu --stack dev"],
    ["a managed datasource without an address", without(managed, "lokiUrl"), "set lokiUrl https://loki.example.com --stack dev"],
    ["a user name without password", { ...managed, lokiAuth: "1:" }, "set --secret lokiAuth --stack dev"],
    ["a password without user name", { ...managed, lokiAuth: ":a" }, "set --secret lokiAuth --stack dev"],
    ["a login of Grafana without password", { ...complete, grafanaAuth: "admin:" }, "set --secret grafanaAuth --stack dev"],
    ["a token that no header can contain", { ...managed, lokiAuth: "tökén" }, "set --secret lokiAuth --stack dev"],
    ["two dashboards of SDKs with one uid", { ...complete, otelDashboardUid: "genai-observability" }, "rm --stack dev -- otelDashboardUid"],
    ["a dashboard with the folder's uid", { ...complete, genaiDashboardUid: "llm-observability" }, "rm --stack dev -- genaiDashboardUid"],
    ["a folder with the service's dashboard's uid", { ...complete, folderUid: "llmobs-llm-monitoring" }, "rm --stack dev -- folderUid"],
    ["a folder that is its own parent", { ...complete, folderParentUid: "llm-observability" }, "rm --stack dev -- folderParentUid"],
    ["the default uid of another datasource", { ...complete, prometheusUid: "grafanacloud-logs" }, "rm --stack dev -- prometheusUid"],
    ["a reserved uid of the folder", { ...complete, folderUid: "sharedwithme" }, "rm --stack dev -- folderUid"],
    ["a price below 0", { ...complete, prices: '{"m":{"input":-1}}' }, `set --path 'prices["my-model"].input' 0.5 --stack dev`],
    ["a budget that is none", { ...complete, alertBudgets: '{"shop":"x"}' }, `set --path 'alertBudgets["checkout"]' 50 --stack dev`],
    ["a path in place of a certificate", { ...complete, grafanaCaCert: "/etc/ssl/ca.pem" }, "set grafanaCaCert < ca.pem --stack dev"],
  ])("are reported for %s", (_what, values, command) => {
    const [, key = ""] = /(?:--|set(?: --secret| --path)?) '?(\w+)/.exec(command) ?? [];
    expect(problemsOf(values)).toEqual([{ key, reason: expect.any(String), command: `npx pulumi config ${command}` }]);
  });

  it("with the same uid name both settings", () => {
    const same = { lokiUid: "one", tempoUid: "one", genaiDashboardUid: "llmobs-llm-monitoring" };
    expect(problemsOf({ ...complete, ...same }).map(({ reason }) => reason)).toEqual([
      "has the same uid as tempoUid. In Grafana, the uid of a datasource is unique.",
      "has the same uid as lokiUid. In Grafana, the uid of a datasource is unique.",
      "has the same uid as the dashboard of service (<service>-llm-monitoring). In Grafana, the uid of a dashboard or folder is unique.",
    ]);
  });

  const older =
    "Remove it only if it is a typing error: if a colleague has set it, update this checkout, which is older than the stack's file.";
  const documents = "All settings: src/settings/README.md. What replaces former ones: .github/CHANGELOG.md.";
  it.each([
    ["logPush", documents],
    ["prometheusUID", "Did you mean prometheusUid?"],
    // The nearest one, logsUsername, is set.
    ["lokiUsername", documents],
  ])("an unknown key, %s: %s", (key, hint) => {
    const reason = `is not a setting of this checkout. ${hint} ${older}`;
    expect(problemsOf({ ...complete, [key]: "x" })).toEqual([{ key, reason, command: `npx pulumi config rm --stack dev -- ${key}` }]);
  });

  it("are counted in the message, which quotes keys that are no words", () => {
    const found = ["serviceUrl", "a b", "k".repeat(81)].map((key) => ({ key, reason: "is wrong.", command: "npx pulumi" }));
    const one = "The config of stack dev has 1 problem:\n\n  serviceUrl is wrong.\n      npx pulumi\n";
    expect(formatProblems(found.slice(0, 1), "dev")).toBe(one);
    const [head, first, ...others] = formatProblems(found, "dev").split("\n\n");
    expect([head, first]).toEqual(["The config of stack dev has 3 problems:", "  serviceUrl is wrong.\n      npx pulumi"]);
    expect(others.join("\n")).toMatch(/^ {2}"a b" is wrong\.\n.*\n {2}"k{79}…" is wrong\.\n/);
  });

  it("of an invalid choice hide only those of the rules that depend on it", () => {
    const keysOf = (values: Record<string, string>) => problemsOf(values).map(({ key }) => key);
    expect(keysOf({ ...complete, managedResources: "everything", region: "eu" })).toEqual(["managedResources", "region"]);
    expect(keysOf({ ...managed, datasources: "Managed" })).toEqual(["datasources"]);
    expect(keysOf({ ...managed, prometheusUid: "a/b", lokiUid: "llm-observability-prometheus" })).toEqual(["prometheusUid"]);
  });
});

it("a file with the settings of a former name of the project is one problem, with the command that keeps the secrets", () => {
  const file = { "llm-obs:grafanaUrl": "https://grafana.example.com", "llm-obs:service": "a:b", "other:service": "c" };
  expect(configOf(file, "llm-obs", "dev")).toEqual({ grafanaUrl: "https://grafana.example.com", service: "a:b" });
  expect(() => configOf(file, "llm", "acme/llm/dev")).toThrow(
    "If the project has a new name, rename the prefix of the keys. Secrets stay as they are:\n  sed -i.bak 's/^  llm-obs:/  llm:/' Pulumi.dev.yaml",
  );
  expect(configOf({ "other:service": "c" }, "llm", "dev")).toEqual({});
});

describe("the documentation", () => {
  it("has a description of every key, and a valid example of every plain one", () => {
    for (const { name, description, example, secret } of keys) {
      expect(description.length, name).toBeGreaterThan(10);
      // An example may be a redirection of the shell; a key may have no effect in this config.
      const found = problemsOf({ ...complete, [name]: example ?? "" }).filter(({ command }) => command.includes(` set ${name} `));
      if (!secret && !example?.startsWith("< ")) expect(found, name).toEqual([]);
    }
  });

  // A project created by `pulumi new` has no template.
  const { template } = parse(readFileSync(join(__dirname, "../../Pulumi.yaml"), "utf8"));
  it.runIf(template)("`pulumi new` prompts for a valid config, with secrets as secrets and the defaults of the program", () => {
    const asked = Object.entries<{ secret?: boolean; default?: string }>(template.config);
    for (const [name, { secret, default: offered }] of asked) {
      expect(secret === true, name).toBe(secretKeys.includes(name));
      const { defaultValue } = keys.find((key) => key.name === name) ?? {};
      expect(offered ?? defaultValue, name).toBe(defaultValue);
    }
    const answered = asked.map(([name]) => [name, complete[name] ?? usual(name)]);
    expect(problemsOf(Object.fromEntries(answered))).toEqual([]);
  });
});

const urls = { prometheusUrl: "http://prometheus:9090", lokiUrl: "http://loki:3100", tempoUrl: "http://tempo:3200" };
const unencrypted: Record<string, string> = { ...complete, datasources: "managed", ...urls };

function warned(change: Record<string, string>, all: Readonly<Record<string, string>> = unencrypted): string[] {
  const result = read({ ...all, ...change });
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.warnings;
}

it("does not warn about TLS, or about datasources without credentials", () => {
  expect(warned({})).toEqual([]);
});

it.each<[address: string, keys: string[], others?: Record<string, string>]>([
  ["grafanaUrl", ["grafanaAuth"]],
  ["prometheusUrl", ["prometheusAuth"], { prometheusAuth: "1:canary-5" }],
  ["serviceUrl", ["serviceApiKey", "platformApiKey"]],
  ["metricsUrl", ["platformApiKey"]],
  ["logsUrl", ["platformApiKey"]],
  ["otlpEndpoint", ["otlpToken"]],
])("warns about %s over plain HTTP and lists its keys", (address, keys, settings = {}) => {
  const [warning = "", ...others] = warned({ [address]: "http://10.0.0.1:4000", ...settings });
  expect(others).toEqual([]);
  expect(warning).toMatch(new RegExp(`\\n  ${address} +${keys.join(", ")}$`));
  expect(warning).not.toContain(mark);
});

it("lists the created token of the push, but not cloudAccessPolicyToken, which only Grafana Cloud receives", () => {
  const { otlpToken: _given, ...others } = unencrypted;
  const made = { ...others, cloudAccessPolicyToken: "canary-6", cloudRegion: "eu" };
  expect(warned({}, made)).toEqual([]);
  const [warning] = warned({ otlpEndpoint: "http://10.0.0.1:4318" }, made);
  expect(warning).toMatch(/\n {2}otlpEndpoint +the token created with cloudAccessPolicyToken$/);
});

it("does not warn about this machine", () => {
  const warns = (host: string) => warned({ serviceUrl: `http://${host}:4000/prefix` }).length > 0;
  expect(["localhost", "service.localhost", "127.1.2.3", "[::1]"].filter(warns)).toEqual([]);
  const others = ["localhost.example.com", "127.0.0.1.example.com", "alocalhost", "[::2]"];
  expect(others.filter(warns)).toEqual(others);
});

/** Those of the files for `external`, too. Panels have the first two, and budgets of applications. */
const limits = {
  alertErrorRate: "3",
  alertLatency: "9",
  alertBudget: "5",
  alertBudgets: '{"x":1}',
  alertRunbooks: "https://runbooks.test",
};
it.each<[change: Record<string, string>, lines: string[]]>([
  [{ ...limits, recordingRules: "external", alertContactPoint: "on-call" }, ["alertContactPoint requires alerts on"]],
  [limits, ["alertBudget", "alertRunbooks"].map((key) => `${key} requires alerts on`)],
  [
    { telemetry: "otel", sdkName: "x", genaiDashboardUid: "g", genaiReads: "rules" },
    ["genaiDashboardUid", "genaiReads", "sdkName"].map((key) => `${key} requires telemetry spec or both`),
  ],
  [
    { telemetry: "spec", otelDashboardUid: "o", recordingRules: "external" },
    ["otelDashboardUid requires telemetry otel or both", "recordingRules requires telemetry otel or both"],
  ],
  [{ telemetry: "spec", recordingRules: "external", genaiReads: "rules" }, []],
  [{ telemetry: "spec", alertBudget: "5", alertRunbooks: "https://runbooks.test" }, []],
  [{ countedBy: "gateways", cloudRegion: "eu" }, ["cloudRegion requires cloudAccessPolicyToken", "countedBy requires gateways"]],
  [
    { datasources: "existing", datasourceTenant: "tenant" },
    ["datasourceTenant", "lokiUrl", "prometheusUrl", "tempoUrl"].map((key) => `${key} requires datasources managed or kept`),
  ],
  [
    { managedResources: "service-dashboard", genaiReads: "rules" },
    ["genaiReads", "lokiUrl", "prometheusUrl", "tempoUrl"].map((key) => `${key} requires managedResources all`),
  ],
  [
    { managedResources: "none", alerts: "on" },
    [
      "alerts requires managedResources all or service-dashboard",
      ...["lokiUrl", "prometheusUrl", "tempoUrl"].map((key) => `${key} requires managedResources all`),
    ],
  ],
  [{ ...limits, alerts: "on", recordingRules: "external", prices: '{"x":{"input":1}}', telemetry: "both", sdkName: "x" }, []],
])("names the settings without effect, and no others: %j", (change, lines) => {
  const warning = warned(change).find((each) => each.includes("have no effect")) ?? "";
  const [first = "", ...found] = warning.split("\n");
  if (lines.length > 0) expect(first).toContain("npx pulumi config rm KEY --stack dev");
  expect(found.map((line) => line.trim().replace(/ +/g, " ")).sort()).toEqual(lines.sort());
});
