/** The stand-in for Grafana, beyond what the recordings show: datasources. */
import { beforeEach, describe, expect, it } from "vitest";
import { readGrafanaState } from "../../sandbox/grafana/state";
import { call, datasource, done, own, useGrafana } from "./client";

useGrafana();

describe("datasources", () => {
  beforeEach(() => done("POST", "/api/datasources", datasource));

  it.each<[string, unknown, number, unknown]>([
    ["a taken name", { ...datasource, uid: "other" }, 409, { message: "data source with the same name already exists" }],
    ["a taken uid", { ...datasource, name: "other" }, 409, { message: "data source with the same uid already exists" }],
    ["no type", { ...datasource, name: "other", type: undefined }, 400, { message: expect.stringContaining("type") }],
    [
      "no http address",
      { ...datasource, name: "other", uid: "other", url: "localhost" },
      400,
      { message: "Validation error, invalid URL" },
    ],
    ["a uid of 41 characters", { ...datasource, name: "other", uid: "x".repeat(41) }, 400, { messageId: "datasource.uidInvalid" }],
  ])("are not made with %s", async (_what, body, status, answered) => {
    expect(await call("POST", "/api/datasources", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(own.stateFile).datasources).toHaveLength(1);
  });

  it("are found by uid and by name, listed by name, and deleted", async () => {
    await done("POST", "/api/datasources", { name: "Logs", type: "loki", access: "proxy", isDefault: true });
    const { uid } = await done("GET", "/api/datasources/name/Logs");
    expect(await done("GET", `/api/datasources/uid/${uid}`)).toMatchObject({
      name: "Logs",
      jsonData: {},
      secureJsonFields: {},
      isDefault: true,
    });
    const list = await done("GET", "/api/datasources");
    expect(list).toMatchObject([
      { name: "Logs", typeName: "Loki" },
      { name: "metrics", isDefault: false },
    ]);
    expect(list[0]).not.toHaveProperty("secureJsonFields");
    await done("PUT", "/api/datasources/uid/own-metrics", { ...datasource, isDefault: true });
    expect(await done("GET", `/api/datasources/uid/${uid}`)).toMatchObject({ isDefault: false });
    expect(await done("DELETE", `/api/datasources/uid/${uid}`)).toEqual({ id: 2, message: "Data source deleted" });
    expect(await call("GET", "/api/datasources/name/Logs")).toMatchObject({ status: 404, body: { message: "Data source not found" } });
  });

  it("are replaced by an update, except for secrets that it does not name", async () => {
    const path = "/api/datasources/uid/own-metrics";
    await done("PUT", path, {
      ...datasource,
      basicAuth: true,
      basicAuthUser: "u",
      secureJsonData: { basicAuthPassword: "p", tlsCACert: "c" },
    });
    await done("PUT", path, { ...datasource, uid: "renamed", secureJsonData: { tlsCACert: "" } });
    expect(await call("GET", path)).toMatchObject({ status: 404 });
    const shown = await done("GET", "/api/datasources/uid/renamed");
    expect(shown).toMatchObject({ basicAuth: false, basicAuthUser: "", secureJsonFields: { basicAuthPassword: true } });
    expect(shown.secureJsonFields).not.toHaveProperty("tlsCACert");
    expect(JSON.stringify(shown)).not.toContain('"p"');
  });

  it("are updated at their version, to a name that is free", async () => {
    const path = "/api/datasources/uid/own-metrics";
    await done("POST", "/api/datasources", { ...datasource, name: "other", uid: "other" });
    expect(await call("PUT", path, { ...datasource, name: "other" })).toMatchObject({ status: 409 });
    expect((await done("PUT", path, { ...datasource, version: 1 })).datasource.version).toBe(2);
    expect(await call("PUT", path, { ...datasource, version: 1 })).toMatchObject({ status: 409 });
    expect((await done("PUT", path, { ...datasource, version: 2 })).datasource.version).toBe(3);
    expect(await call("PUT", "/api/datasources/uid/nope", datasource)).toMatchObject({ status: 404 });
  });
});
