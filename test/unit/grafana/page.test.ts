/** The stand-in for Grafana, beyond the recordings: the files of its page, and requests without credentials. What the page shows: see the demo's test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { bearer, call, own, useGrafana } from "./client";

useGrafana(() => ({ viewFolder: join(own.folder, "view"), anonymous: "Viewer" }));

beforeEach(() => {
  mkdirSync(join(own.folder, "view/assets"), { recursive: true });
  writeFileSync(join(own.folder, "view/index.html"), "<!doctype html>");
  for (const name of ["secret.json", "view-secret.json"]) writeFileSync(join(own.folder, name), "canary");
});

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

it.each([
  "/public/view/../secret.json",
  "/public/view/%2e%2e/secret.json",
  "/public/view/..%2fview-secret.json",
  "/public/view/missing.js",
])("has no file at %s", async (path) => {
  const { status, text } = await rawGet(path);
  expect(status).toBe(404);
  expect(text).not.toMatch(/canary|root:/);
});

it("has the page for everybody, except for wrong credentials; nobody changes anything without credentials", async () => {
  expect(await rawGet("/d/b")).toEqual({ status: 200, text: "<!doctype html>" });
  expect(await call("GET", "/d/b", undefined, bearer("wrong"))).toMatchObject({ status: 401 });
  expect(await call("POST", "/api/folders", { title: "New" }, { authorization: "" })).toMatchObject({ status: 403 });
});
