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

const checkedSecret = (schema: z.ZodString) =>
  schema
    .min(1, "must not be empty")
    .regex(/^(\S(.*\S)?)?$/s, "starts or ends with white space or a line break, most likely from copying")
    .transform((value) => pulumi.secret(value));

/** A secret becomes an Output as soon as it was checked; no plain copy is kept. */
export const secret = (schema: z.ZodString, description: string) => key(checkedSecret(schema), { description, secret: true });

/** The same for one that may be absent. */
export const optionalSecret = (description: string) => key(checkedSecret(z.string()).optional(), { description, secret: true });

/** A text without white space around it. */
export const text = () => z.string().trim().min(1, "must not be empty");

/** Why `value` cannot be used as an address, or undefined where it can. Credentials in it would be shown in every diff. */
function addressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "must be an address that starts with http:// or https://";
  if (/\s/.test(value)) return "must not hold white space";
  if (url.username || url.password) return "must not hold a user name or password: it is stored and shown in plain";
  return undefined;
}

/** An http(s) address, kept to the letter. */
export const address = () =>
  text().superRefine((value, context) => {
    const problem = addressProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });

/**
 * An http(s) address to which a path will be appended: no query, no fragment, not already ending in `appended`; slashes at its end go.
 * The characters are those that need no quotes in an `.env` file.
 */
export const baseAddress = (appended: RegExp, hint: string) =>
  address()
    .regex(/^[\w.~:/%[\]-]*$/, "must be plain: no query (?…), no fragment (#…), only letters, digits and - . _ ~ : / % [ ]")
    .transform((value) => value.replace(/\/+$/, ""))
    .refine((value) => !appended.test(value), hint);

/** A uid as Grafana takes it. */
export const uid = () => text().regex(/^[a-zA-Z0-9_-]{1,40}$/, "must be 1 to 40 letters, digits, - or _: Grafana takes no other uid");

/** A certificate in PEM form, as text: a path would mean another file on each machine. */
export const pem = () =>
  text()
    .regex(
      /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----$/,
      "must be a certificate in PEM form, its BEGIN and END lines included",
    )
    .optional();

/** How to set one: as an argument, its dashes would be taken for a flag. */
export const pemExample = "< ca.pem";
