/** `destroy` where it cannot delete what is in Grafana: after the token was revoked, and without Grafana. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { isGenuine } from "../support/genuine";
import { sandbox, setUp, stack } from "../support/set-up";
import type { TestStack } from "../support/stack";

const destroy = ["destroy", "--yes", "--skip-preview"];
let copy: TestStack;

setUp();

beforeAll(async () => {
  // Files instead of links: the commands in the state have the paths of a checkout.
  for (const part of ["index.ts", "src"]) {
    rmSync(join(stack.folder, part));
    cpSync(join(__dirname, "../..", part), join(stack.folder, part), { recursive: true });
  }
  const token = await sandbox.token("Admin");
  await stack.set({ grafanaAuth: token.key });
  await stack.up();
  await token.revoke();
  await stack.set({ grafanaAuth: sandbox.secrets.grafanaAuth });
  copy = stack.copy({});
  return () => copy.remove();
});

it("names the command with which a new token deletes everything", async () => {
  const failure = await stack.failing(...destroy);
  expect(failure).toMatch(/Grafana at \S+ rejects the token of the last `pulumi up` \(401: Invalid API key\)/);
  const [command = ""] = /npx pulumi destroy .*/.exec(failure) ?? [];
  await stack.follow(command);
  expect(await sandbox.contents()).toEqual({ folders: [], dashboards: [], datasources: [], rules: [] });
  expect(sandbox.registrations).toBe(1);
});

it.skipIf(isGenuine)("names the command that forgets a Grafana that no longer exists", async () => {
  await sandbox.stop();
  const [command = ""] = /npx pulumi stack rm .*/.exec(await copy.failing(...destroy)) ?? [];
  await copy.follow(command);
  await expect(copy.pulumi("stack")).rejects.toThrow("no stack named 'test' found");
});
