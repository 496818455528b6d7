/** The service's reason in a message: its plain words in one short line, without a key in any encoding. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readReason } from "../../../src/connection/exchange";
import { redacted, redactText } from "../../../src/text/redact";
import { spellings, spellingsIn } from "../../support/raw-server";

/** The number of characters that are read. */
const limit = 4096;
const keys = ["svc-0123456789-abcdefghij", "plt-9876543210-zyxwvutsrq"];

/** A body that arrives in `parts` and then ends, or fails with `error`. */
async function* inParts(parts: Uint8Array[], error?: Error) {
  yield* parts;
  if (error) throw error;
}

/** `text` in parts of `size` bytes, so that characters and keys are cut in two. */
function cut(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) => bytes.subarray(part * size, (part + 1) * size));
}

const breakingOff = (text: string) => inParts([Buffer.from(text)], new Error("broken"));

const reasonOf = (text: string, secrets = keys) => readReason(inParts([Buffer.from(text)]), secrets);

function expectOneShortLine(reason: string): void {
  expect(reason).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  expect(reason.length).toBeLessThanOrEqual(201);
}

/** Any text with enough letters and digits that no other text contains it by chance. */
const secret = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 4, maxLength: 60 }),
    fc.string({ unit: "binary", minLength: 4, maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(..."\"'\\\n\r\t %&+/=<>{}é😀\u200bAb1"), minLength: 4, maxLength: 60 }),
  )
  .map((text) => `${text}canary-7${text}`);

/** Texts between the keys and their number, including texts that are removed from a message. */
const filler = fc.oneof(
  fc.tuple(fc.constantFrom("", "key ", "not accepted: "), fc.constant(1)),
  fc.tuple(fc.constantFrom("\n", " ", "\t"), fc.oneof(fc.nat(limit + 200), fc.integer({ min: limit - 200, max: limit + 50 }))),
  fc.tuple(fc.constant("<br>"), fc.integer({ min: limit / 4 - 50, max: limit / 4 + 10 })),
);
const way = fc.constantFrom(...(Object.keys(spellings("")) as (keyof ReturnType<typeof spellings>)[]));

/** Bodies that contain a text. */
const shapes: Record<string, (text: string) => string> = {
  text: (text) => text,
  html: (text) => `<!doctype html><html><body><h1>Refused</h1><p>${text}</p></body></html>`,
  message: (text) => JSON.stringify({ status: 401, message: text }),
  "other JSON": (text) => JSON.stringify({ reason: text, more: [text] }),
  "broken JSON": (text) => JSON.stringify({ message: text }).slice(0, -1),
};

describe("keys in the response", () => {
  it("are not shown, in any encoding and at any position", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(secret, secret),
        fc.array(fc.record({ before: filler, whose: fc.constantFrom(0, 1), how: way }), { minLength: 1, maxLength: 4 }),
        filler,
        fc.constantFrom(...Object.values(shapes)),
        fc.integer({ min: 1, max: 5_000 }),
        async (secrets, echoes, end, shape, size) => {
          const fill = ([text, times]: typeof end) => text.repeat(times);
          const bodyOf = (echoed: (echo: (typeof echoes)[number]) => string) =>
            shape(echoes.map((echo) => fill(echo.before) + echoed(echo)).join("") + fill(end));
          // Texts in the body without keys are no leak.
          const harmless = bodyOf(() => redacted);
          fc.pre(spellingsIn(`${harmless} ${await reasonOf(harmless)} ${redactText(harmless, [])}`, secrets).length === 0);
          const body = bodyOf(({ whose, how }) => spellings(secrets[whose])[how]);
          const reason = await readReason(inParts(cut(body, size)), secrets);
          expect(spellingsIn(reason, secrets)).toEqual([]);
          expectOneShortLine(reason);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("are not shown in part if the body breaks off", async () => {
    expect(await readReason(breakingOff("no key is valid, not svc-0123456"), keys)).toBe("no key is valid, not …");
  });
});

describe("the reason", () => {
  it.each([
    ["message", '{"status":401,"message":"Unauthorized"}', "Unauthorized"],
    ["error", '{"error":"Unauthorized"}', "Unauthorized"],
    ["detail", '{"title":"no","detail":"Unauthorized"}', "Unauthorized"],
    ["message before error and detail", '{"detail":"c","error":"b","message":"a"}', "a"],
    ["error where the message is no text", '{"message":{"text":"a"},"error":"no"}', "no"],
    ["no other JSON", '{"errors":["no"]}', redacted],
    ["nothing", "", ""],
  ])("is %s", async (_name, body, reason) => {
    expect((await reasonOf(body)).replace(/\s+/g, " ")).toBe(reason);
  });

  it("is complete if its characters arrive in parts", async () => {
    expect(await readReason(inParts(cut("the key 😀 is invalid", 1)), keys)).toBe("the key … is invalid");
  });

  it("is one short line for any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 6_000 }), async (bytes) => {
        expectOneShortLine(await readReason(inParts([bytes]), keys));
      }),
    );
  });

  it("is the text before the body failed", async () => {
    expect(await readReason(breakingOff("wrong key, and this is why"), keys)).toMatch(/^wrong key/);
  });

  it("is read from the start of an endless body", async () => {
    let sent = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1_000;
        controller.enqueue(Buffer.from("wait ".repeat(200)));
      },
      cancel() {
        cancelled = true;
      },
    });
    expect(await readReason(body, keys)).toBe(`${"wait ".repeat(39)}…`);
    expect(sent).toBeLessThan(limit * 3);
    expect(cancelled).toBe(true);
  });
});
