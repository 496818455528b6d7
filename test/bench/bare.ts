/** The bare program: declares the resources of a deployment's export with literal inputs. This is the minimum cost of these resources. */
import { readFileSync } from "node:fs";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";

// The SDK would add it to the inputs of the provider, which the whole program keeps from it.
delete process.env.GRAFANA_RETRIES;

/** A resource of `pulumi stack export --show-secrets`. */
type Stored = { urn: string; type: string; parent?: string; provider?: string; dependencies?: string[] } & {
  [K in "inputs" | "outputs"]?: Record<string, unknown>;
};

/** The connection as a first version would have it. */
const provider: pulumi.dynamic.ResourceProvider = {
  async diff() {
    return { changes: false };
  },
  async create({ serviceUrl, ...body }) {
    const endpoint = `${serviceUrl}/api/connections`;
    const response = await fetch(endpoint, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${endpoint} returned ${response.status}`);
    return { id: endpoint, outs: body };
  },
};

class BareConnection extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: pulumi.Inputs, options: pulumi.CustomResourceOptions) {
    super(
      provider,
      name,
      { ...inputs, registeredAt: undefined },
      { ...options, additionalSecretOutputs: ["platformApiKey"] },
      "llm-observability",
      "Connection",
    );
  }
}

type Declare = new (name: string, inputs: never, options: pulumi.CustomResourceOptions) => pulumi.Resource;

const classes: Record<string, Declare> = {
  "pulumi:providers:grafana": grafana.Provider,
  "grafana:oss/dataSource:DataSource": grafana.oss.DataSource,
  "grafana:oss/folder:Folder": grafana.oss.Folder,
  "grafana:oss/dashboard:Dashboard": grafana.oss.Dashboard,
  "grafana:alerting/ruleGroup:RuleGroup": grafana.alerting.RuleGroup,
  "command:local:Command": local.Command,
  "pulumi-nodejs:dynamic/llm-observability:Connection": BareConnection,
};

/** The engine's own mark of a secret. */
const mark = "4dabf18193072939515e22adb298388d";

function literal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== "object" || value === null) return value;
  if (mark in value && "plaintext" in value) return pulumi.secret(JSON.parse(String(value.plaintext)));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, literal(part)]));
}

/** The engine keeps a provider's inputs as texts. */
const unquoted = (value: unknown) => (typeof value === "string" && /^(true|false|\d+)$/.test(value) ? JSON.parse(value) : value);

const { resources } = (JSON.parse(readFileSync("export.json", "utf8")) as { deployment: { resources: Stored[] } }).deployment;
const [stack, ...others] = resources as [Stored, ...Stored[]];
const declared = new Map<string, pulumi.Resource>();
// The engine makes default providers itself.
for (const { urn, type, parent = "", provider, dependencies = [], inputs = {} } of others.filter(
  ({ urn }) => !/::default(_[\d_]+)?$/.test(urn),
)) {
  const name = urn.split("::").at(-1) ?? "";
  const parentOption = parent === stack.urn ? {} : { parent: declared.get(parent) as pulumi.Resource };
  const own = classes[type];
  if (!own) {
    declared.set(urn, new pulumi.ComponentResource(type, name, {}, parentOption));
    continue;
  }
  const added = new Set(["version", ...((inputs.__defaults as string[] | undefined) ?? [])]);
  const literals = Object.entries(inputs).flatMap(([key, value]) => {
    if (key.startsWith("__") || added.has(key)) return [];
    return [[key, literal(type.startsWith("pulumi:providers:") ? unquoted(value) : value)]];
  });
  // Without the id.
  const providerOption = { provider: declared.get(provider?.split("::").slice(0, -1).join("::") ?? "") as pulumi.ProviderResource };
  const options = { ...parentOption, ...(providerOption.provider && providerOption) };
  const dependsOn = dependencies.map((dependency) => declared.get(dependency) as pulumi.Resource);
  declared.set(urn, new own(name, Object.fromEntries(literals) as never, { ...options, dependsOn }));
}

export = literal(stack.outputs ?? {});
