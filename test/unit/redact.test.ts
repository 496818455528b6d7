/**
 * Redaction of responses: no part of a key remains, in any encoding and however split; ordinary messages are unchanged; and nothing reveals that a
 * word is a password.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsSecret, redactText } from "../../src/text/redact";

const bytes = (text: string) => [...Buffer.from(text, "utf8")];
const inBase =
  (base: number, width: number) =>
  (text: string, apart = "") =>
    bytes(text)
      .map((byte) => byte.toString(base).padStart(width, "0"))
      .join(apart);
const hex = inBase(16, 2);
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

function base32(text: string): string {
  const groups = inBase(2, 8)(text).match(/.{1,5}/g) ?? [];
  const signs = groups.map((group) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
  return signs.padEnd(Math.ceil(signs.length / 8) * 8, "=");
}

const escaped = (each: (sign: string) => string) => (text: string) => text.replace(/[^a-z0-9 ]/giu, each);
const named: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const unicode = (text: string) => text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const json = (text: string) => JSON.stringify(text).slice(1, -1);

/** Encodings of a whole text; the result is split. */
const encodings: Record<string, (key: string) => string> = {
  plain: (key) => key,
  "upper case": (key) => key.toUpperCase(),
  hex,
  "hex, upper case": (key) => hex(key).toUpperCase(),
  "hex with colons": (key) => hex(key, ":"),
  "hex with spaces": (key) => hex(key, " "),
  base32,
  "base32, lower case, unpadded": (key) => base32(key).toLowerCase().replace(/=/g, ""),
  base64,
  "base64url, unpadded": (key) => Buffer.from(key, "utf8").toString("base64url"),
  "base64 of a login": (key) => base64(`user:${key}`),
  "base64 of a form": (key) => base64(`Platform=grafana&ApiKey=${key}&LogsUsername=1`),
  "base32 of a header": (key) => base32(`Authorization: ${key}\r\n`),
  "full width": (key) => key.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  "with combining marks": (key) => key.replace(/./gu, "$&\u0324"),
};

