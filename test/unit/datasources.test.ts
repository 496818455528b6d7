/** The arguments of a datasource: its credentials, its CA, and what Grafana must know of its server. `program.test.ts` has the links. */
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { type DatasourceArgs, datasourceResourceArgs } from "../../src/platform/datasources";
import type { DatasourceType } from "../../src/settings/keys";
import { plainValue } from "./config";

const base = (type: DatasourceType): DatasourceArgs => ({ uid: `${type}-uid`, url: `https://${type}.example.com` });

/** The arguments of one datasource with credentials of its own. */
function argsOf(type: DatasourceType, own: Partial<DatasourceArgs>, caCert?: string) {
  const all = { prometheus: base("prometheus"), loki: base("loki"), tempo: base("tempo"), caCert };
  return datasourceResourceArgs(type, { ...all, [type]: { ...base(type), ...own } }, pulumi.output("project/dev@1"));
}

const parsed = async (text: pulumi.Input<string> | undefined) => JSON.parse((await plainValue(pulumi.output(text))) ?? "");

it("a password is for basic auth or, without a user name, a bearer token; secret even if a program passes it in plain text", async () => {
  const basic = argsOf("prometheus", { auth: { username: "1", password: "plain" } });
  expect(basic).toMatchObject({ basicAuthEnabled: true, basicAuthUsername: "1" });
  expect(await pulumi.isSecret(pulumi.output(basic.secureJsonDataEncoded))).toBe(true);
  const bearer = argsOf("loki", { auth: { password: "plain" } });
  const headers = pulumi.output(bearer.httpHeaders);
  expect(await pulumi.isSecret(headers)).toBe(true);
  expect(await plainValue(headers)).toEqual({ Authorization: "Bearer plain" });
  expect(bearer).not.toHaveProperty("secureJsonDataEncoded");
});

it("a datasource without credentials has no field for them", () => {
  expect(Object.keys(argsOf("tempo", {})).sort()).toEqual(["jsonDataEncoded", "name", "type", "uid", "url"]);
});

it("a Prometheus datasource has the type with which Grafana writes to it", async () => {
  const optionsOf = (server?: "prometheus" | "mimir") => parsed(argsOf("prometheus", { server }).jsonDataEncoded);
  expect(await optionsOf("prometheus")).toMatchObject({ prometheusType: "Prometheus" });
  expect(await optionsOf("mimir")).toMatchObject({ prometheusType: "Mimir" });
  expect(await optionsOf()).not.toHaveProperty("prometheusType");
});

it("a CA is added to the other options and credentials of a datasource", async () => {
  const { jsonDataEncoded, secureJsonDataEncoded } = argsOf("tempo", { auth: { username: "1", password: "plain" } }, "the CA");
  const others = await parsed(argsOf("tempo", {}).jsonDataEncoded);
  expect(await parsed(jsonDataEncoded)).toEqual({ ...others, tlsAuthWithCACert: true });
  expect(await pulumi.isSecret(pulumi.output(secureJsonDataEncoded))).toBe(true);
  expect(await parsed(secureJsonDataEncoded)).toEqual({ basicAuthPassword: "plain", tlsCACert: "the CA" });
});
