/** The README's commands, run as they stand there. Only what a person would do differently is put in: addresses, and typed secrets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../../src/cli/run";
import { answer, type RawServer, startRawServer } from "../unit/raw-server";
import { TestStack } from "./stack";

const readme = readFileSync(join(__dirname, "../../README.md"), "utf8");
let service: RawServer;
let folder: TestStack;

beforeAll(async () => {
  service = await startRawServer([answer(200)]);
  folder = new TestStack();
});

afterAll(async () => {
  await service?.close();
  folder?.remove();
});

/** Runs the block behind the mark `<!-- tested: name -->`; secrets that the CLI asks for are typed as `typed`. */
function follow(name: string, typed = "a-secret"): Promise<string> {
  const block = new RegExp(`<!-- tested: ${name} -->\n\`\`\`sh\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (!block) throw new Error(`README.md has no tested block ${name}`);
  const script = block
    .replaceAll("https://llmobs.example.com", service.url)
    .replace(/^(.*config set --secret .*)$/gm, `echo ${typed} | $1`);
  return run("bash", ["-euc", script], { cwd: folder.folder, env: { ...folder.environment, PULUMI_SKIP_CONFIRMATIONS: "true" } });
}

it("leads from nothing to a registered connection", async () => {
  expect(await follow("environment")).toContain("2 created");
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /api/connections"]);
});

it("gives an application its push settings", async () => {
  await follow("dotenv");
  expect(parseEnv(readFileSync(join(folder.folder, ".env"), "utf8"))).toMatchObject({
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example.net/otlp",
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Basic%20${Buffer.from("345678:a-secret").toString("base64")}`,
  });
});

it("registers again on request, and after the rotation of the platform's key", async () => {
  await follow("again");
  expect(service.requests.length).toBe(2);
  await follow("rotate", "another-secret");
  expect(service.requests.length).toBe(3);
  expect(JSON.parse(service.requests.at(-1)?.body ?? "")).toMatchObject({ ApiKey: "another-secret" });
});

it("takes the environment down and says what stays", async () => {
  expect(await follow("destroy")).toContain("the service still holds the connection");
  expect(service.requests.length).toBe(3);
});

it("has no command that neither a test nor CI runs", () => {
  const blocks = [...readme.matchAll(/(<!-- tested: (\w+) -->\n)?```sh\n([\s\S]*?)```/g)];
  const untested = blocks.filter(([, mark]) => !mark).flatMap(([, , , block = ""]) => block.trim().split("\n"));
  expect(untested).toEqual(["npm ci && npm run local", "npm ci && npm test"]);
});
