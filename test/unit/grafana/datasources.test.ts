/** The stand-in for Grafana, beyond the recordings: refused datasources, and secrets in an update. */
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
  ])("are refused with %s", async (_what, body, status, answered) => {
    expect(await call("POST", "/api/datasources", body)).toMatchObject({ status, body: answered });
    expect(readGrafanaState(own.stateFile).datasources).toHaveLength(1);
  });

  it("are replaced by an update, which keeps the secrets that it omits", async () => {
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
});
