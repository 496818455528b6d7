/** A stand-in for Grafana, part: the page at the addresses of dashboards and folders, and the page's files. They come from a built package. */
import { readFile } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
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

export const page = (folder: string): Promise<Answer> => answerWith(join(folder, "index.html"));

/** A file of the page. Requires no credentials, like Grafana's own files. */
export async function file(folder: string, path: string): Promise<Answer> {
  const root = resolve(folder);
  const wanted = resolve(root, decoded(path.slice(files.length)));
  if (!wanted.startsWith(root + sep)) return notFound;
  return answerWith(wanted);
}

const notFound: Answer = { status: 404, body: { message: "Not found" }, contentType: early };

/** "" if it is not valid: no file has this name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

async function answerWith(path: string): Promise<Answer> {
  try {
    const contentType = contentTypes[extname(path)] ?? "application/octet-stream";
    const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
    return { ...ok(await readFile(path)), contentType, headers };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // A missing file, a folder, a name with a null byte.
    if (["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(code)) return notFound;
    throw error;
  }
}
