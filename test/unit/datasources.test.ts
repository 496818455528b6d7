import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { datasourceResourceArgs } from "../../src/platform/datasources";

const base = { uid: "a", url: "https://prometheus.example.com" };

it("credentials are secret also where a program hands them over in plain", async () => {
  const basic = datasourceResourceArgs("prometheus", { ...base, username: "1", password: "plain" }, {}, undefined);
  expect(basic).toMatchObject({ basicAuthEnabled: true, basicAuthUsername: "1" });
  expect(await pulumi.isSecret(pulumi.output(basic.secureJsonDataEncoded))).toBe(true);
  const bearer = datasourceResourceArgs("loki", { ...base, token: "plain" }, {}, undefined);
  expect(await pulumi.isSecret(pulumi.output(bearer.httpHeaders))).toBe(true);
});

it("a datasource without credentials has no field for them", () => {
  const plain = datasourceResourceArgs("tempo", base, { serviceMap: { datasourceUid: "a" } }, undefined);
  expect(Object.keys(plain).sort()).toEqual(["jsonDataEncoded", "name", "type", "uid", "url"]);
  expect(plain.jsonDataEncoded).toBe('{"serviceMap":{"datasourceUid":"a"}}');
});

it("a CA is trusted beside whatever else a datasource has", async () => {
  const links = { serviceMap: { datasourceUid: "a" } };
  const own = datasourceResourceArgs("tempo", { ...base, username: "1", password: "plain" }, links, "the CA");
  expect(JSON.parse(String(own.jsonDataEncoded))).toEqual({ ...links, tlsAuthWithCACert: true });
  const encoded = pulumi.output(own.secureJsonDataEncoded);
  expect(await pulumi.isSecret(encoded)).toBe(true);
  const secrets = await new Promise((resolve) => encoded.apply((text) => resolve(JSON.parse(text ?? ""))));
  expect(secrets).toEqual({ basicAuthPassword: "plain", tlsCACert: "the CA" });
});
