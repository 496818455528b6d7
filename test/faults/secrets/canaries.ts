/** Secrets that can be searched for: each with letters and digits that stand nowhere else, and with as many signs that are escaped as it may hold. */
import { createHash } from "node:crypto";

/** What escaping changes: in JSON, in addresses, in HTML, in shells; the last ones in base64, too. */
const printable = `"\\%&<'>+/ =$\`{}~?>`;

/** 16 letters and digits that follow from a name. */
const run = (name: string) => createHash("sha256").update(name).digest("base64").replace(/[+/=]/g, "").slice(0, 16);

const around = (name: string, signs: string) => `${run(`${name} begins`)}${signs}${run(`${name} goes on`)}${signs}${run(`${name} ends`)}`;

/** For a header as it is: printable ASCII. */
const forHeader = (name: string) => around(name, printable);

/** For base64 within a header, or for a setting that goes into a body: anything but control characters. */
const forBasic = (name: string) => around(name, `${printable}é漢🔑`);

/** For a body that is not ours: anything. */
const forBody = (name: string) => around(name, `${printable}é漢🔑\u2028\n\t\u0007`);

/** Between them, the secrets of the stacks have every setting that is a secret; a datasource and the push have either of two. */
export interface Canaries {
  /** What the stand-ins accept. */
  accepted: Record<
    "serviceApiKey" | "platformApiKey" | "grafanaAuth" | "otlpToken" | "prometheusPassword" | "cloudAccessPolicyToken",
    string
  >;
  /** Of the other datasources. */
  datasources: Record<string, string>;
}

/** A stack that is given all it needs: Grafana's token, the push's token. */
export const given: Canaries = {
  accepted: {
    serviceApiKey: forHeader("service"),
    platformApiKey: forBasic("platform"),
    grafanaAuth: forHeader("grafana"),
    otlpToken: forBasic("otlp"),
    prometheusPassword: forBasic("prometheus password"),
    cloudAccessPolicyToken: forHeader("cloud"),
  },
  datasources: { lokiPassword: forBasic("loki password"), tempoToken: forHeader("tempo token") },
};

/** One whose push token is made, at a Grafana that is logged in to with a password. */
export const made: Canaries = {
  accepted: {
    serviceApiKey: forHeader("service of the second"),
    platformApiKey: forBasic("platform of the second"),
    grafanaAuth: `admin:${forBasic("grafana password")}`,
    otlpToken: forBasic("otlp of the second"),
    prometheusPassword: forBasic("prometheus password of the second"),
    cloudAccessPolicyToken: forHeader("cloud of the second"),
  },
  datasources: {
    prometheusToken: forHeader("prometheus token"),
    lokiToken: forHeader("loki token"),
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
  tempoToken: forHeader("rotated tempo"),
};

/** In the connection that somebody else registered. */
export const strangersKey = forBody("somebody else's key");

const prefixed = (prefix: string, secrets: object) =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`${prefix} ${name}`, value]));

/** All of them, by names that differ. */
export const all: Record<string, string> = {
  ...prefixed("given", { ...given.accepted, ...given.datasources }),
  ...prefixed("made", { ...made.accepted, ...made.datasources }),
  ...prefixed("rotated", rotated),
  "somebody else's key": strangersKey,
};
