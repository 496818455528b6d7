/** The service's reason in a message: one short line, without a key. `redact.test.ts` has all other texts. */
import { describe, expect, it } from "vitest";
import { readReason } from "../../../src/connection/exchange";
import { spellings, spellingsIn } from "../../support/raw-server";

/** The number of characters that are read. */
const limit = 4096;
const keys = ["svc-0123456789-abcdefghij", "plt-9876543210-zyxwvutsrq"];

/** `text` in parts of `size` bytes, so that characters and keys are cut in two. */
function cut(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) => bytes.subarray(part * size, (part + 1) * size));
}

describe("keys in the response", () => {
  it.each<[what: string, body: (text: string) => string]>([
    ["text", (text) => text],
    ["a message", (text) => JSON.stringify({ status: 401, message: text })],
    ["other JSON", (text) => JSON.stringify({ reason: text, more: [text] })],
    ["broken JSON", (text) => JSON.stringify({ message: text }).slice(0, -1)],
  ])("are not shown in %s, however it arrives", async (_what, body) => {
    // Keys at the start, and across the last character that is read.
    for (const before of ["not valid: ", "\n".repeat(limit - 10)]) {
      for (const size of [7, 5_000]) {
        const text = body(before + keys.flatMap((key) => Object.values(spellings(key))).join(" "));
        const reason = await readReason(ReadableStream.from(cut(text, size)), keys);
        expect(spellingsIn(reason, keys)).toEqual([]);
        expect(reason).not.toMatch(/\d{4}|abc|zyx/);
        expect(reason).toMatch(/^[^\p{Cc}\u2028\u2029]{1,201}$/u);
      }
    }
  });

  it("are not shown in part if the body breaks off; the words before are", async () => {
    async function* breakingOff() {
      yield Buffer.from("no key is valid, not svc-0123456");
      throw new Error("broken");
    }
    expect(await readReason(breakingOff(), keys)).toBe("no key is valid, not [redacted]");
  });
});

describe("the reason", () => {
  it.each([
    ["detail", '{"title":"no","detail":"Unauthorized"}', "Unauthorized"],
    ["message before error and detail", '{"detail":"c","error":"b","message":"a"}', "a"],
    ["error where the message is no text", '{"message":{"text":"a"},"error":"no"}', "no"],
    ["no other JSON", '{"errors":["no"]}', '{"errors":["no"]}'],
    ["nothing", "", ""],
  ])("is %s", async (_name, body, reason) => {
    expect((await readReason(ReadableStream.from([Buffer.from(body)]), keys)).replace(/\s+/g, " ")).toBe(reason);
  });

  it("is read from the start of an endless body", async () => {
    let sent = 0;
    async function* endless() {
      for (; sent < 1_000_000; sent += 1_000) yield Buffer.from("wait ".repeat(200));
    }
    expect(await readReason(endless(), keys)).toBe(`${"wait ".repeat(40).slice(0, 199)}…`);
    expect(sent).toBeLessThan(limit * 3);
  });
});
