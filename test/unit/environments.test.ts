/** The example environments are valid after their secrets are set, and contain no secret. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { keyDocs, parseSettings } from "../../src/settings";

const root = resolve(__dirname, "../..");
const secrets = keyDocs.filter(({ secret, required, name }) => secret && (required || name === "otlpToken"));

const read = (stack: string) => parse(readFileSync(join(root, `Pulumi.${stack}.yaml`), "utf8")) as { config: Record<string, unknown> };

/** A file with secrets is in use, no example. */
const isExample = (stack: string) => Object.keys(read(stack)).join() === "config";

function plainValues(stack: string): Record<string, string> {
  return Object.fromEntries(Object.entries(read(stack).config).map(([key, value]) => [key.split(":")[1] ?? "", String(value)]));
}

const problemsOf = (values: Record<string, string>, stack: string) => {
  const isSecret = (name: string) => secrets.some((secret) => secret.name === name);
  const result = parseSettings({ values, isSecret }, stack);
  return "problems" in result ? result.problems.map(({ key }) => key) : [];
};

describe.each(["dev", "prod"])("%s", (stack) => {
  it.runIf(isExample(stack))("lacks only its secrets", () => {
    const values = plainValues(stack);
    expect(problemsOf(values, stack).sort()).toEqual(secrets.map(({ name }) => name).sort());
    expect(problemsOf({ ...values, ...Object.fromEntries(secrets.map(({ name }) => [name, "a-secret"])) }, stack)).toEqual([]);
  });
});

it.runIf(isExample("dev") && isExample("prod"))("both have different addresses", () => {
  for (const key of ["grafanaUrl", "serviceUrl", "otlpEndpoint"]) expect(plainValues("prod")[key]).not.toBe(plainValues("dev")[key]);
});
