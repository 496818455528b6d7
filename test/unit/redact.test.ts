/** Redaction of responses: no part of a key remains, in any encoding and however split; the useful words of ordinary messages are shown. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsSecret, redactText } from "../../src/text/redact";

const bytes = (text: string) => [...Buffer.from(text, "utf8")];
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

/** Encodings of a whole text; the result is split. */
const encodings: ((key: string) => string)[] = [
  (key) => key,
  (key) => key.toUpperCase(),
  (key) => Buffer.from(key, "utf8").toString("hex"),
  // Of a login and of a form.
  (key) => base64(`user:${key}`),
  (key) => base64(`Platform=grafana&ApiKey=${key}&LogsUsername=1`),
  // In full width, and with combining marks.
  (key) => key.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (key) => key.replace(/./gu, "$&\u0324"),
  (key) => JSON.stringify(key).slice(1, -1),
  encodeURIComponent,
  (key) => [...key].reverse().join(""),
  (key) => bytes(key).join(" "),
  (key) => key.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  (key) => `v${bytes(key).join(" v")}`,
];

const spaces = [" ", "\t", "\u00a0", "  ", "\u3000", "\n", "\r\n", "\v", "\x85", "\u2028"];
const invisible = ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u034f", "\ufe0f", "\u202e", "\u{e0041}", "\0", "\x1b"];
const signs = [", ", ".", ":", "-", "_", "/", " | ", '","', "'", "`", "\\n", "<br>", "</b><b>", "%0A", "&nbsp;", "…", "\u2800"];
/** Words of ordinary messages, as an answer in prose has them. */
const prose = [" then ", ". The next is ", " and v", ") "];

/** No words of ordinary messages. */
const unusual = ["walnut", "falcon", "purple", "hunter", "staple", "velvet", "copper", "gravel"];
const words = fc.array(fc.constantFrom(...unusual), { minLength: 2, maxLength: 5 });
const text = (units: string, minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });
const lower = "abcdefghijklmnopqrstuvwxyz";
const mixed = `${lower}${lower.toUpperCase()}0123456789`;

/** Random keys. */
const tokens = fc.oneof(
  text(mixed, 16, 40).map((key) => `k7${key}`),
  fc.uuid(),
  fc.tuple(fc.constantFrom("glsa_1a", "sk-live-b2", "eyJ0"), text(`${mixed}_-`, 20, 40)).map((parts) => parts.join("")),
);
/** Random keys, keys of words, and keys with escaped characters. A key that looks escaped, or like a tag, would become another text. */
const keys = fc
  .oneof(
    tokens,
    fc.tuple(words, fc.constantFrom(...'-_. +"\\%&<>/=')).map(([parts, joint]) => parts.join(joint)),
    fc.constantFrom("schöne grüne bäume", "grünere correct horse", "pässwörd&schlüssel", "зелёные деревья", "正しい馬 電池の針金"),
    text(lower, 8, 30),
    text(`${mixed}"\\%&<>'/+ =~:?#{}$é漢🔑`, 12, 40).map((key) => `a1b2${key}c3`),
  )
  .filter((key) => !/\\[bfnrtvux]|%[0-9a-f]{2}|&#?\w+;|<.*>/i.test(key));

const frames: ((key: string) => string)[] = [
  (key) => key,
  (key) => `Unauthorized: ${key} is not valid`,
  (key) => `wrong key "${key}", please check it`,
  (key) => `<html><head><title>Denied</title></head>\n<body><p>wrong: ${key}</p></body></html>`,
  (key) => `Authorization: Bearer ${key}\r\nAccept: application/json`,
];

/** Letters and digits without diacritics, in lower case. */
const letters = (shown: string) =>
  shown
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** The shown parts of these texts, eight characters long, except those of the frame. Shorter ones can be words by chance: "on it or". */
function pieces(shown: string, frame: string, ...texts: string[]): string[] {
  const seen = letters(shown);
  const harmless = letters(`${frame} redacted`);
  return texts
    .map(letters)
    .flatMap((each) => Array.from({ length: Math.max(0, each.length - 7) }, (_, at) => each.slice(at, at + 8)))
    .filter((piece) => seen.includes(piece) && !harmless.includes(piece));
}

/** Splits a text into parts of this length. */
const cut = (whole: string, length: number) => whole.match(new RegExp(`.{1,${length}}`, "gsu")) ?? [];

const partLength = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(10_000));
const frame = fc.constantFrom(...frames);
const apart = fc.constantFrom("", ...spaces, ...invisible, ...signs, ...prose);
const ways = fc.constantFrom(...encodings);

describe("a key in a response", () => {
  it.each([
    ["known", keys],
    ["unknown", tokens],
  ])("%s, in any encoding, whole or in parts", (what, keys) => {
    fc.assert(
      fc.property(keys, ways, frame, partLength, apart, (key, encode, frame, length, apart) => {
        const shown = redactText(frame(cut(encode(key), length).join(apart)), what === "known" ? ["another one", key] : []);
        expect(pieces(shown, frame(apart), key, encode(key)), shown).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(["the key service-token is wrong", "service\ntoken", "the SERVICE and its 'Ser-vice Tok en'"])(
    "that consists of plain words is redacted with the whole text: %j",
    (text) => expect(redactText(text, ["service-token"])).toBe("[redacted]"),
  );

  // Redacting an ordinary word would reveal the password.
  it("that is an ordinary word is shown", () => {
    const text = "admin: no access for user admin";
    expect(redactText(text, ["admin:admin", "admin"])).toBe(text);
    expect(redactText(`login ${base64("admin:admin")} failed`, ["admin"])).toBe("login … failed");
    expect(redactText("login admin:admin failed", ["admin:admin"])).toBe("[redacted]");
  });

  it("that is short or empty is not found", () => {
    expect(holdsSecret("abc 123", ["", " ", "a", "ab", "abc", "123", "1-2", "-"])).toBe(false);
  });
});

it.each([
  ...[
    "Invalid request body",
    "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    "You'll need additional permissions to perform this action. Permissions needed: folders.permissions:read",
    "INVALID_API_KEY",
  ].map((message) => [message, message]),
  [
    'Post "http://127.0.0.1:9/api/v1/query": dial tcp 127.0.0.1:9: connect: connection refused - There was an error.',
    "Post … dial tcp … connect: connection refused - There was an error.",
  ],
  ["context deadline exceeded (Client.Timeout exceeded)", "context deadline exceeded Client.Timeout exceeded"],
  ['bad_data: invalid parameter "query": 1:1: parse error', "bad_data: invalid parameter query: … parse error"],
  ["MetricsUrl must be a URL, not 'metrics.example.net:9090'", "MetricsUrl must be a URL, not …"],
  ["invalid alert rule\nreceiver on-call does not exist", "invalid alert rule"],
  ["\u001b[31mnot\u202e found\u0007 valid", "… valid"],
  ["接続が拒否されました", "[redacted]"],
  [" \n", ""],
  ["long ".repeat(40), "long ".repeat(40).trim()],
  ["long ".repeat(41), `${"long ".repeat(39)}…`],
])("the words of %j", (text, shown) => {
  expect(redactText(text, ["svc-0123456789", "admin:admin", "admin", ""])).toBe(shown);
});
