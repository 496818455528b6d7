/**
 * Only its recipient receives a secret: it is not in the output of the commands that users run, in the state, or on the command line of a process.
 * The servers of a datasource and of the push return their credentials in every encoding; `test/unit` has the other servers.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { answer, type RawRequest, type RawServer, spellings, startRawServer } from "../support/raw-server";
import type { Received } from "../support/sandbox";
import { sandbox, setUp, stack } from "../support/set-up";
import { secretKeys, started } from "../support/stack";
import { canaries, findSecrets } from "./canaries";
import { canSeeProcesses, withCommandLines } from "./processes";

const given = canaries("given");
const rotated = canaries("rotated");

/** All secrets by unique names. */
const secrets: Record<string, string> = Object.fromEntries(
  Object.entries({ given, rotated }).flatMap(([of, all]) => Object.entries(all).map(([name, value]) => [`${of} ${name}`, value])),
);

let echoing: RawServer;
const commandLines: string[] = [];

/** Returns the password of basic authentication in every encoding, the shortest first: some are longer than the shown part of a response. */
function returnPassword({ headers }: RawRequest): string {
  const authorization = headers.find(([name]) => name.toLowerCase() === "authorization")?.[1] ?? "";
  const password = Buffer.from(authorization.replace(/^Basic /, ""), "base64")
    .toString()
    .replace(/^[^:]*:/, "");
  const all = Object.values(spellings(password)).sort((left, right) => left.length - right.length);
  return answer(401, JSON.stringify({ status: "error", errorType: "unauthorized", error: all.join(" ") }));
}

beforeAll(async () => {
  echoing = await startRawServer([returnPassword]);
  return () => echoing.close();
});

const { cloudAccessPolicyToken: _, ...tokens } = given;
const config = () => {
  const addresses = { prometheusUrl: `${echoing.url}/prometheus`, otlpEndpoint: `${echoing.url}/otlp` };
  return { ...sandbox.config(), ...tokens, ...addresses, checks: "warn" };
};
setUp(config, "test", given);

/** Runs a command on the stack. Its output contains no secret. */
async function command(line: string, exitCode = 0): Promise<string> {
  const [program = "", ...args] = line.split(" ");
  const run = () => started(spawn(program, args, { ...stack.place(), stdio: ["ignore", "pipe", "pipe"] })).ended;
  const { result, commandLines: seen } = canSeeProcesses ? await withCommandLines(run) : { result: await run(), commandLines: [] };
  commandLines.push(...seen);
  expect(result.code, result.output).toBe(exitCode);
  expect(findSecrets(result.output, secrets), line).toEqual([]);
  return result.output;
}

const onStack = "--stack test --non-interactive";

it("the search finds every secret setting in every encoding, in part, within a login, and on a command line", async () => {
  expect(Object.keys(given).sort()).toEqual([...secretKeys].sort());
  for (const [name, value] of Object.entries(secrets)) {
    const logins = ["u:", "us:", "use:"].map((user) => Buffer.from(`${user}${value}`).toString("base64"));
    for (const planted of [...Object.values(spellings(value)), value.slice(-12), value.slice(0, 20), ...logins, JSON.stringify(logins)]) {
      expect(findSecrets(`before ${planted} after`, secrets), planted).toEqual([name]);
    }
  }
  expect(findSecrets(Object.keys(secrets).join("\n"), secrets)).toEqual([]);
  if (!canSeeProcesses) return;
  const run = () => started(spawn("sh", ["-c", "sleep 0.2; :", ...Object.values(secrets)])).ended;
  expect(findSecrets((await withCommandLines(run)).commandLines.join("\n"), secrets)).toEqual(Object.keys(secrets));
});

it("up and doctor show none, although servers return them", async () => {
  expect(await command(`pulumi up --yes --skip-preview --diff ${onStack}`)).toContain("the setting checks is warn");
  expect(await command("npm run --silent doctor -- --stack test", 1)).toContain("(401)");
});

