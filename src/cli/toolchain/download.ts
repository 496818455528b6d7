/** Downloads official release archives and checks them against the published SHA-256 checksums. */
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { unzipSync } from "fflate";
import { openTransport, reasonOf } from "../../network/transport";
import { run } from "../run";
import type { Progress } from "./progress";
import type { Places, Tool } from "./tools";

/** The release is not available: no network, no such file, or an incomplete transfer. A build may be possible. */
export class NotReachable extends Error {}

/**
 * Downloads the tool's archive, checks it and unpacks the programs.
 *
 * @throws NotReachable; Error if the archive differs from the published one: no build follows, the user has to check the reason
 */
export async function download(tool: Tool, places: Places, progress: Progress): Promise<void> {
  const { archive, checksums } = tool;
  const name = basename(new URL(archive).pathname);
  // Lines of the form `<checksum>  <name>`, or only the checksum in a file of this archive.
  const list = (await (await get(checksums, 15_000)).text()).split("\n").map((line) => line.trim().split(/\s+\*?/));
  const own = checksums === `${archive}.sha256` ? /^[0-9a-f]{64}$/i.exec(list[0]?.join(" ") ?? "")?.[0] : undefined;
  const expected = (own ?? list.find(([, file]) => file === name)?.[0])?.toLowerCase();
  if (!expected) throw new NotReachable(`${checksums} has no checksum for ${name}`);

  const file = join(places.work, name);
  let received = 0;
  const actual = await progress.during(
    `downloading ${archive}`,
    async () => {
      const response = await get(archive, 15 * 60_000);
      const hash = createHash("sha256");
      async function* counted() {
        for await (const chunk of response.body ?? []) {
          received += chunk.length;
          hash.update(chunk);
          yield chunk;
        }
      }
      await writeFile(file, counted()).catch((error: unknown) => {
        throw new NotReachable(`the download of ${archive} is incomplete (${reasonOf(error)})`);
      });
      return hash.digest("hex");
    },
    () => `, ${Math.round(received / 1_000_000)} MB`,
  );
  if (actual !== expected) {
    throw new Error(`${archive} does not match its published checksum: expected ${expected}, got ${actual}. Nothing was installed.`);
  }
  await unpack(file, tool, places);
}

async function unpack(file: string, { files }: Tool, { work, bin }: Places): Promise<void> {
  if (!files) {
    await run("tar", ["-xzf", file, "-C", bin, "--strip-components=1"]);
  } else if (file.endsWith(".zip")) {
    // Not every machine has a program for zip archives.
    const contents = unzipSync(await readFile(file), { filter: ({ name }) => Object.hasOwn(files, name) });
    for (const [inArchive, name] of Object.entries(files)) {
      const content = contents[inArchive];
      if (!content) throw new Error(`${basename(file)} does not contain ${inArchive}. Nothing was installed.`);
      await writeFile(join(bin, name), content, { mode: 0o755 });
    }
  } else {
    await run("tar", ["-xzf", file, "-C", work, ...Object.keys(files)]);
    for (const [inArchive, name] of Object.entries(files)) await rename(join(work, inArchive), join(bin, name));
  }
}

/** @param timeout in milliseconds */
async function get(url: string, timeout: number) {
  try {
    // GitHub redirects the download of a release.
    const response = await openTransport().fetch(url, { redirect: "follow", signal: AbortSignal.timeout(timeout) });
    if (response.ok) return response;
    throw new NotReachable(`${url} returned status ${response.status}`);
  } catch (error) {
    throw error instanceof NotReachable ? error : new NotReachable(`${new URL(url).host} cannot be reached (${reasonOf(error)})`);
  }
}
