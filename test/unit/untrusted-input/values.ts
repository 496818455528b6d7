/** Generators of untrusted configs: any key, any value, in plain text or as a secret. */
import fc from "fast-check";
import { keyDocs } from "../../../src/settings";
import { complete, isSetting, managed, mark, secretKeys, usual } from "../config";

const docs = keyDocs();
const names = docs.map(({ name }) => name);

/** Characters with a meaning in some syntax or terminal. */
const signs = [
  ..."\"'`\\%&$#<>{}[]()|;:,!?*~^/=+-_.@ ",
  ..."\n\r\t\0\x07\x1b\x7f\u0085",
  ..."\u00a0\u200b\u200d\u202e\u2028\u2066\ufeff\ud800\udfff",
  // Look-alikes: Cyrillic letters, a Greek question mark, a full-width colon and slash.
  ..."аеосгѕ\u037e：／ｈé🙂",
  ..."\u001b[2J\u001b]0;x\u0007",
];

/** Properties of JavaScript's built-in objects. */
const prototypeNames = "__proto__,constructor,prototype,toString,hasOwnProperty,valueOf,__defineGetter__,then,length".split(",");

const words = [
  ...prototypeNames,
  ...'true,false,null,undefined,NaN,0,-1,1e309,0x10,9007199254740993,{},[],{"a":1},["a"],""'.split(","),
  ..."https://,http://,ftp://,file:///etc/passwd,javascript:alert(1),data:text/html\\,x,//host,user:secret@host".split(","),
  ..."$(touch x),`touch x`,;touch x;,| touch x,&& touch x,> x,${HOME},$HOME,~root,:~/,!!,\\".split(","),
  ..."$application,${application:raw},[[application]],$__range,${__from},{{label}},%{x},#{x},<%= x %>".split(","),
  ..."<script>alert(1)</script>,](javascript:x),<!--,-->,</style>,../../etc,%00,%0d%0a,\r\nX-Injected: 1,\u0000".split(","),
  "-----BEGIN CERTIFICATE-----\n",
  "\n-----END CERTIFICATE-----",
];

const piece = fc.oneof(fc.constantFrom(...signs), fc.constantFrom(...words), fc.string({ maxLength: 8, unit: "binary" }));

/** Any text of such pieces. */
export const untrustedText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

/** The same with the mark in it. */
const marked = fc.tuple(untrustedText, untrustedText).map(([before, after]) => `${before}${mark}${after}`);

const brokenUrl = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://", "https:", "https:/", "https:\\\\", "https:///", "ftp://", "javascript:", "//", ""),
    fc.constantFrom("", "user@", `user:${mark}@`, `:${mark}@`, `${mark}:@`, "us\ter:p@ss@", "%zz@"),
    fc.constantFrom(..."a.example,,127.0.0.1,[::1],[::1,a b,a_b,ä.example,xn--,a..b,%41,2130706433,0x7f.1".split(",")),
    fc.constantFrom("", ":", ":0", ":443", ":65535", ":65536", ":-1", ":~", ":x"),
    fc.oneof(
      fc.constantFrom("", "/", "//", "/../..", "/:~/x", "/~/x", "/%zz", "/?a=b", "/#f", "/api", "/api/connections", "/v1/traces"),
      untrustedText,
    ),
  )
  .map((parts) => parts.join(""));

const wrongType = fc.oneof(
  fc.json(),
  fc.integer().map(String),
  fc.double().map(String),
  fc.boolean().map(String),
  fc.dictionary(fc.constantFrom(...prototypeNames, "a"), fc.string()).map((value) => JSON.stringify(value)),
);

/** Any value, often harmful, or valid for another setting. */
const anyValue = fc.oneof(
  { weight: 3, arbitrary: marked },
  { weight: 3, arbitrary: brokenUrl },
  { weight: 2, arbitrary: wrongType },
  { weight: 2, arbitrary: fc.constantFrom(...docs.flatMap(({ example }) => example ?? []), "", " ", "\n", "a".repeat(300)) },
  { weight: 1, arbitrary: fc.constantFrom(...words) },
);

/** A valid value with additional text. */
const tainted = (value: string) =>
  fc
    .tuple(fc.oneof(untrustedText, marked), fc.nat(value.length))
    .map(([text, place]) => `${value.slice(0, place)}${text}${value.slice(place)}`);

/** A name that is no setting; it may look like one. */
export const untrustedKey = fc.oneof(
  untrustedText,
  fc.constantFrom(...prototypeNames),
  fc.constantFrom("-y", "--stack=prod", "-", "--", "", " ", "a b", "a;b", "a\nb", "$(touch x)", "a'b", "serviceUrl\0", "~", "*"),
  fc
    .constantFrom(...names)
    .chain(lookAlike)
    .filter((key) => !isSetting(key)),
);

/** A name that looks like the name of a setting. */
function lookAlike(name: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    name.replace("e", "е"),
    name.replace("a", "а"),
    `${name}\u200b`,
    `\ufeff${name}`,
    `${name} `,
    name.toUpperCase(),
    name.toLowerCase().concat("_"),
  );
}

/** A config as data. */
export interface UntrustedConfig {
  values: Record<string, string>;
  /** Settings that are stored wrongly: secrets in plain text, others as secrets. */
  misplaced: string[];
}

const nothing = (): fc.Arbitrary<[string, string][]> => fc.constant([]);
const change = fc.constantFrom(...names).chain((name): fc.Arbitrary<[string, string]> => {
  if (secretKeys.includes(name)) return fc.tuple(fc.constant(name), fc.oneof(marked, tainted(usual(name)), fc.constant(usual(name))));
  return fc.tuple(fc.constant(name), fc.oneof(anyValue, tainted(usual(name)), fc.constant(usual(name))));
});

/** Any config: empty, or valid with some changes. */
export const untrustedConfig: fc.Arbitrary<UntrustedConfig> = fc.record({
  values: fc
    .tuple(
      fc.oneof(fc.constantFrom(Object.entries(complete), Object.entries(managed)), nothing()),
      fc.array(change, { maxLength: 6 }),
      fc.oneof({ weight: 3, arbitrary: nothing() }, { weight: 1, arbitrary: fc.array(fc.tuple(untrustedKey, anyValue), { maxLength: 3 }) }),
    )
    // Unlike a spread of literals, this makes an own property of `__proto__`, as JSON does.
    .map(([base, changes, others]) => Object.fromEntries([...base, ...changes, ...others])),
  misplaced: fc.oneof({ weight: 4, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: fc.subarray(names, { maxLength: 3 }) }),
});
