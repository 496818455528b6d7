/** The requests to the service and the operations of the engine through the life of one stack. */
import { cpSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer, type RawServer, startRawServer } from "../support/raw-server";
import { registrationsAt } from "../support/sandbox";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary } from "../support/stack";

let service: RawServer;
let elsewhere: RawServer;

setUp();

beforeAll(async () => {
  service = sandbox.service;
  elsewhere = await startRawServer([answer(204)]);
});

afterAll(() => elsewhere?.close());

/** Runs `work` and counts the registrations at both services. */
async function counting<T>(work: () => Promise<T>): Promise<{ result: T; here: number; there: number }> {
  const [here, there] = [registrationsAt(service), registrationsAt(elsewhere)];
  const result = await work();
  return { result, here: registrationsAt(service) - here, there: registrationsAt(elsewhere) - there };
}

const lastRegistration = () => service.requests.filter(({ path }) => path === "/api/connections").at(-1);

const connectionState = async () => (await stack.resources()).find(({ type }) => type.endsWith(":Connection"));

it("preview sends nothing; create sends exactly one request", async () => {
  expect((await counting(() => stack.preview())).here).toBe(0);
  const { result, here } = await counting(() => stack.up());
  expect(result).toContain("create service-connection");
  expect(here).toBe(1);
  expect(lastRegistration()?.head).toContain(`\r\nAuthorization: ${canary.serviceApiKey}\r\n`);
  expect(JSON.parse(lastRegistration()?.body ?? "")).toMatchObject({ LogsUsername: "234567", ApiKey: canary.platformApiKey });
});

it("a new service key, a slash after serviceUrl and settings of the push, which are no part of the connection, send nothing", async () => {
  await stack.set({
    ...{ serviceApiKey: "canary-service-rotated", serviceUrl: `${service.url}/` },
    ...{ otlpToken: "canary-token-2", otlpData: "metrics" },
  });
  expect(await counting(() => stack.up())).toEqual({ result: ["update checks"], here: 0, there: 0 });
  expect(await stack.outputs()).toMatchObject({
    otlp: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${sandbox.backendsUrl}/otlp`,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Basic%20${Buffer.from("345678:canary-token-2").toString("base64")}`,
      OTEL_LOGS_EXPORTER: "none",
    },
    otlpTokenScopes: ["metrics:write"],
  });
});

// The unit tests of the provider change each field. The words and requests of each failure: see test/unit/connection.
it("a change that fails is not in the state: the next up sends it in one request, with the new service key", async () => {
  await stack.set({ platformName: "datadog", platformApiKey: "canary-platform-rotated" });
  service.follow([answer(500)]);
  expect(await stack.failing("up", "--yes", "--skip-preview")).toContain("The next `pulumi up` sends the request again.");
  expect((await connectionState())?.outputs.platformName).toBe("grafana");
  service.follow([answer(200)]);
  expect(await counting(() => stack.up())).toEqual({ result: ["update service-connection"], here: 1, there: 0 });
  expect(JSON.parse(lastRegistration()?.body ?? "")).toMatchObject({ Platform: "datadog", ApiKey: "canary-platform-rotated" });
  expect(lastRegistration()?.head).toContain("canary-service-rotated");
});

it("a changed serviceUrl registers once at the new address, with a message that the old service keeps its copy", async () => {
  await stack.set({ serviceUrl: elsewhere.url });
  const { result: text, here, there } = await counting(() => stack.pulumi("up", "--yes", "--skip-preview"));
  expect({ here, there }).toEqual({ here: 0, there: 1 });
  expect(text).toContain("1 replaced");
  expect(text).toContain(`the service keeps the connection registered with POST ${service.url}/api/connections`);
  expect((await connectionState())?.id).toBe(`${elsewhere.url}/api/connections`);
});

it("without the provider's file, up says in one sentence where to run it", async () => {
  const src = join(stack.folder, "src");
  cpSync(realpathSync(src), `${src}-copy`, { recursive: true });
  rmSync(`${src}-copy/connection/provider.ts`);
  rmSync(src);
  renameSync(`${src}-copy`, src);
  await stack.set({ registrationTrigger: "again" });
  const text = await stack.failing("up", "--yes", "--skip-preview");
  expect(text).toContain("src/connection/provider.ts does not exist in this folder. It registers the connection: run");
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
});

it("without the program and the service, refresh changes nothing; destroy has a message that the service keeps the connection", async () => {
  await service.close();
  await elsewhere.close();
  rmSync(join(stack.folder, "src"), { recursive: true });
  expect(await stack.refresh()).toEqual([]);
  expect(await stack.destroy()).toContain("the service keeps the connection registered with POST");
  expect(await stack.resources()).toEqual([]);
});
