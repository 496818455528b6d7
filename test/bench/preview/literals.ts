/** Resources as plain data, from the state of a deployment. */

/** A resource with literal inputs. */
export interface Literal {
  urn: string;
  type: string;
  name: string;
  parent: string | undefined;
  provider: string | undefined;
  dependsOn: string[];
  inputs: Record<string, unknown>;
}

export interface Literals {
  resources: Literal[];
  /** Of the stack. */
  outputs: Record<string, unknown>;
}

/** The key of a value that is to be secret, in place of the value. */
export const secretKey = "bench:secret";

interface Stored {
  urn: string;
  type: string;
  parent?: string;
  provider?: string;
  dependencies?: string[];
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** The engine's own mark of a secret. */
const mark = "4dabf18193072939515e22adb298388d";

/** @param deployment the output of `pulumi stack export --show-secrets` */
export function literals(deployment: string): Literals {
  const { resources } = (JSON.parse(deployment) as { deployment: { resources: Stored[] } }).deployment;
  const [stack, ...others] = resources;
  if (stack?.type !== "pulumi:pulumi:Stack") throw new Error("the export of a stack begins with the stack");
  // The engine makes these itself.
  const declared = others.filter(({ urn }) => !/::default(_[\d_]+)?$/.test(urn));
  const outputs = plain(stack.outputs ?? {}) as Record<string, unknown>;
  return { resources: declared.map((resource) => literal(resource, stack.urn)), outputs };
}

function literal({ urn, type, parent, provider, dependencies, inputs = {} }: Stored, stack: string): Literal {
  const added = new Set(["version", ...((inputs.__defaults as string[] | undefined) ?? [])]);
  const own = Object.entries(inputs).filter(([name]) => !name.startsWith("__") && !added.has(name));
  const isProvider = type.startsWith("pulumi:providers:");
  return {
    urn,
    type,
    name: urn.split("::").at(-1) ?? "",
    parent: parent === stack ? undefined : parent,
    // Without the id.
    provider: provider?.split("::").slice(0, -1).join("::"),
    dependsOn: dependencies ?? [],
    inputs: Object.fromEntries(own.map(([name, value]) => [name, plain(isProvider ? unquoted(value) : value)])),
  };
}

/** The engine keeps a provider's inputs as texts. */
function unquoted(value: unknown): unknown {
  return typeof value === "string" && /^(true|false|\d+)$/.test(value) ? JSON.parse(value) : value;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (mark in value && "plaintext" in value) return { [secretKey]: JSON.parse(String(value.plaintext)) };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}
