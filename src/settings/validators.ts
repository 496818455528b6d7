/** The kinds of values that settings have, each with its check and the reason that a person reads. */
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { codePointOf } from "../text/sanitize";

/** What a key carries beside its check: the words for documents and messages. */
export interface KeyNotes {
  /** One sentence: what the key means, with its source where the spec names it. */
  description: string;
  /** A value to show in `pulumi config set`; secrets have none, since the CLI asks for theirs without echo. */
  example?: string;
  /** Of a list: the names that it may hold. */
  parts?: readonly string[];
  secret?: true;
}

/** A key: its check, and the words for it. */
export const key = <T extends z.ZodType>(schema: T, notes: KeyNotes): T => schema.meta({ ...notes });

/** Text that fits a request's header and, with others, a process's environment. What is longer is checked no further. */
const bounded = (schema: z.ZodString, most: number) =>
  schema.min(1, "must not be empty").max(most, { error: `must be at most ${most.toLocaleString("en")} characters`, abort: true });

const maxTextLength = 10_240;

/** Without control characters, line breaks, and halves of characters, which are no UTF-8. */
const plain = /^[^\p{Cc}\p{Cs}]*$/u;

/** Characters that show as nothing or as a space, and separators of lines. They come from copying, and no name, key or address has them. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** The engine gives a list or an object as JSON, and a boolean as `true` or `false`. */
function typeOf(value: string): string | undefined {
  try {
    const data: unknown = JSON.parse(value);
    if (typeof data === "boolean") return "a boolean";
    if (Array.isArray(data)) return "a list";
    return typeof data === "object" && data !== null ? "an object" : undefined;
  } catch {
    return undefined; // What is no JSON is text.
  }
}

const unstructured = (schema: z.ZodString) =>
  schema.superRefine((value, context) => {
    const type = typeOf(value);
    if (type) context.addIssue({ code: "custom", message: `must be text, not ${type}`, continue: false });
  });

/** What an HTTP header takes as it is. */
const printable = /^[\x20-\x7e]*$/;
const notPrintable = "has characters other than printable ASCII, which an HTTP header cannot carry";
export const headerText = (schema = z.string()) => schema.regex(printable, notPrintable);

/** What basic auth takes (RFC 7617). */
export const credential = () =>
  z
    .string()
    .regex(plain, "has control characters or line breaks, which no password or token can have")
    .refine(
      (value) => !unseen.test(value),
      "has invisible characters, such as a zero-width space or a no-break space, most likely from copying",
    );

/** A bearer token, or a user name and a password with a colon between them. */
export const tokenOrLogin = () => credential().refine((value) => value.includes(":") || printable.test(value), notPrintable);

const checkedSecret = (schema: z.ZodString) =>
  unstructured(bounded(schema, maxTextLength))
    .regex(/^(\S(.*\S)?)?$/s, "starts or ends with white space or a line break, most likely from copying")
    .transform((value) => pulumi.secret(value));

/** A secret becomes an Output as soon as it was checked; no plain copy is kept. */
export const secret = (schema: z.ZodString, description: string) => key(checkedSecret(schema), { description, secret: true });

/** The same for one that may be absent. */
export const optionalSecret = (schema: z.ZodString, description: string) =>
  key(checkedSecret(schema).optional(), { description, secret: true });

/** One line without white space around it. */
export const line = (schema = z.string(), most = maxTextLength) =>
  bounded(schema.trim(), most).regex(plain, "must not hold control characters or line breaks");

/** A line for people or in queries: any character that is text. */
export const title = () => unstructured(line());

/** A line that is a name or an address: each of its characters is seen. */
export const text = (most = maxTextLength) => {
  const seen = z.string().superRefine((value, context) => {
    const [sign] = unseen.exec(value) ?? [];
    if (sign) context.addIssue(`must not hold the invisible character ${codePointOf(sign)}`);
  });
  return unstructured(line(seen, most));
};

/** A user name as basic auth takes it. */
export const username = (separated: string) => text().regex(/^[^:]*$/, `must not hold a colon: it separates ${separated}`);

/** Why `value` cannot be used as an address. Neither its host nor its port is repeated: they may be a user name and a password. */
function addressProblems(value: string): string[] {
  // Others read what follows "https:" otherwise than a browser does, unless it is two slashes and a host.
  const [, scheme, authority = ""] = /^(https?:\/\/)([^/\\?#]*)/i.exec(value) ?? [];
  if (!scheme) return ["must be an address that starts with http:// or https://"];
  const [, host, port = ""] = /^(?:.*@)?(\[.*\]|[^:[]*)(?::(\d*))?$/.exec(authority) ?? [];
  const hostProblem = () => {
    if (host === "") return `must have a host after ${scheme}`;
    if (port && (Number(port) < 1 || Number(port) > 65_535)) return "must have a port from 1 to 65535";
    return URL.canParse(value) ? undefined : "must have a host and a port that are valid";
  };
  const problems = [
    hostProblem(),
    /[ \\]/.test(value) && "must not hold white space or backslashes",
    authority.includes("@") && "must not hold a user name or password: it is stored and shown in plain",
  ];
  return problems.filter((problem) => typeof problem === "string");
}

const located = () =>
  text(2_048).superRefine((value, context) => {
    for (const problem of addressProblems(value)) context.addIssue(problem);
  });

/** An http(s) address, kept to the letter: requests are sent to it, without a fragment. */
export const address = () => located().regex(/^[^#]*$/, "must not have a fragment (#…)");

/** An address to click in a dashboard. */
export const link = () =>
  located().regex(/^(?:[^$[]|\[(?!\[))*$/, "must not hold $ or [[, where Grafana would put a variable: write %24 or %5B instead");

/**
 * An http(s) address to which a path will be appended: no query, not already ending in `appended`; slashes at its end go.
 * The characters are those that need no quotes in an `.env` file; a shell takes `:~` for somebody's home.
 */
export const baseAddress = (appended: RegExp, hint: string) =>
  address()
    .regex(/^[\w.~:/%[\]#-]*$/, "must be plain: no query (?…), only letters, digits and - . _ ~ : / % [ ]")
    .regex(/^(?!.*:~)/, "must not hold :~")
    .transform((value) => value.replace(/(?<!\/)\/+$/, ""))
    .refine((value) => !appended.test(value), hint);

/** A uid as Grafana takes it. */
export const uid = () => text().regex(/^[a-zA-Z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, - or _: Grafana takes no other uid");

/** A certificate in PEM form, as text: a path would mean another file on each machine. */
export const pem = () =>
  bounded(z.string().trim(), 40_000)
    .regex(
      /^-----BEGIN CERTIFICATE-----[\t\r\n -~]+-----END CERTIFICATE-----$/,
      "must be a certificate in PEM form, its BEGIN and END lines included",
    )
    .optional();

/** How to set one: as an argument, its dashes would be taken for a flag. */
export const pemExample = "< ca.pem";
