/**
 * The upgrade from the version before: its state, then `up`. `upgrade.json` is the output of `pulumi stack export --show-secrets` after its `up`
 * in the sandbox, with `alerts`, and with what are now the defaults of `recordingRules` and `prometheusType`. Kept: each resource with its urn, id and inputs, and the outputs that
 * differ from these. Shortened: models, rules, the environment of the checks, and the serialized provider of the connection, which must not run:
 * only a refresh would call it. The secrets are those of the sandbox.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { grafana } from "../sandbox/plugins/grafana/provider";
import { isGenuine } from "../support/genuine";
import { sandbox, setUp, stack } from "../support/set-up";
import { canary, project, type StateResource } from "../support/stack";

type Exported = { deployment: { resources: StateResource[] } };

setUp(() => ({ ...sandbox.config(), alerts: "on" }));

/** The stored state, with the addresses of this sandbox. */
function storedState(): Exported {
  const { grafanaUrl: grafana, backendsUrl: backends, service } = sandbox;
  const places = { grafana, backends, service: service.url, project };
  const text = readFileSync(join(__dirname, "upgrade.json"), "utf8");
  const state = JSON.parse(text.replace(/\{(grafana|backends|service|project)\}/g, (_, name: keyof typeof places) => places[name]));
  for (const resource of state.deployment.resources) resource.outputs = { ...resource.inputs, ...resource.outputs };
  return state;
}

/** Creates the resources of the state in Grafana, as the plugin does, with the uids that Grafana assigned to the rules. */
async function createInGrafana({ deployment }: Exported): Promise<void> {
  const clients = grafana.configure({ url: sandbox.grafanaUrl, auth: canary.grafanaAuth });
  const call = { clients, urn: "", signal: new AbortController().signal, log: () => undefined };
  for (const { type, inputs, outputs, urn } of deployment.resources) {
    const resource = grafana.resources[type];
    const plain = JSON.parse(JSON.stringify(inputs ?? {}), (_key, value) => (value?.plaintext ? JSON.parse(value.plaintext) : value));
    await resource?.create(call, { ...plain, ...(outputs.rules ? { rules: outputs.rules } : {}) }, urn);
  }
}

// The stand-in of the plugin creates the resources.
it.skipIf(isGenuine)(
  "updates all resources, puts the alert rules of this version in place of those before, and does not register again",
  async () => {
    const state = storedState();
    await createInGrafana(state);
    const file = join(stack.folder, "state.json");
    writeFileSync(file, JSON.stringify(state));
    await stack.pulumi("stack", "import", "--file", file);

    const operations = await stack.up();
    expect(operations.filter((operation) => !/^update|-alert-|^delete alert-/.test(operation))).toEqual([]);
    expect(operations).toEqual(expect.arrayContaining(["create platform-alert-errors", "delete alert-otel-error-rate-critical"]));
    expect(operations).toEqual(expect.arrayContaining(["update platform-genai-observability", "update service-llm-monitoring"]));
    expect(operations.filter((operation) => operation.includes("connection"))).toEqual([
      "create service-alert-connection-lost",
      "delete service-alert-connection",
      // Without a registration: the program has an input less.
      "update service-connection",
    ]);
    expect(sandbox.registrations).toBe(0);
    expect(await stack.preview()).toEqual([]);
  },
);
