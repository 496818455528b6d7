/**
 * Only its recipient receives a secret: it is not in the output of the engine and of our scripts, in their files, or on the command line of a
 * process. Each search is verified with secrets that the test plants in the same place. `service.test.ts` has a service that returns its keys.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyDocs } from "../../src/settings";
import { type Action, answer, type RawRequest, type RawServer, spellings, startRawServer } from "../support/raw-server";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { all, type Canaries, given, made, otherKey, rotated } from "./secrets/canaries";
import { Commands } from "./secrets/commands";
import { Evidence } from "./secrets/evidence";
import { expectAtTheirRecipients } from "./secrets/recipients";
import { findSecrets } from "./secrets/search";

const evidence = new Evidence(all);
const ends: (() => unknown)[] = [];
let sandbox: Sandbox;
let stack: TestStack;
let commands: Commands;

/** A stack, and a sandbox that accepts its secrets. */
async function create(secrets: Canaries, config: (sandbox: Sandbox) => Record<string, string>): Promise<void> {
  sandbox = await Sandbox.start(secrets.accepted);
  ends.push(() => sandbox.stop());
  stack = await TestStack.create({ ...config(sandbox), ...secrets.datasources });
  ends.push(() => stack.remove());
  commands = new Commands(evidence, stack.folder, stack.environment);
}

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

it("every secret setting has a value to search for", () => {
  const settings = keyDocs().flatMap(({ name, secret }) => (secret ? [name] : []));
  const values = [given, made].flatMap(({ accepted, datasources }) => Object.keys({ ...accepted, ...datasources }));
  expect([...new Set(values)].sort()).toEqual(settings.sort());
});

describe("a stack with all tokens in its config", () => {
  const { cloudAccessPolicyToken: _, ...accepted } = given.accepted;
  const configured = { ...accepted, ...given.datasources };

  beforeAll(() => create(given, (its) => ({ ...its.config(), lokiUsername: "234567" })));

  it("is previewed, deployed and checked", async () => {
    await commands.pulumi("preview", "--json");
    expect(await commands.pulumi("up", "--yes")).toContain("0 failed");
    expect(await commands.npm("doctor", "--", "--stack", "test")).toContain("0 failed");
  });

  it("is deployed with other secrets, one of which the server refuses", async () => {
    await stack.set({ ...rotated, checks: "warn" });
    await commands.npm("preview-report", "--", "--stack", "test", "--out", "report.md");
    evidence.none("the file of preview-report", readFileSync(join(stack.folder, "report.md"), "utf8"));
    await commands.pulumi("preview", "--diff");
    expect(await commands.pulumi("up", "--yes", "--skip-preview", "--diff")).toContain("refuses the credentials (401)");
  });

  it("is refreshed, deployed and shown as JSON", async () => {
    await stack.set(configured);
    await commands.pulumi("refresh", "--preview-only", "--run-program", "--json");
    await commands.pulumi("up", "--yes", "--skip-preview", "--json");
    await commands.pulumi("refresh", "--yes");
    for (const show of ["output", "export", "history --json"]) await commands.pulumi("stack", ...show.split(" "));
    await commands.pulumi("config", "--json");
  });

  it("writes no secret in plain text", async () => {
    evidence.noneInFiles("the backend's files", join(stack.folder, "backend"));
    evidence.none("Pulumi.test.yaml", readFileSync(join(stack.folder, "Pulumi.test.yaml"), "utf8"));
    const checks = (await stack.resources()).find(({ type }) => type === "command:local:Command");
    evidence.none("the commands of the checks", JSON.stringify([checks?.inputs.create, checks?.inputs.update]));
    evidence.none("dashboards at Grafana", JSON.stringify(sandbox.grafana().dashboards));
    evidence.noneInFiles("rendered dashboards", join(__dirname, "../../dashboards"));
  });

  it("is destroyed and adopted", async () => {
    await commands.pulumi("destroy", "--yes");
    await sandbox.ask("/api/folders", "POST", { uid: "llm-observability", title: "Pasted by hand" });
    expect(await commands.npm("adopt", "--", "--stack", "test", "--yes")).toContain("Set: imports = folder");
  });

  it("sent each key only to its recipient", () => {
    expectAtTheirRecipients(sandbox.received, sandbox.service.requests, configured);
  });

  describe("with servers that return their credentials in any encoding", () => {
    let echoing: RawServer;
    let play: (request: RawRequest) => Action;

    beforeAll(async () => {
      echoing = await startRawServer([(request) => play(request)]);
      ends.push(() => echoing.close());
      stack.unset("imports");
    });

    /** Every encoding, the shortest first: some are longer than the shown part of a response. */
    const everySpelling = (secret: string) =>
      Object.values(spellings(secret))
        .sort((left, right) => left.length - right.length)
        .join(" ");

    const authorization = ({ headers }: RawRequest) => headers.find(([name]) => name.toLowerCase() === "authorization")?.[1] ?? "";

    it("fails without showing Grafana's token", async () => {
      play = (request) => answer(500, JSON.stringify({ message: `no: ${everySpelling(authorization(request).replace(/^Bearer /, ""))}` }));
      await stack.set({ grafanaUrl: echoing.url });
      expect(await commands.failing("preview")).toContain("returned 500: [redacted]");
      expect(await commands.failingNpm("adopt", "--", "--stack", "test")).toContain("returned 500: [redacted]");
    });

    it("shows neither the password of a datasource nor that of the OTLP endpoint", async () => {
      const received: string[] = [];
      play = (request) => {
        const credentials = Buffer.from(authorization(request).replace(/^Basic /, ""), "base64").toString();
        const [, password = ""] = /^[^:]*:(.*)$/s.exec(credentials) ?? [];
        received.push(password);
        return answer(401, JSON.stringify({ status: "error", errorType: "unauthorized", error: everySpelling(password) }));
      };
      const { grafanaUrl } = sandbox;
      const [prometheusUrl, otlpEndpoint] = [`${echoing.url}/prometheus`, `${echoing.url}/otlp`];
      await stack.set({ grafanaUrl, prometheusUrl, otlpEndpoint, folderUid: "another" });
      expect(await commands.pulumi("up", "--yes", "--skip-preview")).toContain("the setting checks is warn");
      const found = findSecrets(received.join("\n"), configured).map(({ secret }) => secret);
      expect([...new Set(found)].sort()).toEqual(["otlpToken", "prometheusPassword"]);
      evidence.noneInFiles("the backend's files, with the checks' words", join(stack.folder, "backend"));
      await commands.noneOnCommandLines("a life of a stack");
    });
  });
});

