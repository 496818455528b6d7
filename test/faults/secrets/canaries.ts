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

/** Together, the stacks have every secret setting; a datasource and the push have one of two alternatives. */
export interface Canaries {
  /** Accepted by the stand-ins. */
  accepted: Record<
    "serviceApiKey" | "platformApiKey" | "grafanaAuth" | "otlpToken" | "prometheusPassword" | "cloudAccessPolicyToken",
    string
  >;
  /** Of the other datasources. */
  datasources: Record<string, string>;
}

/** A stack with Grafana's token and the token of the push. */
export const given: Canaries = {
  accepted: {
    serviceApiKey: forHeader("service"),
    platformApiKey: forBasic("platform"),
    grafanaAuth: forHeader("grafana"),
    otlpToken: forBasic("otlp"),
    prometheusPassword: forBasic("prometheus password"),
    cloudAccessPolicyToken: forHeader("cloud"),
  },
  datasources: { lokiPassword: forBasic("loki password"), tempoPassword: forHeader("tempo token") },
};

/** A stack that creates the token of the push and uses a password for Grafana. */
export const made: Canaries = {
  accepted: {
    serviceApiKey: forHeader("service of the second"),
    platformApiKey: forBasic("platform of the second"),
    grafanaAuth: `admin:${forBasic("grafana password")}`,
    otlpToken: forBasic("otlp of the second"),
    prometheusPassword: forHeader("prometheus token"),
    cloudAccessPolicyToken: forHeader("cloud of the second"),
  },
  datasources: {
    lokiPassword: forHeader("loki token"),
    tempoPassword: forBasic("tempo password"),
  },
};

/** The same settings with other values, as after a rotation. */
export const rotated = {
  serviceApiKey: forHeader("rotated service"),
  platformApiKey: forBasic("rotated platform"),
  otlpToken: forBasic("rotated otlp"),
  prometheusPassword: forBasic("rotated prometheus"),
  lokiPassword: forBasic("rotated loki"),
  tempoPassword: forHeader("rotated tempo"),
};

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
