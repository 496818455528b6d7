/** The stand-in for Grafana, beyond the recordings: anonymous access, and the page for dashboards and folders. */
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { addFolder, basic, bearer, board, call, datasource, done, own, start, useGrafana } from "./client";

useGrafana();

const nobody: Record<string, string> = {};
const html = "<!doctype html><title>view</title>";

/** A request whose path is not normalized. */
const rawGet = (path: string) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(own.url);
    request({ hostname, port, path }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    })
      .on("error", reject)
      .end();
  });

beforeEach(async () => {
  await addFolder("a", "A");
  await done("POST", "/api/dashboards/db", board("b", "B"));
  await done("POST", "/api/datasources", {
    ...datasource,
    basicAuth: true,
    basicAuthUser: "u",
    secureJsonData: { basicAuthPassword: "canary" },
  });
  const viewFolder = join(own.folder, "view");
  mkdirSync(join(viewFolder, "assets"), { recursive: true });
  writeFileSync(join(viewFolder, "index.html"), html);
  writeFileSync(join(viewFolder, "assets/index-DiwrgTda.js"), "export {};");
  writeFileSync(join(viewFolder, "assets/plain.svg"), "<svg/>");
  writeFileSync(join(own.folder, "secret.json"), "canary");
  writeFileSync(join(own.folder, "view-secret.json"), "canary");
  own.url = await start({ viewFolder, anonymous: "Viewer" });
});

describe("requests without credentials", () => {
  it.each(["/api/org", "/api/dashboards/uid/b", "/api/search?folderUIDs=a&type=dash-db", "/api/datasources", "/api/frontend/settings"])(
    "read %s as a Viewer",
    async (path) => {
      expect(await call("GET", path, undefined, nobody)).toMatchObject({ status: 200 });
    },
  );

  it.each<[string, string, unknown]>([
    ["POST", "/api/folders", { title: "New" }],
    ["POST", "/api/dashboards/db", board("b", "B")],
    ["DELETE", "/api/datasources/uid/own-metrics", undefined],
    ["POST", "/api/serviceaccounts", { name: "x" }],
  ])("cannot %s %s", async (method, path, body) => {
    expect(await call(method, path, body, nobody)).toMatchObject({ status: 403 });
  });

  it("do not see a folder without a grant for Viewers", async () => {
    await done("POST", "/api/access-control/folders/a", { permissions: [{ builtInRole: "Viewer", permission: "" }] });
    expect(await done("GET", "/api/search?type=dash-db", undefined, nobody)).toEqual([]);
  });

  it("are refused with wrong credentials", async () => {
    for (const headers of [{ authorization: "Bearer wrong" }, basic("admin", "wrong")]) {
      expect(await call("GET", "/api/org", undefined, headers)).toMatchObject({ status: 401 });
      expect(await call("GET", "/d/b", undefined, headers)).toMatchObject({ status: 401 });
    }
  });

  it("are refused by default", async () => {
    own.url = await start({ viewFolder: join(own.folder, "view") });
    expect(await call("GET", "/api/org", undefined, nobody)).toMatchObject({ status: 401 });
    expect(await call("GET", "/d/b", undefined, nobody)).toMatchObject({ status: 401 });
    expect(await call("GET", "/d/b", undefined, bearer)).toMatchObject({ status: 200 });
  });
});

describe("the page", () => {
  it.each(["/d/b", "/d/b/b", "/d/b/b?from=now-1h&var-x=y", "/d/missing/x", "/dashboards/f/a", "/dashboards/f/a/a"])(
    "is at %s",
    async (path) => {
      const response = await fetch(`${own.url}${path}`);
      expect([response.status, await response.text()]).toEqual([200, html]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
      });
    },
  );

  it.each(["/d", "/d/", "/dashboards", "/dashboards/f", "/d/b/b/b", "/e/b", "/"])("is not at %s", async (path) => {
    expect(await call("GET", path, undefined, nobody)).toMatchObject({ status: 404 });
  });

  it("is not there without a folder", async () => {
    own.url = await start({ anonymous: "Viewer" });
    for (const path of ["/d/b", "/dashboards/f/a", "/public/view/index.html"]) {
      expect(await call("GET", path, undefined, nobody)).toMatchObject({ status: 404 });
    }
  });

  it("has its files, which caches keep if the name has a hash", async () => {
    const [script, image] = await Promise.all(
      ["assets/index-DiwrgTda.js", "assets/plain.svg"].map((name) => fetch(`${own.url}/public/view/${name}`)),
    );
    expect([script?.status, image?.status]).toEqual([200, 200]);
    expect(await script?.text()).toBe("export {};");
    expect(Object.fromEntries(script?.headers ?? [])).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(Object.fromEntries(image?.headers ?? [])).toMatchObject({ "content-type": "image/svg+xml", "cache-control": "no-cache" });
  });

  it.each([
    "/public/view/../secret.json",
    "/public/view/%2e%2e/secret.json",
    "/public/view/..%2fsecret.json",
    "/public/view/assets/..%2f..%2fsecret.json",
    "/public/view/..%5csecret.json",
    "/public/view/%2fetc%2fpasswd",
    "/public/view//etc/passwd",
    "/public/view/..%2fview-secret.json",
    "/public/view/index.html%00.js",
    "/public/view/%",
    "/public/view/",
    "/public/view/assets",
    "/public/view/index.html/x",
    "/public/view/missing.js",
    `/public/view/${"x".repeat(300)}`,
  ])("has no file at %s", async (path) => {
    const { status, text } = await rawGet(path);
    expect(status).toBe(404);
    expect(text).not.toMatch(/canary|root:/);
  });

  it("is read only", async () => {
    for (const path of ["/d/b", "/public/view/index.html"]) expect(await call("POST", path, {})).toMatchObject({ status: 404 });
  });
});

it("the settings of the page have the datasources by name, without credentials", async () => {
  const { datasources, defaultDatasource, buildInfo } = await done("GET", "/api/frontend/settings", undefined, nobody);
  expect(buildInfo.version).toBe("12.4.3");
  expect(defaultDatasource).toBe("metrics");
  expect(datasources).toEqual({
    metrics: {
      id: 1,
      uid: "own-metrics",
      type: "prometheus",
      name: "metrics",
      url: "/api/datasources/proxy/uid/own-metrics",
      access: "proxy",
      isDefault: true,
      readOnly: false,
      jsonData: { directUrl: datasource.url },
    },
  });
  expect(JSON.stringify(datasources)).not.toContain("canary");
});
