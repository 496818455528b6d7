/** The most important faults of the service, on the real engine: the message, the state, and the next `up`. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "../support/certificate";
import { answer, type RawServer, spellingsIn, startRawServer } from "../support/raw-server";
import { registrationsAt, type Sandbox } from "../support/sandbox";
import { setUp } from "../support/set-up";
import { TestStack } from "../support/stack";
import { type Arranged, World } from "./service/arrange";
import { keys, type ServiceFault, serviceFaults } from "./service-faults";

const important = [
  "a refused connection",
  "a self-signed certificate",
  "a reset after the request",
  "closed without a response",
  "200 with HTML",
  "307 to another origin",
  "401",
  "404",
  "409",
  "429 for a second, then success",
  "500",
];
const faults = important.map((what) => serviceFaults.find((fault) => fault.what === what) as ServiceFault);

let sandbox: Sandbox;
let stack: TestStack;

setUp(
  (...both) => ([sandbox, stack] = both),
  (sandbox) => ({ ...sandbox.config(), serviceApiKey: keys.service, platformApiKey: keys.platform }),
);

describe("eleven services in one stack, each with another fault", () => {
  const nameOf = ({ what }: ServiceFault) => what.replace(/\W+/g, "-");
  let world: World;
  let arranged: Map<string, Arranged>;
  const ups: { text: string; requests: Map<string, number>; registered: string[] }[] = [];

  /** Runs `up`, which continues after the first failure. */
  async function up(places: Iterable<[name: string, { url: string }]>): Promise<void> {
    const services = [...places].map(([name, { url }]) => [name, { serviceUrl: url, ...arranged.get(name)?.inputs }]);
    stack.environment.FAULTY_SERVICES = JSON.stringify(Object.fromEntries(services));
    const before = requests();
    const args = ["up", "--yes", "--skip-preview", "--continue-on-error"];
    const text = ups.length === 0 ? await stack.failing(...args) : await stack.pulumi(...args);
    const resources = (await stack.resources()).filter(({ type }) => type.endsWith(":Connection"));
    const sent = new Map([...requests()].map(([name, number]) => [name, number - (before.get(name) ?? 0)]));
    ups.push({ text, requests: sent, registered: resources.map(({ urn }) => urn.split("::").at(-1) ?? "") });
  }

  const requests = () => new Map([...arranged].map(([name, { servers }]) => [name, sum(servers)]));
  const sum = (servers: RawServer[]) => servers.reduce((all, { requests }) => all + requests.length, 0);

  beforeAll(async () => {
    stack.useProgram(join(__dirname, "service/program.ts"));
    world = new World(createAuthority());
    arranged = new Map();
    for (const fault of faults) arranged.set(nameOf(fault), await fault.arrange(world));
    await up(arranged);
    const repaired = new Map<string, { url: string }>();
    for (const [name, { repair }] of arranged) repaired.set(name, await repair());
    await up(repaired);
    await up(repaired);
  });

  afterAll(() => world?.close());

  describe.each(faults)("$what", (fault) => {
    const name = nameOf(fault);
    const { requests, afterwards, says } = fault;

    it("is reported in the diagnostics", () => {
      const text = ups[0]?.text ?? "";
      const host = new URL(arranged.get(name)?.url ?? "").host;
      // The engine shows the output of the provider under the stack.
      const shown = [diagnosticsOf(name, text), ...text.split("\n").filter((line) => line.includes(host))].join("\n");
      for (const part of afterwards === "registered" ? says : [...says, "failed: "]) expect(shown).toContain(part);
      expect(shown.includes("The connection was not registered.")).toBe(afterwards === "nothing");
      expect(shown.includes("The next `pulumi up` sends it again.")).toBe(afterwards === "unknown");
    });

    it("sends the expected requests, and the state contains only registered connections", () => {
      expect(ups[0]?.requests.get(name)).toBe(requests);
      expect(ups[0]?.registered.includes(name)).toBe(afterwards === "registered");
      expect((arranged.get(name)?.bystanders ?? []).map(({ connections }) => connections)).toEqual(
        arranged.get(name)?.bystanders?.map(() => 0) ?? [],
      );
    });

    it("is fixed by the next up, which registers once if required; the up after that sends no request", () => {
      expect(ups[1]?.requests.get(name)).toBe(afterwards === "registered" ? 0 : 1);
      expect(ups[1]?.registered).toContain(name);
      expect(ups[2]?.requests.get(name)).toBe(0);
      expect(ups[2]?.text).toContain(`${faults.length + 1} unchanged`);
    });
  });

  it("shows no key and stores none in plain text", () => {
    expect(spellingsIn(ups.map(({ text }) => text).join("\n"), Object.values(keys))).toEqual([]);
    expect(spellingsIn(stack.stored(), Object.values(keys))).toEqual([]);
  });
});

describe("the program, with a service that resets the connection after the request", () => {
  let service: RawServer;
  let own: TestStack;
  let text: string;

  beforeAll(async () => {
    service = await startRawServer([({ path }) => (path === "/api/connections" ? "reset" : answer(200))]);
    own = await TestStack.create({ ...sandbox.config(), serviceUrl: service.url });
    text = await own.failing("up", "--yes", "--skip-preview");
  });

  afterAll(async () => {
    own?.remove();
    await service?.close();
  });

  const connections = async () => (await own.resources()).filter(({ type }) => type.endsWith(":Connection"));

  it("shows the failure, the unknown state and the effect of the next up once, without a stack trace", () => {
    const lines = text
      .slice(text.indexOf("Diagnostics:"))
      .split("\n")
      .map((line) => line.trim());
    expect(lines.filter((line) => line.includes(`POST ${service.url}/api/connections failed: the connection to`))).toHaveLength(1);
    expect(lines).toContain(
      "The service may have registered the connection, so the request was not repeated. The next `pulumi up` sends it again.",
    );
    expect(lines).toContain(
      "Check the service's log, then run `pulumi up` again. If the service requires TLS, serviceUrl must begin with https://.",
    );
    expect(text).not.toMatch(/^\s+at .+:\d+/m);
    expect(text).not.toContain("canary");
    expect(registrationsAt(service)).toBe(1);
  });

  it("has no connection and no pending operation in its state", async () => {
    expect(await connections()).toEqual([]);
    const { deployment } = JSON.parse(await own.pulumi("stack", "export"));
    expect(deployment.pending_operations ?? []).toEqual([]);
  });

  it("registers once with the next up, and then changes nothing", async () => {
    service.follow([answer(200)]);
    // The other resources that were missing when the connection failed differ between runs.
    expect(await own.up()).toEqual(expect.arrayContaining(["create checks", "create service-connection"]));
    expect(registrationsAt(service)).toBe(2);
    expect(await connections()).toHaveLength(1);
    expect(await own.up()).toEqual([]);
    expect(registrationsAt(service)).toBe(2);
  });
});

/** The diagnostics of one resource. */
function diagnosticsOf(name: string, text: string): string {
  const blocks = text.slice(text.indexOf("Diagnostics:")).split(/\n {2}(?=\S)/);
  return blocks.find((block) => block.split("\n")[0]?.endsWith(`:Connection (${name}):`)) ?? "";
}
