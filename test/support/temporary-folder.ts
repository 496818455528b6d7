import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type afterAll, onTestFinished } from "vitest";

/** A new folder, which is deleted after the current test, or after all tests of a file. */
export function temporaryFolder(after: typeof onTestFinished | typeof afterAll = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
