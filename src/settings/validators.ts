/** The types of values that settings have: for each its check and the reason in the message. */
import { X509Certificate } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { type Prices, priceOf, pricesOf } from "../prices/prices";
import { parseJson } from "../text/json";
import { codePointOf } from "../text/sanitize";

/** Adds a description and an example to a check. */
export const key = <T extends z.ZodType>(schema: T, description: string, example?: string): T => schema.meta({ description, example });

export const choice = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}`);

/** A longer value is not checked further. The message is made if it is needed: the first formatted number costs 10 ms. */
const bounded = (schema: z.ZodString, max: number) =>
  schema.min(1, "must not be empty").max(max, { error: () => `must be at most ${max.toLocaleString("en")} characters`, abort: true });

/** Fits an HTTP header and, together with the other settings, the environment of a process. */
const maxTextLength = 10_240;
/** Without control characters, line breaks, and lone surrogates, which have no UTF-8 encoding. */
const plain = /^[^\p{Cc}\p{Cs}]*$/u;
/** Characters that are displayed as nothing or as a space, and line separators. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** The engine passes a list or an object as JSON, and a boolean as `true` or `false`. */
const unstructured = (schema: z.ZodString) =>
  schema.refine((value) => !["object", "boolean"].includes(typeof (parseJson(value) ?? "")), {
    error: "must be text, not a list, an object or a boolean",
    abort: true,
  });

const printable = /^[\x20-\x7e]*$/;
const notPrintable = "contains characters other than printable ASCII, which an HTTP header cannot contain";
/** The unchanged value of an HTTP header. */
export const headerText = (schema = z.string()) => schema.regex(printable, notPrintable);

/** A password for basic auth (RFC 7617). */
export const credential = () =>
  z
    .string()
    .regex(plain, "contains control characters or line breaks, which passwords and tokens cannot contain")
    .refine((value) => !invisible.test(value), "contains invisible characters, such as a no-break space, probably from copying");

/** A bearer token, or `user:password`. */
export const tokenOrLogin = () =>
  credential()
    .refine((value) => value.includes(":") || printable.test(value), notPrintable)
    .regex(/^(?!:|[^:]*:$)/, "must have a user name before the first colon, and a password after it");

/** A secret becomes an Output as soon as it is checked; no plain copy is kept. */
const secretAs =
  <T>(read: (value: string) => T) =>
  (schema: z.ZodString, description: string) =>
    unstructured(bounded(schema, maxTextLength))
      .regex(/^(\S(.*\S)?)?$/s, "starts or ends with white space or a line break, probably from copying")
      .transform(read)
      .meta({ description, secret: true });

export const secret = secretAs((value) => pulumi.secret(value));

/** The user name, which is no secret, and the password of a login; a bearer token is a password alone. */
export const login = secretAs((value) => {
  const [, username, password = ""] = /^(?:([^:]*):)?(.*)$/.exec(value) ?? [];
  return { username, password: pulumi.secret(password) };
});

/** Whether a check is for a secret, which may be optional. */
export const isSecret = (schema: z.ZodType) =>
  (schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema).meta()?.secret === true;

/** One line without white space around it. */
export const line = (schema = z.string(), max = maxTextLength) =>
  bounded(schema.trim(), max).regex(plain, "must not contain control characters or line breaks");

/** A line that people read, or a value in queries. It may contain invisible characters, as emoji and some scripts do. */
export const title = (max = maxTextLength) => unstructured(line(z.string(), max));

/** A line of visible characters: a name or an address. */
export const text = (max = maxTextLength) => {
  const error = ({ input }: { input?: unknown }) =>
    `must not contain the invisible character ${codePointOf(invisible.exec(String(input))?.[0] ?? "")}`;
  const shown = z.string().refine((value) => !invisible.test(value), { error });
  return unstructured(line(shown, max));
};

/** A line of visible characters in a format. */
export const format = (pattern: RegExp, message: string) => text().regex(pattern, message);

/** A number above 0, without a unit. */
export const positive = (max = 1e9) => {
  const error = () => `must be a number above 0 and at most ${max.toLocaleString("en")}, with at most 3 decimals and without a unit`;
  return text()
    .regex(/^\d{1,10}(\.\d{1,3})?$/, { error })
    .transform(Number)
    .refine((value) => value > 0 && value <= max, { error });
};

/** A JSON object, which is what the engine makes of a structured value. The first of a thousand mistakes is enough to find them. */
const structured = <T>(schema: z.ZodType<T>, reason: (first: z.core.$ZodIssue) => string) =>
  z.string().transform((text, context): T => {
    const value = parseJson(text);
    const { success, data, error } = schema.safeParse(value);
    // Zod leaves this name out of a record.
    const isDropped = success && Object.hasOwn(Object(value), "__proto__");
    if (success && !isDropped) return data;
    context.addIssue(success ? "cannot contain the name __proto__" : reason(error.issues[0] as z.core.$ZodIssue));
    return z.NEVER;
  });

/** A number, or the text that `config set --path` makes of one. */
const number = z.preprocess((value) => (typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value), z.number());

/** USD per million tokens. A price of one token, 1,000 times smaller than the smallest of any list, is a mistake. */
const price = number.refine((value) => value === 0 || (value >= 0.001 && value <= 10_000));

/** A model or an application as telemetry names it: Prometheus takes any text. */
const name = () => z.string().min(1).max(500).regex(plain);

/** Where a problem is. Any other text could be a secret in the wrong place. */
const placeOf = (...path: readonly PropertyKey[]) => (/^[\w.:/@ -]{1,60}$/.test(path.join(": ")) ? ` (${path.join(": ")})` : "");

/** Prices by model. A text is the name of another model, of the setting or of the list, whose price it is. */
export const prices = () => {
  const one = z.strictObject({ input: price, output: price.optional(), cached: price.optional(), written: price.optional() });
  return structured(z.record(name(), z.union([one, name()])), (first) => {
    const inner = first.code === "invalid_union" ? (first.errors[0]?.[0]?.path ?? []) : [];
    const names = "must be a JSON object by model, whose names have 1 to 500 characters, and no control characters.";
    const fields = "must have input, and can have output, cached and written: USD per million tokens, 0 or from 0.001 to 10,000";
    return `${names} Each model${placeOf(...first.path, ...inner)} ${fields}`;
  }).transform((own, context): Prices => {
    const entries = Object.entries(own);
    const all = pricesOf(Object.fromEntries(entries.flatMap(([model, value]) => (typeof value === "string" ? [] : [[model, value]]))));
    return Object.fromEntries(
      entries.map(([model, value]) => {
        const found = typeof value === "string" ? priceOf(value, all) : value;
        const where = "in the list of prices or as an object in this setting. Upper and lower case differ";
        if (!found) context.addIssue(`has a text${placeOf(model)} that is not the name of a model with a price, ${where}`);
        return [model, found ?? z.NEVER];
      }),
    );
  });
};

/** Names with commas between them. */
export const names = () => {
  const named = title().transform((text) => text.split(/\s*,\s*/).filter(Boolean));
  return named.refine(({ length }) => length > 0, "must have a name");
};

/** USD by application. */
export const budgets = () => {
  const range = "above 0, at most 1,000,000,000; names have 1 to 500 characters, and no control characters";
  const amount = number.refine((value) => value > 0 && value <= 1e9);
  return structured<Readonly<Record<string, number>>>(z.record(name(), amount), ({ path }) => {
    return `must be an object with USD by application${placeOf(...path)}: ${range}`;
  });
};

/** A user name for basic auth. */
export const username = () => format(/^[^:]*$/, "must not contain a colon: it separates the user name from the password");

/** The http(s) address of requests, unchanged. No message repeats the host or the port: they may be a mistyped user name and password. */
export const address = () =>
  text(2_048).superRefine((value, context) => {
    // Clients disagree about "https:" that is not followed by two slashes and a host.
    const [, scheme, authority = ""] = /^(https?:\/\/)([^/\\?#]*)/i.exec(value) ?? [];
    if (!scheme) return context.addIssue("must be an address that starts with http:// or https://");
    const [, host, port = ""] = /^(?:.*@)?(\[.*\]|[^:[]*)(?::(\d*))?$/.exec(authority) ?? [];
    if (host === "") context.addIssue(`must have a host after ${scheme}`);
    else if (port && (Number(port) < 1 || Number(port) > 65_535)) context.addIssue("must have a port from 1 to 65535");
    else if (!URL.canParse(value) || host?.includes("..")) context.addIssue("must have a valid host and port");
    if (/[ \\]/.test(value)) context.addIssue("must not contain white space or backslashes");
    if (/%(?![\da-f]{2})/i.test(value)) context.addIssue("must have two hexadecimal digits after each %");
    if (value.includes("#")) context.addIssue("must not have a fragment (#…)");
    const login = "must not contain a user name or password, because addresses are stored and shown in plain text";
    if (authority.includes("@")) context.addIssue(login);
  });

/**
 * An http(s) address to which a path is appended, without slashes at its end. It has only characters that need no quotes in an `.env` file;
 * a shell expands `:~` to a home folder.
 *
 * @param appended a pattern of the path that is appended, with which the value must not end
 */
export const baseAddress = (appended: string, hint: string) =>
  address()
    .regex(/^[\w.~:/%[\]#-]*$/, "must have no query (?…) and contain only letters, digits and - . _ ~ : / % [ ]")
    .regex(/^(?!.*:~)/, "must not contain :~")
    .transform((value) => value.replace(/(?<!\/)\/+$/, ""))
    .refine((value) => !new RegExp(`${appended}$`).test(value), hint);

/** A uid that Grafana accepts. */
export const uid = () => format(/^[a-zA-Z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, - or _, as Grafana requires");

/** Sets a certificate from a file: as an argument, its dashes would be read as a flag. */
export const pemExample = "< ca.pem";

/** Optional CA certificates, as text: a path would be a different file on each machine. Text around them is left out (RFC 7468, 5.2). */
export const caCertificate = (description: string) => {
  const value = bounded(z.string().trim(), 40_000).transform((text, context) => {
    const isLeak = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(text);
    const certificates = isLeak ? [] : certificatesIn(text);
    const leak = "contains a private key, which the stack's file now has in plain text. Replace the key and its certificate";
    const invalid = "must be certificates in PEM format, including their BEGIN and END lines";
    if (certificates.length === 0) context.addIssue(isLeak ? `${leak}, and set the certificate of the CA alone` : invalid);
    return certificates.join("").trim();
  });
  return key(value.optional(), description, pemExample);
};

/** Every block as a certificate; none if one is anything else. */
function certificatesIn(text: string): string[] {
  const [, ...blocks] = text.split("-----BEGIN ");
  try {
    return blocks.map((block) => {
      const [body] = /^CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----/.exec(block) ?? [];
      return new X509Certificate(`-----BEGIN ${body}`).toString();
    });
  } catch {
    return [];
  }
}