it("preview, drift report and up show none after a rotation", async () => {
  const { otlpToken: _push, grafanaAuth: _grafana, cloudAccessPolicyToken: _cloud, ...changed } = rotated;
  await stack.set(changed);
  expect(await command(`pulumi preview --diff ${onStack}`)).toContain("secureJsonDataEncoded");
  expect(await command("npm run --silent preview-report -- --stack test --drift")).toContain("No drift in stack `test`");
  await command(`pulumi up --yes --skip-preview --diff ${onStack}`);
});

// The stand-in for the plugin receives the token and refuses it: it knows no Grafana Cloud. Under the SDK's mocks, test/unit/program.test.ts creates one.
it("a preview with cloudAccessPolicyToken shows none", async () => {
  stack.unset("otlpToken");
  await stack.set({ cloudAccessPolicyToken: given.cloudAccessPolicyToken, cloudRegion: "eu" });
  expect(await command(`pulumi preview --diff ${onStack}`, 1)).toContain('Invalid or unknown key "cloudAccessPolicyToken"');
  stack.unset("cloudAccessPolicyToken", "cloudRegion");
  await stack.set({ otlpToken: given.otlpToken });
});

it("destroy and adopt show none", async () => {
  await command(`pulumi destroy --yes --skip-preview ${onStack}`);
  await sandbox.ask("/api/folders", "POST", { uid: "llm-observability", title: "Pasted by hand" });
  expect(await command("npm run --silent adopt -- --stack test")).toContain("platform-folder  llm-observability");
  await command(`pulumi import --file adopt.test.json --generate-code=false --yes ${onStack}`);
  expect(findSecrets(readFileSync(join(stack.folder, "adopt.test.json"), "utf8"), secrets)).toEqual([]);
});

it("the backend with its history, the config and the command lines contain none", () => {
  const stored = stack.stored() + readFileSync(join(stack.folder, "Pulumi.test.yaml"), "utf8");
  expect(stored).toContain("https://metrics.example.com/write");
  expect(findSecrets(stored, secrets)).toEqual([]);
  if (canSeeProcesses) {
    expect(commandLines.join("\n")).toContain("pulumi-language-nodejs");
    // Each program, also one of `npx pulumi`, has the options of Pulumi.yaml.
    expect(commandLines.filter((line) => /^\S*node (?!.*-r tsx\/cjs ).*\/cmd\/run\//.test(line))).toEqual([]);
  }
  expect(findSecrets(commandLines.join("\n"), secrets)).toEqual([]);
});

it("each secret was sent to its recipient, in the requests that require it, and to no other", () => {
  const recipients = [
    ...sandbox.received.map(atSandbox),
    ...echoing.requests.map(({ path, head, body }) => ({ may: atBackend(path), text: head + body })),
    ...sandbox.service.requests.flatMap(({ method, path, head, body }) => [
      { may: path === "/api/connections" ? /^serviceApiKey$/ : nothing, text: head },
      { may: `${method} ${path}` === "POST /api/connections" ? /^platformApiKey$/ : nothing, text: body },
    ]),
  ];
  const found = recipients.flatMap(({ may, text }) => findSecrets(text, secrets).map((secret) => ({ secret, may, text })));
  expect(found.filter(({ secret, may }) => !may.test(secret.replace(/^\w+ /, "")))).toEqual([]);
  const unused = ["given cloudAccessPolicyToken", "rotated cloudAccessPolicyToken", "rotated grafanaAuth", "rotated otlpToken"];
  expect([...new Set(found.map(({ secret }) => secret))].sort()).toEqual(
    Object.keys(secrets)
      .filter((name) => !unused.includes(name))
      .sort(),
  );
});

const nothing = /^$/;
const atBackend = (path: string) => (path.startsWith("/otlp/") ? /^otlpToken$/ : new RegExp(`^${path.split("/")[1]}Auth$`));

/** A request to a stand-in, and the settings that it may contain. Only those that write a datasource contain its credentials. */
function atSandbox({ server, path, text }: Received) {
  const writesDatasource = /^(POST|PUT) \S*\/api\/datasources/.test(text);
  const may = { grafana: writesDatasource ? /^(grafana|prometheus|loki|tempo)Auth$/ : /^grafanaAuth$/, backends: atBackend(path) };
  return { may: may[server], text: Buffer.from(text, "latin1").toString("utf8") };
}
