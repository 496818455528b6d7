/** Downloads official release archives and checks them against the published SHA-256 checksums. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { unzipSync } from "fflate";
import type { Response } from "undici";
import { openTransport, reasonOf } from "../../network/transport";
import { run } from "../run";
import type { Progress } from "./progress";
import type { Places, Tool } from "./tools";

/** The release is not available: no network, no such file, or an incomplete transfer. A build may be possible. */
export class NotReachable extends Error {}

/** The archive differs from the published one. No build follows: the user has to check the reason. */
export class ChecksumMismatch extends Error {}

/** Timeouts in milliseconds. */
const listTimeout = 15_000;
const archiveTimeout = 15 * 60_000;

/**
 * Downloads the tool's archive, checks it and unpacks the programs.
 *
 * @throws NotReachable, ChecksumMismatch
 */
export async function download(tool: Tool, places: Places, progress: Progress): Promise<void> {
  const { archive, checksums } = tool.download;
  const name = basename(new URL(archive).pathname);
  const list = await (await get(checksums, listTimeout)).text();
  const expected = checksumOf(name, list);
  if (!expected) throw new NotReachable(`${checksums} has no checksum for ${name}`);

  const file = join(places.work, name);
  let received = 0;
  const actual = await progress.during(
    `downloading ${archive}`,
    async () => {
      const response = await get(archive, archiveTimeout);
      const hash = createHash("sha256");
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          received += chunk.length;
          hash.update(chunk);
          done(null, chunk);
        },
      });
      const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      await pipeline(body, count, createWriteStream(file)).catch((error: unknown) => {
        throw new NotReachable(`the download of ${archive} is incomplete (${reasonOf(error)})`);
      });
      return hash.digest("hex");
    },
    () => `, ${Math.round(received / 1_000_000)} MB`,
  );
  if (actual !== expected) {
    throw new ChecksumMismatch(
      `${archive} does not match its published checksum: expected ${expected}, got ${actual}. Nothing was installed.`,
    );
  }
  await unpack(file, tool, places);
}

/** The SHA-256 checksum of `name` in a list of lines `<hex>  <name>`. */
function checksumOf(name: string, list: string): string | undefined {
  const line = list.split("\n").find((line) => line.trim().split(/\s+\*?/)[1] === name);
  return line?.trim().split(/\s+/)[0]?.toLowerCase();
}

async function unpack(file: string, { download: { programs } }: Tool, { work, bin }: Places): Promise<void> {
  if (!programs) {
    await run("tar", ["-xzf", file, "-C", bin, "--strip-components=1"]);
  } else if (file.endsWith(".zip")) {
    // Not every machine has a program for zip archives.
    const files = unzipSync(await readFile(file), { filter: ({ name }) => Object.hasOwn(programs, name) });
    for (const [inArchive, name] of Object.entries(programs)) {
      const content = files[inArchive];
      if (!content) throw new Error(`${basename(file)} does not contain ${inArchive}. Nothing was installed.`);
      await writeFile(join(bin, name), content, { mode: 0o755 });
    }
  } else {
    await run("tar", ["-xzf", file, "-C", work, ...Object.keys(programs)]);
    for (const [inArchive, name] of Object.entries(programs)) await rename(join(work, inArchive), join(bin, name));
  }
}

async function get(url: string, timeout: number): Promise<Response> {
  try {
    const response = await openTransport().fetch(url, { signal: AbortSignal.timeout(timeout) });
    if (response.ok) return response;
    throw new NotReachable(`${url} returned status ${response.status}`);
  } catch (error) {
    throw error instanceof NotReachable ? error : new NotReachable(`${new URL(url).host} cannot be reached (${reasonOf(error)})`);
  }
}
