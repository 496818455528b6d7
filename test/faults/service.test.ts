/** Each fault of the service, over real sockets, with the dynamic provider and its real limits: the requests, the message and the state. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "../support/certificate";
import { Host, serviceApiKeyConfig } from "../support/provider-host";
import { type Action, spellingsIn } from "../support/raw-server";
import { type Place, World } from "./service/arrange";
import { type Observed, observe, type Start } from "./service/observe";
import { type Afterwards, keys, serviceFaults } from "./service-faults";

const starts: Start[] = ["nothing registered", "an older registration"];
const inputs = {
  serviceApiKeyConfig,
  platformName: "grafana",
  metricsUrl: "https://metrics.example.com/write",
  metricsUsername: "123",
  logsUrl: "https://logs.example.com/push",
  logsUsername: "234",
  platformApiKey: keys.platform,
  registrationTrigger: "1",
  verifyConnection: "off",
};
const words: Record<Afterwards, string> = {
  registered: "registered",
  nothing: "The connection was not registered.",
  unknown: "The service may have registered the connection, so the request was not repeated. The next `pulumi up` sends it again.",
};

/** The machine that runs the tests may have a proxy. */
const withoutProxy = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, undefined]),
);

let world: World;
const hosts: Host[] = [];
const observed = new Map<string, Observed>();
const seen = (what: string, start: Start) => observed.get(`${what}, ${start}`) as Observed;

beforeAll(async () => {
  world = new World(createAuthority());
  const environment = {
    NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "service/names.cjs"))}`,
    ...withoutProxy,
  };
  const start = async (place?: Place) => {
    const host = await Host.start({ [serviceApiKeyConfig]: keys.service }, { ...environment, ...place?.environment });
    hosts.push(host);
    return host;
  };
  const shared = await start();
  const hostFor = async (place: Place) => (place.environment ? start(place) : shared);
  // In parallel: most of the time is waiting.
  await Promise.all(
    serviceFaults.flatMap(({ what, arrange }) =>
      starts.map(async (from) => {
        observed.set(`${what}, ${from}`, await observe(await arrange(world), from, inputs, hostFor));
      }),
    ),
  );
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host.stop()));
  await world?.close();
});

describe.each(starts)("after %s", (start) => {
  describe.each(serviceFaults)("$what", ({ what, requests, connections, afterwards, says, announced }) => {
    it("sends the expected requests", () => {
      const { first, answers, connections: opened, elsewhere } = seen(what, start);
      expect(first.requests).toBe(requests);
      if (connections !== undefined) expect(opened).toBe(connections);
      expect(elsewhere).toBe(0);
      // Never two registrations for one change: a request that was not refused may have been carried out.
      expect(answers.filter((answer) => !isRefusal(answer)).length).toBeLessThanOrEqual(1);
    });

    it("shows the failure, the state and the fix", () => {
      const { first, lines } = seen(what, start);
      const text = first.error ?? lines.join("\n");
      for (const part of says) expect(text).toContain(part);
      expect(lines).toHaveLength(announced);
      expect(first.error === undefined).toBe(afterwards === "registered");
      for (const [of, sentence] of Object.entries(words)) {
        if (first.error) expect(first.error.includes(`\n${sentence}\n`)).toBe(of === afterwards);
      }
    });

    it("shows no key", () => {
      const { first, second, lines } = seen(what, start);
      expect(spellingsIn([first.error, second.error, ...lines].join("\n"), Object.values(keys))).toEqual([]);
    });

    it("leaves a state from which the next `up` registers if required, and the one after that changes nothing", () => {
      const { first, second, third } = seen(what, start);
      const trigger = { registered: "1", nothing: "0", unknown: "0" }[afterwards];
      expect(first.state?.registrationTrigger).toBe(start === "nothing registered" && afterwards !== "registered" ? undefined : trigger);
      expect(second).toMatchObject({ error: undefined, requests: afterwards === "registered" ? 0 : 1 });
      expect(second.state).toMatchObject({ registrationTrigger: "1", registeredConnection: "current" });
      expect(third).toMatchObject({ error: undefined, requests: 0, state: second.state });
    });
  });
});

it("covers at least 35 faults, each once", () => {
  expect(new Set(serviceFaults.map(({ what }) => what)).size).toBe(serviceFaults.length);
  expect(serviceFaults.length).toBeGreaterThanOrEqual(35);
});

it("shows no key and no stack trace in the output of the provider", () => {
  expect(hosts.map(({ output }) => output).join("\n")).not.toMatch(/^\s+at .+:\d+/m);
  expect(spellingsIn(hosts.map(({ output }) => output).join("\n"), Object.values(keys))).toEqual([]);
});

/** Whether a response shows that the request was not carried out, so that it may be repeated. */
function isRefusal(answer: Action | undefined): boolean {
  return typeof answer === "string" && /^HTTP\/1\.1 (30[1278]|4\d\d|50[234] .*\r\nRetry-After: \d)/s.test(answer);
}
