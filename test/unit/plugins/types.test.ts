/** The stand-in plugins have no property that the npm packages do not declare, and require what those require. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { command } from "../../sandbox/plugins/command/provider";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import type { Properties } from "../../sandbox/plugins/resource";

const packages = createRequire(__filename);
const folderOf = (name: string) => dirname(packages.resolve(`${name}/package.json`));
const folders = { Grafana: folderOf("@pulumiverse/grafana"), command: folderOf("@pulumi/command") };

/** The properties of an interface or a class. */
function declared(file: string, name: string): { all: string[]; required: string[] } {
  const [, body = ""] =
    new RegExp(`export (?:interface|declare class) ${name} [^\\n]*\\n(.*?)\\n}`, "s").exec(readFileSync(file, "utf8")) ?? [];
  const all = [...body.matchAll(/^ {4}(?:readonly )?(\w+)(\??): /gm)];
  return { all: all.map(([, name = ""]) => name), required: all.flatMap(([, name = "", optional]) => (optional ? [] : [name])) };
}

/** The names that the package's code lists as secret, whatever the program says. */
function secretOutputs(file: string): string[] {
  const [, list = "[]"] = /additionalSecretOutputs: (\[.*?\])/.exec(readFileSync(file, "utf8")) ?? [];
  return JSON.parse(list);
}

const named = (properties: Properties, mark: "required" | "secret") => Object.keys(properties).filter((name) => properties[name]?.[mark]);

it.each([grafana, command])("the settings of the $name plugin", ({ name, version, config }) => {
  const folder = folders[name as keyof typeof folders];
  expect(version).toBe(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version);
  expect(declared(join(folder, "provider.d.ts"), "ProviderArgs").all).toEqual(expect.arrayContaining(Object.keys(config)));
  expect(secretOutputs(join(folder, "provider.js"))).toEqual(expect.arrayContaining(named(config, "secret")));
});

const resources = [grafana, command].flatMap(({ name, resources }) =>
  Object.entries(resources).map(([type, resource]) => ({ type, folder: folders[name as keyof typeof folders], ...resource })),
);

it.each(resources)("the properties of $type", ({ type, folder, properties, computed, secrets = [] }) => {
  // grafana:oss/folder:Folder and command:local:Command
  const [, module = "", name = ""] = type.split(":");
  const file = join(folder, module.includes("/") ? module : `${module}/${name.toLowerCase()}`);
  expect(readFileSync(`${file}.js`, "utf8")).toContain(`'${type}'`);
  const args = declared(`${file}.d.ts`, `${name}Args`);
  expect(args.all).toEqual(expect.arrayContaining(Object.keys(properties)));
  expect(named(properties, "required")).toEqual(expect.arrayContaining(args.required));
  const state = [...Object.keys(properties), ...computed];
  expect(declared(`${file}.d.ts`, name).all).toEqual(expect.arrayContaining(state));
  const hidden = secretOutputs(`${file}.js`).filter((property) => state.includes(property));
  expect([...named(properties, "secret"), ...secrets].sort()).toEqual(hidden.sort());
});
