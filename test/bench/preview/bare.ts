/** The bare program: declares the resources of a file with literal inputs. This is the minimum cost of these resources. */
import { readFileSync } from "node:fs";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { Literals } from "./literals";

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
      { ...inputs, registeredAt: undefined, registeredConnection: undefined },
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
  "command:local:Command": local.Command,
  "pulumi-nodejs:dynamic/llm-observability:Connection": BareConnection,
};

/** A secret is an object with one key, see `literals.ts`. */
function reviveSecrets(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && "bench:secret" in value ? pulumi.secret(value["bench:secret"]) : value;
}

const { resources, outputs } = JSON.parse(readFileSync("literals.json", "utf8"), reviveSecrets) as Literals;
const declared = new Map<string, pulumi.Resource>();
for (const { urn, type, name, parent, provider, dependsOn, inputs } of resources) {
  const parentOption = parent === undefined ? {} : { parent: declared.get(parent) as pulumi.Resource };
  const own = classes[type];
  if (!own) {
    const component = new pulumi.ComponentResource(type, name, {}, parentOption);
    declared.set(urn, component);
    continue;
  }
  const providerOption =
    provider !== undefined && declared.has(provider) ? { provider: declared.get(provider) as pulumi.ProviderResource } : {};
  const dependencies = dependsOn.map((dependency) => declared.get(dependency) as pulumi.Resource);
  declared.set(urn, new own(name, inputs as never, { ...parentOption, ...providerOption, dependsOn: dependencies }));
}

export = outputs;
