/** A stand-in for Grafana, part: the page at the addresses of dashboards and folders, and the page's files. They come from a built package. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Answer, early, ok } from "./http";

/** Like Grafana, the same page for each dashboard and folder, whether it exists or not. */
const pages = /^\/(d|dashboards\/f)\/[^/]+(\/[^/]*)?$/;
const files = "/public/view/";

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export const isPage = (method: string, path: string) => method === "GET" && pages.test(path);
export const isFile = (method: string, path: string) => method === "GET" && path.startsWith(files);

export const page = (folder: string): Promise<Answer> => answerWith(folder, "index.html");

/** A file of the page: other paths than the names of its files do not exist. Requires no credentials, like Grafana's own files. */
export async function file(folder: string, path: string): Promise<Answer> {
  const name = path.slice(files.length);
  const names = await readdir(folder, { recursive: true });
  return names.includes(name) && extname(name) ? answerWith(folder, name) : notFound;
}

const notFound: Answer = { status: 404, body: { message: "Not found" }, contentType: early };

async function answerWith(folder: string, name: string): Promise<Answer> {
  const contentType = contentTypes[extname(name)] ?? "application/octet-stream";
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  return { ...ok(await readFile(join(folder, name))), contentType, headers };
}
