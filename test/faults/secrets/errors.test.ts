/** Error messages contain no secret, even if the server returns it in any encoding. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secretsVariable, targetsVariable } from "../../../src/checks/input";
import { type Action, answer, type RawRequest, type RawServer, startRawServer } from "../../support/raw-server";
import { Sandbox } from "../../support/sandbox";
import { TestStack } from "../../support/stack";
import { all, given } from "./canaries";
import { Commands } from "./commands";
import { Evidence } from "./evidence";
import { findSecrets, spellings } from "./search";

const evidence = new Evidence(all);
let sandbox: Sandbox;
let stack: TestStack;
let commands: Commands;
/** The response of the current test. */
let echoing: RawServer;
let elsewhere: RawServer;
let play: (request: RawRequest) => Action;

beforeAll(async () => {
  sandbox = await Sandbox.start(given.accepted);
  echoing = await startRawServer([(request) => play(request)]);
  elsewhere = await startRawServer([answer(200)]);
  stack = await TestStack.create({ ...sandbox.config(), serviceUrl: echoing.url, lokiUsername: "234567", ...given.datasources });
  commands = new Commands(evidence, stack.folder, stack.environment);
});

afterAll(async () => {
  await commands?.noneOnCommandLines("failures");
  console.table(evidence.table);
  for (const server of [echoing, elsewhere]) await server?.close();
  await sandbox?.stop();
  stack?.remove();
});

/** Every encoding, the shortest first: some are longer than the shown part of a response. */
const everySpelling = (secret: string) =>
  Object.values(spellings(secret))
    .sort((left, right) => left.length - right.length)
    .join(" ");

const headerOf = ({ headers }: RawRequest, wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
const serviceKey = (request: RawRequest) => headerOf(request, "authorization");
const platformKey = ({ body }: RawRequest): string => JSON.parse(body).ApiKey;

describe("a service that returns its keys", () => {
  it.each<[what: string, says: RegExp, play: typeof play]>([
    ["its own key, as text", /returned 401: /, (request) => answer(401, everySpelling(serviceKey(request)))],
    ["the platform's key, as text", /returned 403: /, (request) => answer(403, everySpelling(platformKey(request)))],
    [
      "both, as the message of JSON",
      /returned 422: /,
      (request) => answer(422, JSON.stringify({ message: `${everySpelling(serviceKey(request))} ${everySpelling(platformKey(request))}` })),
    ],
    [
      "both, in JSON of another form",
      /returned 400: /,
      (request) => answer(400, JSON.stringify({ errors: [serviceKey(request), platformKey(request)], in: request.body })),
    ],
    ["the request, as a page", /returned 500: /, ({ head, body }) => answer(500, `<pre>${head}\n\n${body}</pre>`)],
    ["its keys in a redirect", /a redirect to/, (request) => redirect(request)],
    ["nothing: it resets", /ended without a valid response/, () => "reset"],
  ])("%s", async (_what, says, itsPlay) => {
    play = itsPlay;
    expect(await commands.failing("up", "--yes", "--skip-preview")).toMatch(says);
    expect(elsewhere.requests).toEqual([]);
  });

  it("stores none of them", () => {
    evidence.noneInFiles("the backend's files, after failures", `${stack.folder}/backend`);
  });
});

function redirect(request: RawRequest): string {
  const [path, query] = [serviceKey(request), platformKey(request)].map(encodeURIComponent);
  return answer(307, "", { Location: `${elsewhere.url}/${path}?key=${query}` });
}

describe("a Grafana that returns its token", () => {
  it.each([401, 500])("%s", async (status) => {
    play = (request) => {
      const token = headerOf(request, "authorization").replace(/^Bearer /, "");
      return answer(status, JSON.stringify({ message: `no: ${everySpelling(token)}` }));
    };
    // A uid that is not in the state, so that the preflight reads it.
    await stack.set({ grafanaUrl: echoing.url, folderUid: "another" });
    expect(await commands.failing("preview")).toContain(`returned ${status}: [redacted]`);
    expect(await commands.failingNpm("adopt", "--", "--stack", "test")).toContain(`returned ${status}: [redacted]`);
    expect(await commands.failingChecks(checksAt(echoing.url))).toContain(`${status}: [redacted]`);
  });
});

describe("other servers that return their credentials", () => {
  it("a datasource of Grafana, and the OTLP endpoint", async () => {
    const credentials = (request: RawRequest) =>
      Buffer.from(headerOf(request, "authorization").replace(/^Basic /, ""), "base64").toString();
    const received: string[] = [];
    play = (request) => {
      if (request.path === "/api/connections") return answer(200);
      const [, password = ""] = /^[^:]*:(.*)$/s.exec(credentials(request)) ?? [];
      received.push(password);
      return answer(401, JSON.stringify({ status: "error", errorType: "unauthorized", error: everySpelling(password) }));
    };
    stack.unset("folderUid");
    await stack.set({
      grafanaUrl: sandbox.grafanaUrl,
      prometheusUrl: `${echoing.url}/prometheus`,
      otlpEndpoint: `${echoing.url}/otlp`,
      checks: "warn",
    });
    expect(await commands.pulumi("up", "--yes", "--skip-preview")).toContain("the setting checks is warn");
    const found = findSecrets(received.join("\n"), { ...given.accepted, ...given.datasources }).map(({ secret }) => secret);
    expect([...new Set(found)].sort()).toEqual(["otlpToken", "prometheusPassword"]);
    evidence.noneInFiles("the backend's files, with the checks' words", `${stack.folder}/backend`);
  });
});

/** The checks of this stack with another Grafana. */
function checksAt(url: string): Record<string, string> {
  const targets = {
    grafana: { url },
    datasources: [{ type: "prometheus", uid: "llm-observability-prometheus" }],
    dashboards: [
      { title: "GenAI Observability", uid: "genai-observability", folderUid: "llm-observability", series: ["gen_ai_requests_total"] },
    ],
    otlp: { endpoint: `${sandbox.backendsUrl}/otlp`, data: ["metrics"] },
    serviceUrl: sandbox.service.url,
    verifyConnection: false,
    onFailure: "fail",
  };
  const otlpAuthorization = `Basic ${Buffer.from(`345678:${given.accepted.otlpToken}`).toString("base64")}`;
  const secrets = { grafanaAuth: given.accepted.grafanaAuth, otlpAuthorization, datasourceFingerprint: "" };
  return { [targetsVariable]: JSON.stringify(targets), [secretsVariable]: JSON.stringify(secrets) };
}
