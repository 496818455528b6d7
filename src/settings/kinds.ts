/** The kinds of values that settings have, each with its check and the reason that a person reads. */
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";

/** What a key carries beside its check: the words for documents and messages. */
export interface KeyNotes {
  /** One sentence: what the key means, with its source where the spec names it. */
  description: string;
  /** A value to show in `pulumi config set`; secrets have none, since the CLI asks for theirs without echo. */
  example?: string;
  secret?: true;
}

/** A key: its check, and the words for it. */
export const key = <T extends z.ZodType>(schema: T, notes: KeyNotes): T => schema.meta({ ...notes });

/** Text that fits a request's header and, with others, a process's environment. What is longer is checked no further. */
const bounded = (schema: z.ZodString, most: number) =>
  schema.min(1, "must not be empty").max(most, { error: `must be at most ${most.toLocaleString("en")} characters`, abort: true });

const longestText = 10_240;

/** Without control characters, line breaks, and halves of characters, which are no UTF-8. */
const plain = /^[^\p{Cc}\p{Cs}]*$/u;

/** What an HTTP header takes as it is. */
const printable = /^[\x20-\x7e]*$/;
const notPrintable = "has characters other than printable ASCII, which an HTTP header cannot carry";
export const headerText = (schema = z.string()) => schema.regex(printable, notPrintable);

/** What basic auth takes (RFC 7617). */
export const credential = () => z.string().regex(plain, "has control characters or line breaks, which no password or token can have");

/** A bearer token, or a user name and a password with a colon between them. */
export const tokenOrLogin = () => credential().refine((value) => value.includes(":") || printable.test(value), notPrintable);

const checkedSecret = (schema: z.ZodString) =>
  bounded(schema, longestText)
    .regex(/^(\S(.*\S)?)?$/s, "starts or ends with white space or a line break, most likely from copying")
    .transform((value) => pulumi.secret(value));

/** A secret becomes an Output as soon as it was checked; no plain copy is kept. */
export const secret = (schema: z.ZodString, description: string) => key(checkedSecret(schema), { description, secret: true });

/** The same for one that may be absent. */
export const optionalSecret = (schema: z.ZodString, description: string) =>
  key(checkedSecret(schema).optional(), { description, secret: true });

/** One line of text without white space around it. */
export const text = (most = longestText) =>
  bounded(z.string().trim(), most).regex(plain, "must not hold control characters or line breaks");

/** A user name as basic auth takes it. */
export const username = (separated: string) => text().regex(/^[^:]*$/, `must not hold a colon: it separates ${separated}`);

/** Why `value` cannot be used as an address, or undefined where it can. Credentials in it would be shown in every diff. */
function addressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // Others read what follows "https:" otherwise than a browser does, unless it is two slashes and a host.
  if (!url || !/^https?:\/\/[^/\\]/i.test(value)) return "must be an address that starts with http:// or https://";
  if (/[\s\\]/.test(value)) return "must not hold white space or backslashes";
  if (url.username || url.password) return "must not hold a user name or password: it is stored and shown in plain";
  return undefined;
}

/** An http(s) address, kept to the letter. */
export const address = () =>
  text(2_048).superRefine((value, context) => {
    const problem = addressProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });

/** An address to click in a dashboard. */
export const link = () =>
  address().regex(/^(?:[^$[]|\[(?!\[))*$/, "must not hold $ or [[, where Grafana would put a variable: write %24 or %5B instead");

/**
 * An http(s) address to which a path will be appended: no query, no fragment, not already ending in `appended`; slashes at its end go.
 * The characters are those that need no quotes in an `.env` file; a shell takes `:~` for somebody's home.
 */
export const baseAddress = (appended: RegExp, hint: string) =>
  address()
    .regex(/^[\w.~:/%[\]-]*$/, "must be plain: no query (?…), no fragment (#…), only letters, digits and - . _ ~ : / % [ ]")
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
