/** Redaction of responses: only words of ordinary messages are shown, and nothing of a text with a known key. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { holdsSecret, redactText } from "../../src/text/redact";

const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
const text = (units: string, minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });
const mixed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const spaces = [" ", "\t", "\u00a0", "  ", "\u3000", "\v", "\u2028"];
const invisible = ["\u200b", "\u2060", "\u00ad", "\u034f", "\ufe0f", "\u202e", "\u{e0041}", "\0", "\x1b", "\x85"];
const signs = ["|", "=", "`", "\\n", "<br>", "%0A", "&nbsp;", "…", "\u2800", "\u0324", '","'];

/** Runs of words of ordinary messages, without the signs that are not shown. */
const plain = fc.constantFrom("connection", "Refused,", "TOKEN:", "403", "folders.permissions:read", "user/group", "isn't", "api_key!");

/** Keys, random or of words, in several forms. No word contains `7q`. */
const key = fc.oneof(
  fc.tuple(text(mixed, 0, 20), text(`${mixed}_-é漢🔑\\%&<>/+=~:?#{}$`, 0, 20)).map(([start, end]) => `${start}7q${end}`),
  fc.constantFrom("walnut-falcon", "schöne_bäume", "зелёные", "正しい馬", "invalidtoken"),
);
const encodings: ((key: string) => string)[] = [
  (key) => key,
  (key) => `x${Buffer.from(key, "utf8").toString("hex")}`,
  (key) => base64(`Platform=grafana&ApiKey=${key}`),
  (key) => key.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  encodeURIComponent,
  (key) => JSON.stringify(`"${key}"`),
];

/** Runs that are not shown: keys, also next to words, and words that anything but the signs of a message connects. */
const encoded = fc.tuple(key, fc.constantFrom(...encodings)).map(([key, encode]) => encode(key));
const hidden = fc.oneof(
  fc.tuple(fc.constantFrom("", "key=", "token:", "v", "("), encoded).map((parts) => parts.join("")),
  fc.tuple(plain, fc.constantFrom(...invisible, ...signs), plain).map((parts) => parts.join("")),
);

it("of the first line, only the words of ordinary messages are shown", () => {
  const run = fc.oneof(fc.record({ text: plain, isShown: fc.constant(true) }), fc.record({ text: hidden, isShown: fc.constant(false) }));
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 8 }), fc.constantFrom(...spaces), (runs, space) => {
      const shown = runs.map(({ text, isShown }) => (isShown ? text : "…")).join(" ");
      const expected = shown.replace(/…( …)+/g, "…").replace(/^…$/, "[redacted]");
      expect(redactText(`${runs.map(({ text }) => text).join(space)}\r\n403 7q`, ["another one"])).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

it("a known key is redacted with the whole text, in any case and in parts", () => {
  const known = fc.oneof(text(mixed, 8, 40), fc.constantFrom("correct horse", "schöne bäume", "зелёные деревья", "a1-b2-c"));
  const apart = fc.constantFrom("", "\n", "-", ". ", "\\", ...spaces, ...invisible);
  fc.assert(
    fc.property(known, apart, fc.boolean(), (key, apart, isUpper) => {
      const shown = [...key].join(apart);
      expect(redactText(`invalid key: ${isUpper ? shown.toUpperCase() : shown} not found`, ["another one", key])).toBe("[redacted]");
    }),
  );
});

it.each(["the key service-token is wrong", "service\ntoken", "the SERVICE and its 'Ser-vice Tok en'"])(
  "a key that consists of plain words is redacted with the whole text: %j",
  (text) => expect(redactText(text, ["service-token"])).toBe("[redacted]"),
);

// Redacting an ordinary word would reveal the password.
it("a key that is an ordinary word is shown", () => {
  const text = "admin: no access for user admin";
  expect(redactText(text, ["admin:admin", "admin"])).toBe(text);
  expect(redactText(`login ${base64("admin:admin")} failed`, ["admin"])).toBe("login … failed");
  expect(redactText("login admin:admin failed", ["admin:admin"])).toBe("[redacted]");
});

it("a key that is short or empty is not found", () => {
  expect(holdsSecret("abc 123", ["", " ", "a", "ab", "abc", "123", "1-2", "-"])).toBe(false);
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
