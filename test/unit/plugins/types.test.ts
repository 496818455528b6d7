/** The stand-in plugins have exactly the properties that the npm packages declare. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { command } from "../../sandbox/plugins/command/provider";
import type { Client } from "../../sandbox/plugins/grafana/client";
import type { Clients } from "../../sandbox/plugins/grafana/config";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import type { Lookup, Properties } from "../../sandbox/plugins/resource";
import type { Values } from "../../sandbox/plugins/values";

const packages = createRequire(__filename);
const folderOf = (name: string) => dirname(packages.resolve(`${name}/package.json`));

interface Declared {
  all: string[];
  required: string[];
}

/** The properties of an interface or a class, inherited and static ones aside. */
function declared(file: string, name: string): Declared {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const found = source.statements.find(
    (one) => (ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one)) && one.name?.text === name,
  ) as ts.InterfaceDeclaration | ts.ClassDeclaration;
  const properties = [...found.members].filter((member) => ts.isPropertySignature(member) || ts.isPropertyDeclaration(member));
  const names = (list: typeof properties) => list.map((property) => (property.name as ts.Identifier).text).sort();
  return { all: names(properties), required: names(properties.filter(({ questionToken }) => !questionToken)) };
}

/** The result of a lookup for an object that is both a datasource and a folder. */
function lookUp(lookup: Lookup<Clients>, args: Values): Promise<Values> {
  const body = { orgId: 1, uid: "uid", name: "n", type: "t", access: "proxy", user: "", database: "", basicAuth: false, basicAuthUser: "" };
  const client = { send: async () => ({ ...body, isDefault: false, jsonData: {}, title: "T", url: "/u" }) } as unknown as Client;
  const clients = { grafana: { client, org: 1, isToken: false, page: (path: string) => path }, cloud: undefined };
  return lookup.run({ clients, urn: "", signal: new AbortController().signal, log: () => undefined }, args);
}

/** The names that the package's code lists as secret, whatever the program says. */
function secretOutputs(file: string): string[] {
  const [, list = "[]"] = /additionalSecretOutputs: (\[.*?\])/.exec(readFileSync(file, "utf8")) ?? [];
  return (JSON.parse(list) as string[]).sort();
}

const required = (properties: Properties) => Object.keys(properties).filter((name) => properties[name]?.required);
const secret = (properties: Properties) => Object.keys(properties).filter((name) => properties[name]?.secret);

const providers = [
  { provider: grafana, folder: folderOf("@pulumiverse/grafana") },
  { provider: command, folder: folderOf("@pulumi/command") },
];

for (const { provider, folder } of providers) {
  describe(`the ${provider.name} plugin`, () => {
    it("has the version of its package", () => {
      expect(provider.version).toBe(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version);
    });

    it("has the settings of the provider", () => {
      expect(Object.keys(provider.config).sort()).toEqual(declared(join(folder, "provider.d.ts"), "ProviderArgs").all);
      // The package marks this one itself, before it makes JSON of it.
      expect(
        secret(provider.config)
          .filter((name) => name !== "httpHeaders")
          .sort(),
      ).toEqual(secretOutputs(join(folder, "provider.js")));
    });

    it.each(Object.entries(provider.resources))("has the properties of %s", (type, { properties, computed, secrets = [] }) => {
      // grafana:oss/folder:Folder and command:local:Command
      const [, module = "", name = ""] = type.split(":");
      const file = join(folder, module.includes("/") ? module : `${module}/${name.toLowerCase()}`);
      expect(readFileSync(`${file}.js`, "utf8")).toContain(`'${type}'`);
      const args = declared(`${file}.d.ts`, `${name}Args`);
      expect(Object.keys(properties).sort()).toEqual(args.all);
      expect(required(properties).sort()).toEqual(args.required);
      const state = [...Object.keys(properties), ...computed].sort();
      expect(state).toEqual(declared(`${file}.d.ts`, name).all);
      if (provider === grafana) expect(state).toEqual(declared(`${file}.d.ts`, `${name}State`).all);
      expect([...secret(properties), ...secrets].sort()).toEqual(secretOutputs(`${file}.js`));
    });
  });
}

it.each(Object.entries(grafana.lookups))("the Grafana plugin has the arguments and results of %s", async (token, lookup) => {
  const [, module = "", name = ""] = token.split(":");
  const file = join(folderOf("@pulumiverse/grafana"), module);
  const interfaceOf = (part: string) => declared(`${file}.d.ts`, `${name[0]?.toUpperCase()}${name.slice(1)}${part}`).all;
  expect(readFileSync(`${file}.js`, "utf8")).toContain(`"${token}"`);
  expect([...lookup.arguments].sort()).toEqual(interfaceOf("Args"));
  expect(Object.keys(await lookUp(lookup, { uid: "uid" })).sort()).toEqual(interfaceOf("Result"));
});
