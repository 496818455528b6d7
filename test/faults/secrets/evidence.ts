/** What was searched for secrets, and the proof that they would have been found there. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { findSecrets, spellings } from "./search";

type Secrets = Readonly<Record<string, string>>;

export class Evidence {
  /** One line for each place: how much was searched, for how many secrets, in how many spellings one was planted and found. */
  readonly table: { place: string; characters: number; secrets: number; planted: number }[] = [];

  private readonly secrets: Record<string, string>;

  constructor(secrets: Secrets) {
    this.secrets = { ...secrets };
  }

  /** A secret that came into being meanwhile. */
  add(name: string, value: string): void {
    this.secrets[name] = value;
  }

  /** No secret is in the text; then each one, in each spelling, is put into its midst, and found. */
  none(place: string, text: string): void {
    expect(findSecrets(text, this.secrets), `${place}: ${text.slice(0, 2000)}`).toEqual([]);
    this.note(place, text, (planted) => text.slice(0, text.length / 2) + planted + text.slice(text.length / 2));
  }

  /** The same of all files in a folder; each secret is written into a copy of each file. */
  noneInFiles(place: string, folder: string): void {
    const whole = textOf(folder);
    expect(findSecrets(whole, this.secrets), place).toEqual([]);
    const copy = mkdtempSync(join(tmpdir(), "planted-"));
    try {
      cpSync(folder, copy, { recursive: true });
      const files = filesIn(copy);
      const middle = files[Math.floor(files.length / 2)] ?? copy;
      const before = readFileSync(middle);
      this.note(`${place}, ${files.length} files`, whole, (planted) => {
        writeFileSync(middle, Buffer.concat([before, Buffer.from(planted)]));
        return textOf(copy);
      });
    } finally {
      rmSync(copy, { recursive: true });
    }
  }

  /** The same of the command lines of processes; `plant` starts one with these on it, and returns the command lines then seen. */
  async noneOfProcesses(place: string, processes: string, plant: (texts: string[]) => Promise<string>): Promise<void> {
    this.none(place, processes);
    const found = findSecrets(await plant(Object.values(this.secrets)), this.secrets).filter(({ spelling }) => spelling === "plain");
    expect(found.map(({ secret }) => secret)).toEqual(Object.keys(this.secrets));
  }

  private note(place: string, text: string, plant: (planted: string) => string): void {
    const wanted = Object.entries(this.secrets).flatMap(([secret, value]) =>
      Object.entries(spellings(value)).map(([spelling, spelled]) => ({ secret, spelling, spelled })),
    );
    const found = findSecrets(plant(`\n${wanted.map(({ spelled }) => spelled).join("\n")}\n`), this.secrets);
    const keys = new Set(found.map(({ secret, spelling }) => `${secret} ${spelling}`));
    expect(wanted.filter(({ secret, spelling }) => !keys.has(`${secret} ${spelling}`))).toEqual([]);
    this.table.push({ place, characters: text.length, secrets: Object.keys(this.secrets).length, planted: wanted.length });
  }
}

/** All files below a folder, whether or not they hide. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The text of all files below a folder, unpacked where they are packed. */
function textOf(folder: string): string {
  return filesIn(folder)
    .map((file) => {
      const content = readFileSync(file);
      return `${file}\n${content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content}`;
    })
    .join("\n");
}

/** The files below a folder that hold a secret, and what others than their owner may do with them, as in `chmod`. */
export function filesWithSecrets(folder: string, secrets: Secrets): { file: string; mode: string }[] {
  const holding = filesIn(folder).filter((file) => findSecrets(readFileSync(file, "utf8"), secrets).length > 0);
  return holding.map((file) => ({ file: file.slice(folder.length + 1), mode: (statSync(file).mode & 0o777).toString(8) }));
}
