/** Secrets to search for: each with unique letters and digits, and with as many escaped characters as it may contain. */
import { createHash } from "node:crypto";

/** Characters that are escaped in JSON, in addresses, in HTML and in shells; the last ones also change in base64. */
const printable = `"\\%&<'>+/ =$\`{}~?>`;

/** 16 letters and digits derived from a name. */
const run = (name: string) => createHash("sha256").update(name).digest("base64").replace(/[+/=]/g, "").slice(0, 16);

const around = (name: string, signs: string) => `${run(`${name} begins`)}${signs}${run(`${name} goes on`)}${signs}${run(`${name} ends`)}`;

/** For a raw header: printable ASCII. */
const forHeader = (name: string) => around(name, printable);

/** For base64 in a header, or a setting in a body: no control characters. */
const forBasic = (name: string) => around(name, `${printable}é漢🔑`);

/** For the body of another program: any character. */
const forBody = (name: string) => around(name, `${printable}é漢🔑\u2028\n\t\u0007`);

/** A secret for each setting, of the characters that it may contain. */
const make = <Setting extends string>(of: string, forms: Record<Setting, (name: string) => string>) =>
  Object.fromEntries(
    Object.entries<(name: string) => string>(forms).map(([setting, form]) => [setting, form(`${of} ${setting}`)]),
  ) as Record<Setting, string>;

/** Together, the two stacks have every secret setting; a datasource and the push have one of two alternatives. The stand-ins accept some of them. */
export type Canaries = typeof given;

/** A stack with Grafana's token and the token of the push. */
export const given = {
  accepted: make("given", {
    serviceApiKey: forHeader,
    platformApiKey: forBasic,
    grafanaAuth: forHeader,
    otlpToken: forBasic,
    prometheusPassword: forBasic,
    cloudAccessPolicyToken: forHeader,
  }),
  datasources: make("given", { lokiPassword: forBasic, tempoPassword: forHeader }),
};

/** A stack that creates the token of the push and uses a password for Grafana. */
export const made: Canaries = {
  accepted: make("made", {
    serviceApiKey: forHeader,
    platformApiKey: forBasic,
    grafanaAuth: (name) => `admin:${forBasic(name)}`,
    otlpToken: forBasic,
    prometheusPassword: forHeader,
    cloudAccessPolicyToken: forHeader,
  }),
  datasources: make("made", { lokiPassword: forHeader, tempoPassword: forBasic }),
};

/** The settings of the first stack with other values, as after a rotation. */
export const rotated = make("rotated", {
  serviceApiKey: forHeader,
  platformApiKey: forBasic,
  otlpToken: forBasic,
  prometheusPassword: forBasic,
  lokiPassword: forBasic,
  tempoPassword: forHeader,
});

/** The key in the connection of another stack. */
export const otherKey = forBody("key of another stack");

const prefixed = (prefix: string, secrets: object) =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`${prefix} ${name}`, value]));

/** All of them, by unique names. */
export const all: Record<string, string> = {
  ...prefixed("given", { ...given.accepted, ...given.datasources }),
  ...prefixed("made", { ...made.accepted, ...made.datasources }),
  ...prefixed("rotated", rotated),
  "key of another stack": otherKey,
};
