/** Replaces secrets in the engine's output. */
import { isObject, type Json, type JsonObject, parseJson } from "./json";

/** Replaces every secret, as in the engine's own output. */
export const secretText = "[secret]";

/** The key that marks secrets and assets: `specialSigKey` in Pulumi's sdk/nodejs/runtime/rpc.ts. */
const signature = "4dabf18193072939515e22adb298388d";

/** Replaces every marked value, including those in JSON texts. */
export function replaceSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(replaceSecrets);
  if (isObject(value)) {
    if (Object.hasOwn(value, signature)) return secretText;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceSecrets(part)]));
  }
  if (typeof value !== "string" || !value.includes(signature)) return value;
  const inner = parseJson(value);
  return inner === undefined ? secretText : JSON.stringify(replaceSecrets(inner));
}

/** A resource's properties without secrets and without the engine's own properties, such as `__provider`. */
export function publicProperties(properties: JsonObject, secretNames: readonly string[]): JsonObject {
  const entries = Object.entries(properties).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(entries.map(([name, value]) => [name, secretNames.includes(name) ? secretText : replaceSecrets(value)]));
}

/** The value, or the JSON in it, without secrets. */
export function parsedValue(value: Json | undefined): Json | undefined {
  const inner = typeof value === "string" ? parseJson(value) : undefined;
  return inner === undefined ? value : replaceSecrets(inner);
}

export const containsSecret = (value: Json | undefined) => JSON.stringify(value ?? null).includes(secretText);