/** Escapes of the parts of a text. */
const escapes: Record<string, (part: string) => string> = {
  JSON: json,
  "JSON twice": (part) => json(json(part)),
  address: encodeURIComponent,
  form: (part) => encodeURIComponent(part).replaceAll("%20", "+"),
  HTML: (part) => part.replace(/[&<>"]/g, (sign) => named[sign] ?? sign),
  "HTML in numbers": escaped((sign) => `&#${sign.codePointAt(0)};`),
};

/** Encodings that the program cannot decode: only their shape reveals them. */
const others: Record<string, (key: string) => string> = {
  reversed: (key) => [...key].reverse().join(""),
  rot13: (key) => key.replace(/[a-z]/gi, (sign) => String.fromCharCode(sign.charCodeAt(0) + (/[a-m]/i.test(sign) ? 13 : -13))),
  "base64 twice": (key) => base64(base64(key)),
  "base64 reversed": (key) => [...base64(key)].reverse().join(""),
  "decimal bytes": (key) => bytes(key).join(" "),
  "decimal bytes with commas": (key) => bytes(key).join(","),
  "decimal bytes with dots": (key) => bytes(key).join("."),
  "octal bytes": (key) => inBase(8, 3)(key, " "),
  bits: (key) => inBase(2, 8)(key, " "),
  "hex with 0x": (key) => `0x${hex(key, ", 0x")}`,
  "\\x": (key) => `\\x${hex(key, "\\x")}`,
  "\\u": unicode,
  "all in percent": (key) => `%${hex(key, "%")}`,
  "all in HTML numbers": (key) => key.replace(/./gu, (sign) => `&#${sign.codePointAt(0)};`),
  "one by one": (key) => [...key].join(" "),
  "one by one in JSON": (key) => JSON.stringify([...key]),
  "in pairs": (key) => key.replace(/../gu, "$& "),
  "with hyphens": (key) => [...key].join("-"),
  "with dots": (key) => [...key].join("."),
};

const invisible = [
  "\u200b",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u034f",
  "\ufe0f",
  "\u3164",
  "\u202e",
  "\u{e0041}",
  "\0",
  "\x1b",
  "\x7f",
];
const lines = ["\n", "\r\n", "\n\n", "\v", "\f", "\x85", "\u2028", "\u2029"];
const spaces = [" ", "\t", "\u00a0", "  ", "\u3000"];
const signs = [
  ", ",
  ".",
  ":",
  "-",
  "_",
  "/",
  " | ",
  '","',
  "'",
  "`",
  "\\n",
  "\\r\\n",
  "<br>",
  "</b><b>",
  "%0A",
  "&nbsp;",
  "…",
  "·",
  "\u2800",
];

const ordinary = ["correct", "horse", "battery", "staple", "canary", "service", "monitor", "secret", "hunter", "orange"];
const words = fc.array(fc.constantFrom(...ordinary), { minLength: 2, maxLength: 5 });
const text = (units: string, minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });
const lower = "abcdefghijklmnopqrstuvwxyz";
const mixed = `${lower}${lower.toUpperCase()}0123456789`;

/** Random keys. */
const tokens = fc.oneof(
  text(mixed, 16, 40).map((key) => `k7${key}`),
  fc.uuid(),
  fc.tuple(fc.constantFrom("glsa_1a", "sk-live-b2", "eyJ0"), text(`${mixed}_-`, 20, 40)).map((parts) => parts.join("")),
  text("0123456789abcdef", 32, 40),
);
/** Random keys, keys of words, and keys with escaped characters. A key that looks escaped, or like a tag, would become another text. */
const keys = fc
  .oneof(
    tokens,
    fc.tuple(words, fc.constantFrom(..."-_. +/")).map(([parts, joint]) => parts.join(joint)),
    fc.tuple(words, text("0123456789abcdef", 4, 4)).map(([parts, end]) => [...parts, end].join("-")),
    fc.tuple(words, fc.constantFrom(...'"\\%&<>/=')).map(([parts, joint]) => parts.join(joint)),
    fc.constantFrom("schöne grüne bäume", "grünere correct horse", "pässwörd&schlüssel", "зелёные деревья", "正しい馬 電池の針金"),
    text(lower, 8, 30),
    text(`${mixed}"\\%&<>'/+ =~:?#{}$é漢🔑`, 12, 40).map((key) => `a1b2${key}c3`),
  )
  .filter((key) => !/\\[bfnrtvux]|%[0-9a-f]{2}|&#?\w+;|<.*>/i.test(key));

const frames: Record<string, (key: string) => string> = {
  alone: (key) => key,
  sentence: (key) => `Unauthorized: ${key} is not valid`,
  quoted: (key) => `wrong key "${key}", please check it`,
  page: (key) => `<html><head><title>Denied</title></head>\n<body><p>wrong: ${key}</p></body></html>`,
  header: (key) => `Authorization: Bearer ${key}\r\nAccept: application/json`,
};

/** Letters and digits without diacritics, in lower case. */
const letters = (shown: string) =>
  shown
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** The shown parts of these texts, six characters long, except those of the frame. */
function pieces(shown: string, frame: string, ...texts: string[]): string[] {
  const seen = letters(shown);
  const harmless = letters(`${frame} redacted`);
  return texts
    .map(letters)
    .flatMap((each) => Array.from({ length: Math.max(0, each.length - 5) }, (_, at) => each.slice(at, at + 6)))
    .filter((piece) => seen.includes(piece) && !harmless.includes(piece));
}

/** Splits a text into parts of these lengths, repeatedly. */
function cut(whole: string, lengths: readonly number[]): string[] {
  const parts: string[] = [];
  let rest = [...whole];
  for (let part = 0; rest.length > 0; part++) {
    const length = lengths[part % lengths.length] ?? 1;
    parts.push(rest.slice(0, length).join(""));
    rest = rest.slice(length);
  }
  return parts;
}

const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
const frame = fc.constantFrom(...Object.values(frames));
const apart = fc.constantFrom(...invisible, ...lines, ...spaces, ...signs);
const runs = { numRuns: 250 };

describe("a key in a response", () => {
  it.each(Object.entries(encodings))("%s, whole or in parts", (_name, encode) => {
    fc.assert(
      fc.property(keys, frame, fc.option(lengths, { nil: [10_000] }), apart, (key, frame, lengths, apart) => {
        const encoded = encode(key);
        const shown = redactText(frame(cut(encoded, lengths).join(apart)), ["another one", key]);
        expect(pieces(shown, frame(""), key, encoded), shown).toEqual([]);
      }),
      runs,
    );
  });

  it.each(Object.entries(escapes))("escaped: %s, whole or in parts", (_name, encode) => {
    fc.assert(
      fc.property(keys, frame, fc.option(lengths, { nil: [10_000] }), apart, (key, frame, lengths, apart) => {
        const shown = redactText(frame(cut(key, lengths).map(encode).join(apart)), ["another one", key]);
        expect(pieces(shown, frame(""), key), shown).toEqual([]);
      }),
      runs,
    );
  });

  // The secrets are unknown to the function.
  it.each(Object.entries({ ...encodings, ...others }))("unknown, %s, whole or split by invisible characters", (_name, encode) => {
    const unseen = fc.constantFrom("", ...invisible);
    fc.assert(
      fc.property(tokens, frame, lengths, unseen, (key, frame, lengths, apart) => {
        const encoded = encode(key);
        const shown = redactText(frame(cut(encoded, lengths).join(apart)), []);
        expect(pieces(shown, frame(""), key, encoded), shown).toEqual([]);
      }),
      runs,
    );
  });

  it("unknown, split by lines: only the first line is shown, redacted by its shape", () => {
    const wrapped = (key: string) => `wrong key: ${cut(base64(key), [8]).join("\n")}`;
    expect(redactText(wrapped("canary-service-7f3a"), [])).toBe("wrong key: [redacted]");
    expect(redactText("\n \u200b\nno access\nkey: correct\nhorse", [])).toBe("no access");
  });

  it("truncated at the limit", () => {
    fc.assert(
      fc.property(keys, fc.nat(60), (key, shown) => {
        const text = `${" ".repeat(4096 - shown - 4)}no: ${key} ${"x".repeat(100)}`;
        const pre = [...key].slice(0, shown).join("");
        fc.pre(pre.length < key.length && !/\s/.test(key));
        expect(pieces(redactText(text, [key]), "no:", key)).toEqual([]);
      }),
    );
  });

  it("is redacted alone if it is one run, otherwise with the whole text", () => {
    expect(redactText('the key "canary-7f3a" is wrong', ["canary-7f3a"])).toBe('the key "[redacted]" is wrong');
    expect(redactText("the key correct-horse-battery is wrong", ["correct-horse-battery"])).toBe("the key [redacted] is wrong");
    expect(redactText("the key correct-horse is wrong", ["correct-horse"])).toBe("[redacted]");
    expect(redactText("the key correct horse is wrong", ["correct-horse"])).toBe("[redacted]");
    expect(redactText("the key correct%ba ttery is wrong", ["correct%battery"])).toBe("[redacted]");
    expect(redactText("the key correct<b>horse is wrong", ["correct<b>horse"])).toBe("[redacted]");
  });

  it.each([
    ...[
      "hunter2",
      "2hunter",
      "abc123def",
      "aBcDeFgHi",
      "correctHorseBatteryStapleOrange",
      "123456",
      "abcdefghijklmnopq",
      "ABCDEFGHIJKLMNOPQ",
    ],
    ...[
      "correct-horse-battery",
      "a=b",
      "user@host",
      "50%",
      "a+b",
      "~a",
      "c3Zj",
      "YWJj",
      "k-e-y",
      "k.e.y.a.b.c",
      "1:2:3:4:5:6",
      "\\u006b",
      "$$$$",
    ],
    ...["k e y a b c", "ke ya bc de fg hi", "107, 101, 121, 45, 49, 50", '"k","e","y","-","a","b","c"'],
  ])("unknown, redacted by its shape: %s", (key) => {
    expect(redactText(`wrong: ${key}`, [])).toMatch(/^wrong: "?\[redacted\]$/);
  });

  it.each(lines)("in a second line, after %j", (end) => {
    expect(redactText(`wrong:${end}correct`, [])).toBe("wrong:");
  });
});

describe("ordinary words are unchanged", () => {
  it.each([
    "Invalid request body",
    "Unauthorized: Please check your API Key and try again",
    "Error creating connection: dial tcp 10.0.0.1:3000: connect: connection refused",
    'Post "http://127.0.0.1:9/api/v1/query": dial tcp 127.0.0.1:9: connect: connection refused - There was an error.',
    "read tcp 127.0.0.1:45678->127.0.0.1:9090: read: connection reset by peer",
    "dial tcp 10.0.0.1:3000: i/o timeout",
    "dial tcp: lookup prometheus.example.com on 10.0.0.53:53: no such host",
    "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
    "You'll need additional permissions to perform this action. Permissions needed: folders.permissions:read",
    "alert rule group [{orgID: 1, namespaceUID: llm-observability, groupName: LLM}]",
    'bad_data: invalid parameter "query": 1:1: parse error: unexpected end of input',
    "MetricsUrl must be a URL, not 'metrics.example.net:9090/api/v1/write'",
    "Dashboard version 9 not found for dashboardId 10",
    "name-exists",
    "INVALID_API_KEY",
    "Failed to update datasource",
    "you can not use the api key for the org",
    "the request took 5 s of 10 s",
    "value > 5 and < 3",
    "Schlüssel 😀 ungültig",
    "接続が拒否されました",
  ])("%s", (message) => {
    expect(redactText(message, ["svc-0123456789", "admin:admin", "admin", ""])).toBe(message);
  });

  // Redacting an ordinary word would reveal the password.
  it.each(["admin", "grafana", "user"])("if the password is one of them: %s", (password) => {
    const message = `${password}: the ${password}istrator of ${password}s has no access, ${password.toUpperCase()}`;
    expect(redactText(message, [`admin:${password}`, password])).toBe(message);
    expect(redactText(`login ${base64(`admin:${password}`)} failed`, [password])).toBe("login [redacted] failed");
    expect(redactText(`login admin:${password} failed`, [`admin:${password}`])).toBe("[redacted]");
  });

  it("if a secret is short or empty", () => {
    expect(holdsSecret("abc 123", ["", " ", "a", "ab", "abc", "123", "1-2", "-"])).toBe(false);
  });
});

describe("other characters", () => {
  it.each([
    ["invisible ones are removed", "no\u200b a\u00adccess\u202e \x1bhere\ufeff", "no access here"],
    ["white space becomes one space", " no\t\u00a0 access ", "no access"],
    ["tags, styles and scripts are removed", "<style>p { color: red }</style><SCRIPT>\nsteal()\n</SCRIPT><p>No</p>", "No"],
    ["consecutive redactions are merged", "keys: k1-a k2-b, (k3-c) and k4-d", "keys: [redacted]) and [redacted]"],
    ["a text of signs becomes empty", " \n--\n\u200b", ""],
  ])("%s", (_what, text, shown) => {
    expect(redactText(text, [])).toBe(shown);
  });

  it("a long line ends after a whole word", () => {
    expect(redactText("long ".repeat(40), [])).toBe("long ".repeat(40).trim());
    expect(redactText("long ".repeat(41), [])).toBe(`${"long ".repeat(39)}…`);
  });
});
