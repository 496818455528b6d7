/** Generators of untrusted configs: any key, any value, in plain text or as a secret. */
import fc from "fast-check";
import { keyDocs } from "../../../src/settings";
import { complete, managed, mark, usual } from "../config";

const names = keyDocs().map(({ name }) => name);

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

const urls = [
  ...`https://user:${mark}@a.example,https:/a.example,HTTPS://[::1],https://[::1,https://a..b,https://2130706433:65536`.split(","),
  ...`https://a.example:-1/x,https://a.example/../..,https://a.example/%zz,https://a.example/api?a=b#f,//a.example/:~/x`.split(","),
];

const piece = fc.oneof(fc.constantFrom(...signs), fc.constantFrom(...words), fc.string({ maxLength: 8, unit: "binary" }));

/** Any text of such pieces. */
export const untrustedText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

/** The same with the mark in it. */
const marked = fc.tuple(untrustedText, untrustedText).map(([before, after]) => `${before}${mark}${after}`);

/** A valid value with additional text. */
const tainted = (value: string) =>
  fc
    .tuple(fc.oneof(untrustedText, marked), fc.nat(value.length))
    .map(([text, place]) => `${value.slice(0, place)}${text}${value.slice(place)}`);

/** Any value: a text with the mark, a word, a URL or a value of a wrong type; or the valid one, with or without additional text. */
const anyValue = (name: string) =>
  fc.oneof(marked, fc.constantFrom(...words, ...urls, " ", "a".repeat(300)), fc.json(), tainted(usual(name)), fc.constant(usual(name)));

/** A config as data. */
export interface UntrustedConfig {
  values: Record<string, string>;
  /** Settings that are stored wrongly: secrets in plain text, others as secrets. */
  misplaced: string[];
}

const change = fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), anyValue(name)));

/** Any config: empty, or valid with some changes. */
export const untrustedConfig: fc.Arbitrary<UntrustedConfig> = fc.record({
  values: fc
    .tuple(
      fc.constantFrom<Readonly<Record<string, string>>>(complete, managed, {}),
      fc.array(change, { maxLength: 6 }),
      fc.array(fc.tuple(untrustedText, untrustedText), { maxLength: 1 }),
    )
    // Unlike a spread of literals, this makes an own property of `__proto__`, as JSON does.
    .map(([base, changes, others]) => Object.fromEntries([...Object.entries(base), ...changes, ...others])),
  misplaced: fc.oneof({ weight: 4, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: fc.subarray(names, { maxLength: 3 }) }),
});
