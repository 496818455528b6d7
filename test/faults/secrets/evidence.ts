/** The searched texts, and the proof that the search finds secrets in them. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { spellings } from "../../support/raw-server";
import { findSecrets } from "./search";

type Secrets = Readonly<Record<string, string>>;

export class Evidence {
  private readonly secrets: Record<string, string>;

  constructor(secrets: Secrets) {
    this.secrets = { ...secrets };
  }

  /** Adds a secret that was created later. */
  add(name: string, value: string): void {
    this.secrets[name] = value;
  }

  /** Expects no secret in the text. Then plants each one, in each encoding, in the middle of the text and finds it. */
  none(place: string, text: string): void {
    expect(findSecrets(text, this.secrets), `${place}: ${text.slice(0, 2000)}`).toEqual([]);
    this.prove((planted) => text.slice(0, text.length / 2) + planted + text.slice(text.length / 2));
  }

  /** The same for all files in a folder; each secret is planted in a copy of each file. */
  noneInFiles(place: string, folder: string): void {
    const whole = textOf(folder);
    expect(findSecrets(whole, this.secrets), place).toEqual([]);
    const copy = mkdtempSync(join(tmpdir(), "planted-"));
    try {
      cpSync(folder, copy, { recursive: true });
      const files = filesIn(copy);
      const middle = files[Math.floor(files.length / 2)] ?? copy;
      const before = readFileSync(middle);
      this.prove((planted) => {
        writeFileSync(middle, Buffer.concat([before, Buffer.from(planted)]));
        return textOf(copy);
      });
    } finally {
      rmSync(copy, { recursive: true });
    }
  }

  /** The same for command lines; `plant` starts a process with these arguments and returns the command lines found. */
  async noneOfProcesses(place: string, processes: string, plant: (texts: string[]) => Promise<string>): Promise<void> {
    this.none(place, processes);
    const found = findSecrets(await plant(Object.values(this.secrets)), this.secrets).filter(({ spelling }) => spelling === "plain");
    expect(found.map(({ secret }) => secret)).toEqual(Object.keys(this.secrets));
  }

  /** Plants each secret in each encoding, in part, and in the base64 of a login, and finds it. */
  private prove(plant: (planted: string) => string): void {
    const wanted = Object.entries(this.secrets).flatMap(([secret, value]) => {
      const login = Buffer.from(`user:${value}`).toString("base64");
      const planted = { ...spellings(value), "in part": value.slice(-12), "within base64": login };
      return Object.entries(planted).map(([spelling, spelled]) => ({ secret, spelling, spelled }));
    });
    const found = findSecrets(plant(`\n${wanted.map(({ spelled }) => spelled).join("\n")}\n`), this.secrets);
    const keys = new Set(found.map(({ secret, spelling }) => `${secret} ${spelling}`));
    expect(wanted.filter(({ secret, spelling }) => !keys.has(`${secret} ${spelling}`))).toEqual([]);
  }
}

/** All files below a folder, including hidden ones. */
export function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The text of all files below a folder, decompressed if necessary. */
function textOf(folder: string): string {
  return filesIn(folder)
    .map((file) => {
      const content = readFileSync(file);
      return `${file}\n${content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content}`;
    })
    .join("\n");
}

/** The files below a folder that contain a secret, with the permissions of group and others, as in `chmod`. */
export function filesWithSecrets(folder: string, secrets: Secrets): { file: string; mode: string }[] {
  const holding = filesIn(folder).filter((file) => findSecrets(readFileSync(file, "utf8"), secrets).length > 0);
  return holding.map((file) => ({ file: file.slice(folder.length + 1), mode: (statSync(file).mode & 0o777).toString(8) }));
}