describe("a stack that creates its push token, and whose connection another stack replaces", () => {
  let service: RawServer;
  let held: Record<string, unknown> | undefined;

  beforeAll(async () => {
    service = await startRawServer([
      ({ method, body }) => {
        if (method === "POST") held = JSON.parse(body);
        return held ? answer(200, JSON.stringify({ status: 200, connections: held })) : answer(404, '{"status":404}');
      },
    ]);
    ends.push(() => service.close());
    await create(made, (its) => {
      const { otlpToken: _token, prometheusUsername: _user, ...config } = its.config();
      const { cloudAccessPolicyToken } = made.accepted;
      const cloud = { cloudAccessPolicyToken, cloudRegion: "eu" };
      return { ...config, ...cloud, tempoUsername: "345678", serviceUrl: service.url, verifyConnection: "on", checks: "warn" };
    });
    stack.environment.GRAFANA_CLOUD_API_URL = sandbox.cloudUrl;
  });

  it("is deployed with a token that no output shows", async () => {
    await commands.pulumi("up", "--yes");
    const { otlp } = (await stack.outputs()) as { otlp: Record<string, string> };
    const [, credentials = ""] = /Basic%20(.+)$/.exec(otlp.OTEL_EXPORTER_OTLP_HEADERS ?? "") ?? [];
    evidence.add("the created token", Buffer.from(credentials, "base64").toString().split(":")[1] ?? "");
    await commands.pulumi("stack", "output");
  });

  it("reads the connection of another stack without storing its key", async () => {
    held = { ...held, ApiKey: otherKey };
    await commands.pulumi("refresh", "--yes", "--diff");
    expect(await commands.failingNpm("doctor", "--", "--stack", "test")).toContain("the service has another connection");
    expect(await commands.failing("up", "--yes", "--diff")).toContain(
      "To replace it with this stack's: npx pulumi config set registrationTrigger 2",
    );
    evidence.noneInFiles("the backend's files, with a made token", join(stack.folder, "backend"));
    await commands.noneOnCommandLines("a made token, another connection");
  });

  it("sent each key only to its recipient", async () => {
    await commands.pulumi("destroy", "--yes");
    const { otlpToken: _token, ...accepted } = made.accepted;
    expectAtTheirRecipients(sandbox.received, service.requests, { ...accepted, ...made.datasources });
  });
});
