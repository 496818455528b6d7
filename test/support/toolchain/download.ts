/** Downloads official release archives and checks them against the published SHA-256 checksums. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { EnvHttpProxyAgent, fetch } from "undici";
import { reasonOf } from "../../../src/network/transport";
import { run } from "../run";
import { during } from "./progress";
import type { Places, Tool } from "./pulumi";

/** The release is not available: no network, no such file, or an incomplete transfer. A build may be possible. */
export class NotReachable extends Error {}

/**
 * Downloads the tool's archive, checks it and unpacks the programs.
 *
 * @throws NotReachable; Error if the archive differs from the published one: no build follows, the user has to check the reason
 */
export async function download({ archive, checksums, unpack = unpackFolder }: Tool, { work, bin }: Places): Promise<void> {
  const name = basename(new URL(archive).pathname);
  const list = (await (await get(checksums, 15_000)).text()).trim().split("\n");
  // `<checksum>  <name>`, or only the checksum in a file for one archive.
  const expected = list.map((line) => line.trim().split(/\s+\*?/)).find(([, file = name]) => file === name)?.[0];
  if (!expected) throw new NotReachable(`${checksums} has no checksum for ${name}`);

  const file = join(work, name);
  const receive = async () => {
    const { body } = await get(archive, 15 * 60_000);
    await writeFile(file, body ?? "").catch((error: unknown) => {
      throw new NotReachable(`the download of ${archive} is incomplete (${reasonOf(error)})`);
    });
  };
  await during(`downloading ${archive}`, receive);
  const actual = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  if (actual !== expected.toLowerCase()) {
    throw new Error(`${archive} does not match its published checksum: expected ${expected}, got ${actual}. Nothing was installed.`);
  }
  await unpack(file, bin);
}

const unpackFolder = async (archive: string, bin: string) => {
  await run("tar", ["-xzf", archive, "-C", bin, "--strip-components=1"]);
};

/** @param timeout in milliseconds */
async function get(url: string, timeout: number) {
  try {
    // GitHub redirects the download of a release.
    const response = await fetch(url, { dispatcher: new EnvHttpProxyAgent(), signal: AbortSignal.timeout(timeout) });
    if (response.ok) return response;
    throw new NotReachable(`${url} returned status ${response.status}`);
  } catch (error) {
    throw error instanceof NotReachable ? error : new NotReachable(`${new URL(url).host} cannot be reached (${reasonOf(error)})`);
  }
}
