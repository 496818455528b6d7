/** The folder of one run of the demo, with the stack's state and the sandbox's. It exists only while the demo runs. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";

/** In milliseconds. A lock that was not renewed for this time belongs to a killed process. */
const stale = 10_000;

/**
 * Makes an empty folder.
 *
 * @param root the project's folder
 * @throws Error if another demo uses it
 */
export async function claimFolder(root: string): Promise<{ folder: string; release: () => Promise<void> }> {
  const claimed = join(root, ".demo");
  mkdirSync(claimed, { recursive: true });
  const unlock = await lock(claimed, { lockfilePath: join(claimed, "lock"), stale }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ELOCKED") throw error;
    throw new Error(
      `Another "npm run demo" uses ${claimed}. Stop it with Ctrl-C. If it was killed, try again after ${stale / 1000} seconds.`,
    );
  });
  const folder = join(claimed, "run");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  return {
    folder,
    async release() {
      await unlock();
      rmSync(claimed, { recursive: true, force: true });
    },
  };
}
