/** A copy of the project in which `npm run local` works, without the installed packages and the page of the view. */
import { cpSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

const parts = [
  "Pulumi.yaml",
  "Pulumi.local.yaml",
  "index.ts",
  "src",
  "test/sandbox",
  "test/support/run.ts",
  "test/support/toolchain",
  "package.json",
  "tsconfig.json",
];

/** Copies the project, since `npm run local` works in the folder of its files. The packages are a link. */
export function copyProject(root: string, folder: string): void {
  const isOwn = (path: string) => !["node_modules", "build"].includes(basename(path));
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true, filter: isOwn });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}
