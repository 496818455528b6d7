/**
 * Failed registrations whose outcome depends on the engine: what the state contains, and what the next `up` sends. The requests and messages of
 * each failure are in `test/unit/connection`.
 */
import { expect, it } from "vitest";
import { answer, type Script, spellings, spellingsIn } from "../support/raw-server";
import { sandbox, setUp, stack } from "../support/set-up";

/** Characters that JSON, addresses and base64 encode differently, so that no encoding equals another one. */
const keys = { serviceApiKey: 'svc "key"\\%&+/1', platformApiKey: 'plt "key"\\%&+/é2' };
const echo = JSON.stringify({ message: `no: ${Object.values(keys).flatMap((key) => Object.values(spellings(key)))}` });

setUp(() => ({ ...sandbox.existingConfig(), ...keys, managedResources: "none", telemetry: "spec", checks: "warn" }));

/** Runs `up` while the service follows the script. */
async function up(script: Script, fails: boolean) {
  const before = sandbox.registrations;
  sandbox.service.follow(script);
  const args = ["up", "--yes", "--skip-preview"];
  const text = fails ? await stack.failing(...args) : await stack.pulumi(...args);
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
  const connection = (await stack.resources()).find(({ type }) => type.endsWith(":Connection"));
  return { text, requests: sandbox.registrations - before, registered: connection?.outputs.platformName };
}

it("a registration that fails is not stored, and the next up registers", async () => {
  await sandbox.createHosted();
  await sandbox.ask("/api/folders", "POST", { uid: "llm-observability", title: "LLM Observability" });
  const failed = await up(["reset"], true);
  expect(failed).toMatchObject({ requests: 1, registered: undefined });
  expect(failed.text.slice(failed.text.indexOf("Diagnostics:"))).toMatch(
    /Connection \(service-connection\):[\s\S]*ended without a valid response[\s\S]*The next `pulumi up` sends the request again\./,
  );
  expect(await up([answer(200)], false)).toMatchObject({ requests: 1, registered: "grafana" });
});

it("a change that fails leaves the older registration in the state, and the next up registers once", async () => {
  await stack.set({ platformName: "another" });
  const failed = await up([answer(500, echo)], true);
  expect(failed).toMatchObject({ requests: 1, registered: "grafana" });
  expect(failed.text).toContain("The next `pulumi up` sends the request again.");
  // The service may have the new fields, and the former ones are those of the state.
  await stack.set({ platformName: "grafana" });
  expect(await up([answer(200)], false)).toMatchObject({ requests: 0, registered: "grafana" });
  const [, trigger = ""] = /npx pulumi config set registrationTrigger (\S+)/.exec(failed.text) ?? [];
  await stack.set({ registrationTrigger: trigger, platformName: "another" });
  expect(await up([answer(200)], false)).toMatchObject({ requests: 1, registered: "another" });
  expect(spellingsIn(failed.text + stack.stored(), Object.values(keys))).toEqual([]);
});
