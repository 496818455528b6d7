import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { type DatasourceArgs, type DatasourcesArgs, datasourceOptions, datasourceResourceArgs } from "../../src/platform/datasources";
import type { DatasourceType } from "../../src/settings/keys";
import { plainValue } from "./config";

const base = (type: DatasourceType): DatasourceArgs => ({ uid: `${type}-uid`, url: `https://${type}.example.com` });

const all = (type: DatasourceType, credentials: Partial<DatasourceArgs>, caCert?: string): DatasourcesArgs => ({
  ...{ prometheus: base("prometheus"), loki: base("loki"), tempo: base("tempo"), caCert },
  [type]: { ...base(type), ...credentials },
});

/** The arguments of one datasource with credentials of its own. */
const argsOf = (type: DatasourceType, credentials: Partial<DatasourceArgs>, caCert?: string) =>
  datasourceResourceArgs(type, all(type, credentials, caCert), pulumi.output("project/dev@1"));

it("a password is for basic auth or, without a user name, a bearer token; secret even if a program passes it in plain text", async () => {
  const basic = argsOf("prometheus", { username: "1", password: "plain" });
  expect(basic).toMatchObject({ basicAuthEnabled: true, basicAuthUsername: "1" });
  expect(await pulumi.isSecret(pulumi.output(basic.secureJsonDataEncoded))).toBe(true);
  const bearer = argsOf("loki", { password: "plain" });
  const headers = pulumi.output(bearer.httpHeaders);
  expect(await pulumi.isSecret(headers)).toBe(true);
  expect(await plainValue(headers)).toEqual({ Authorization: "Bearer plain" });
  expect(bearer).not.toHaveProperty("secureJsonDataEncoded");
});

it("a datasource without credentials has no field for them", () => {
  expect(Object.keys(argsOf("tempo", {})).sort()).toEqual(["jsonDataEncoded", "name", "type", "uid", "url"]);
});

it("a Prometheus datasource has the type with which Grafana writes to it", () => {
  const typeOf = (server?: "prometheus" | "mimir") => datasourceOptions("prometheus", all("prometheus", { server }));
  expect(typeOf("prometheus")).toMatchObject({ prometheusType: "Prometheus" });
  expect(typeOf("mimir")).toMatchObject({ prometheusType: "Mimir" });
  expect(typeOf()).not.toHaveProperty("prometheusType");
});

it("a CA is added to the other options and credentials of a datasource", async () => {
  const withCa = argsOf("tempo", { username: "1", password: "plain" }, "the CA");
  const options = datasourceOptions("tempo", all("tempo", {}));
  expect(datasourceOptions("tempo", all("tempo", {}, "the CA"))).toEqual({ ...options, tlsAuthWithCACert: true });
  const encoded = pulumi.output(withCa.secureJsonDataEncoded);
  expect(await pulumi.isSecret(encoded)).toBe(true);
  expect(JSON.parse((await plainValue(encoded)) ?? "")).toEqual({ basicAuthPassword: "plain", tlsCACert: "the CA" });
});
