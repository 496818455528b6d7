/** Replaces secrets in the engine's output. */
import { isObject, type Json, type JsonObject, parseStructure } from "./json";

/** Replaces every secret, as in the engine's own output. */
export const secretText = "[secret]";
/** The key that marks secrets and assets: `specialSigKey` in Pulumi's sdk/nodejs/runtime/rpc.ts. */
const signature = "4dabf18193072939515e22adb298388d";
/** The list of a plugin's defaults, in each object of the inputs: a refresh leaves out empty ones. */
const defaultsList = "__defaults";

/** Replaces every marked value, and every JSON text by what it contains. */
const parsed = (value: Json): Json =>
  JSON.parse(JSON.stringify(value), (name, part: Json) => {
    if (name === defaultsList) return undefined;
    if (isObject(part)) return Object.hasOwn(part, signature) ? secretText : part;
    if (typeof part !== "string") return part;
    const inner = parseStructure(part);
    if (inner !== undefined) return parsed(inner);
    return part.includes(signature) ? secretText : part;
  });

/** A resource's properties, with JSON texts parsed, without secrets and without the engine's own properties, such as `__provider`. */
export function publicProperties(properties: JsonObject, secretNames: readonly string[]): JsonObject {
  const entries = Object.entries(properties).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(entries.map(([name, value]) => [name, secretNames.includes(name) ? secretText : parsed(value)]));
}

export const containsSecret = (value: Json | undefined) => JSON.stringify(value ?? null).includes(secretText);
