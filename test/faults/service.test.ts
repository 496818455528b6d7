/** Faults of the service on the real engine, with the real limits: the requests, the message, the state, and the next `up`. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, type RawServer, spellingsIn, startRawServer } from "../support/raw-server";
import { sandbox, setUp, stack } from "../support/set-up";
import type { TestStack } from "../support/stack";
import { keys, type ServiceFault, serviceFaults } from "./service-faults";

setUp(() => ({ ...sandbox.config(), ...keys }));

describe("many services in one stack, each with another fault", () => {
  const nameOf = ({ what }: ServiceFault) => what.replace(/\W+/g, "-");
  const resetting = "a-reset-after-the-request";
  const servers = new Map<string, RawServer>();
  const addresses = new Map<string, string>();
  const ups: { text: string; requests: Map<string, number>; registered: string[] }[] = [];
  let connectionsOnly: TestStack;

  /** Runs `up`, which continues after the first failure. `trigger` is that of the service that resets. */
  async function up(fails: boolean, trigger?: string): Promise<void> {
    const services = [...addresses].map(([name, serviceUrl]) => {
      return [name, { serviceUrl, registrationTrigger: name === resetting ? trigger : undefined }];
    });
    connectionsOnly.environment.FAULTY_SERVICES = JSON.stringify(Object.fromEntries(services));
    const before = [...servers.values()].map(({ requests }) => requests.length);
    // All of them wait at the same time.
    const args = ["up", "--yes", "--skip-preview", "--continue-on-error", "--parallel", "64"];
    const text = fails ? await connectionsOnly.failing(...args) : await connectionsOnly.pulumi(...args);
    const sent = [...servers].map(([name, { requests }], index): [string, number] => [name, requests.length - (before[index] ?? 0)]);
    const resources = (await connectionsOnly.resources()).filter(({ type }) => type.endsWith(":Connection"));
    ups.push({ text, requests: new Map(sent), registered: resources.map(({ urn }) => urn.split("::").at(-1) ?? "") });
  }

  beforeAll(async () => {
    connectionsOnly = stack.copy({});
    connectionsOnly.useProgram(join(__dirname, "service/program.ts"));
    for (const fault of serviceFaults) {
      const server = await startRawServer(fault.script);
      servers.set(nameOf(fault), server);
      addresses.set(nameOf(fault), fault.isProxy ? "http://service.test" : server.url);
      // The machine that runs the tests may have a proxy.
      if (fault.isProxy) Object.assign(connectionsOnly.environment, { HTTP_PROXY: server.url, NO_PROXY: "", no_proxy: "" });
    }
    await up(true);
    for (const [name, server] of servers) {
      server.follow([answer(200)]);
      addresses.set(name, server.url);
    }
    await up(false);
    await up(false);
  });

  afterAll(async () => {
    connectionsOnly?.remove();
    for (const server of servers.values()) await server.close();
  });

  describe.each(serviceFaults)("$what", (fault) => {
    const name = nameOf(fault);
    const { requests, afterwards, says, announced = 0 } = fault;

    it("is reported in the diagnostics, with its state and its retries", () => {
      const text = ups[0]?.text ?? "";
      // The engine shows the output of the provider under the stack.
      const lines = text.split("\n").filter((line) => line.includes(`${servers.get(name)?.url} `) && line.includes("; retrying in "));
      const shown = [diagnosticsOf(name, text), ...lines].join("\n");
      for (const part of afterwards === "registered" ? says : [...says, "failed: "]) expect(shown).toContain(part);
      expect(new Set(lines.map((line) => /attempt \d of 4/.exec(line)?.[0])).size).toBe(announced);
      expect(shown.includes("The connection was not registered.")).toBe(afterwards === "nothing");
      expect(shown.includes("The next `pulumi up` sends it again.")).toBe(afterwards === "unknown");
    });

    it("sends the expected requests, and the state contains only registered connections", () => {
      expect(ups[0]?.requests.get(name)).toBe(requests);
      expect(ups[0]?.registered.includes(name)).toBe(afterwards === "registered");
    });

    it("is fixed by the next up, which registers once if required; the up after that sends no request", () => {
      expect(ups[1]?.requests.get(name)).toBe(afterwards === "registered" ? 0 : 1);
      expect(ups[1]?.registered).toContain(name);
      expect(ups[2]?.requests.get(name)).toBe(0);
      expect(ups[2]?.text).toContain(`${serviceFaults.length + 1} unchanged`);
    });
  });

  it("during an update leaves the older registration in the state, and the next up registers again", async () => {
    const server = servers.get(resetting) as RawServer;
    server.follow(["reset"]);
    await up(true, "2");
    expect(diagnosticsOf(resetting, ups[3]?.text ?? "")).toContain("The next `pulumi up` sends it again.");
    expect(ups[3]?.requests.get(resetting)).toBe(1);
    const inState = (await connectionsOnly.resources()).find(({ urn }) => urn.endsWith(`::${resetting}`));
    expect(inState?.outputs).toMatchObject({ serviceUrl: server.url });
    expect(inState?.outputs).not.toHaveProperty("registrationTrigger");
    server.follow([answer(200)]);
    await up(false, "2");
    expect([...(ups[4]?.requests ?? [])].filter(([, number]) => number > 0)).toEqual([[resetting, 1]]);
  });

  it("shows no key and stores none in plain text", () => {
    const output = ups.map(({ text }) => text).join("\n");
    expect(spellingsIn(output, Object.values(keys))).toEqual([]);
    expect(spellingsIn(connectionsOnly.stored(), Object.values(keys))).toEqual([]);
  });
});

/** The diagnostics of one resource. */
function diagnosticsOf(name: string, text: string): string {
  const blocks = text.slice(text.indexOf("Diagnostics:")).split(/\n {2}(?=\S)/);
  return blocks.find((block) => block.split("\n")[0]?.endsWith(`:Connection (${name}):`)) ?? "";
}
