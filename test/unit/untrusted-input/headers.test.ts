/** Settings in HTTP headers and environment variables: values that these cannot contain are refused, all other values arrive unchanged. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { validateHeaderValue } from "node:http";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dotenv, otlpAuthorization, otlpEnvironment } from "../../../src/otlp";
import { formatProblems } from "../../../src/settings";
import { temporaryFolder } from "../../support/temporary-folder";
import { complete, managed, mark, problemsOf } from "../config";
import { untrustedText } from "./values";

const cloud: Record<string, string> = { ...complete, cloudRegion: "eu" };
delete cloud.otlpToken;

/** The configs in which these settings have an effect. */
const around: Record<string, Readonly<Record<string, string>>> = {
  prometheusUsername: managed,
  prometheusPassword: managed,
  datasourceTenant: managed,
  cloudAccessPolicyToken: cloud,
};

const problemsWith = (key: string, value: string) => problemsOf({ ...(around[key] ?? complete), [key]: value });
const isLegal = (key: string, value: string) => problemsWith(key, value).length === 0;

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`, "utf8").toString("base64")}`;

/** The header of each setting, in requests of this program, Grafana or an application. */
const headers: Record<string, (value: string) => string> = {
  grafanaAuth: (auth) => (auth.includes(":") ? `Basic ${Buffer.from(auth, "utf8").toString("base64")}` : `Bearer ${auth}`),
  serviceApiKey: (value) => value,
  cloudAccessPolicyToken: (value) => `Bearer ${value}`,
  datasourceTenant: (value) => value,
  prometheusUsername: (value) => basic(value, "password"),
  prometheusPassword: (value) => basic("user", value),
  otlpInstanceId: (value) => basic(value, "token"),
  otlpToken: (value) => basic("1", value),
};

describe("a header's value", () => {
  it.each(Object.entries(headers))("a legal %s can be sent and decoded", (key, header) => {
    const value = fc.oneof(
      untrustedText,
      fc.string({ minLength: 1 }),
      untrustedText.map((text) => `user:${text}`),
    );
    fc.assert(
      fc.property(
        value.map((text) => text.trim()).filter((text) => isLegal(key, text)),
        (text) => {
          const sent = header(text);
          validateHeaderValue("authorization", sent);
          const [scheme, credentials = ""] = sent.split(" ");
          if (scheme === "Basic" && sent !== text) expect(Buffer.from(credentials, "base64").toString("utf8")).toContain(text);
          // No character that a proxy or a log would read as the end of a line.
          expect(Buffer.from(sent, "latin1").toString("latin1")).not.toMatch(/[^ -~]/);
        },
      ),
      { numRuns: 200 },
    );
  });

  const refused: [key: string, value: string, reason: string][] = [
    ["serviceApiKey", `${mark}\r\nX-Injected: 1`, "printable ASCII"],
    ["cloudAccessPolicyToken", `${mark}\u200b`, "printable ASCII"],
    ["grafanaAuth", `${mark}\0`, "control characters"],
    ["grafanaAuth", `${mark}ü`, "printable ASCII"],
    ["grafanaAuth", `admin:${mark}\nx`, "control characters"],
    ["prometheusPassword", `${mark}\r\nx`, "control characters"],
    ["otlpToken", `${mark}\ud800`, "control characters"],
    ["otlpInstanceId", `${mark}\r\nX-Injected: 1`, "control characters"],
    ["otlpInstanceId", `${mark}:x`, "colon"],
    ["prometheusUsername", `${mark}:x`, "colon"],
    ["datasourceTenant", `${mark}\r\nX-Scope-OrgID: other`, "printable ASCII"],
  ];

  it.each(refused)("%s = %j is refused", (key, value, reason) => {
    const problems = problemsWith(key, value);
    expect(problems).toMatchObject([{ key, reason: expect.stringContaining(reason) }]);
    expect(formatProblems(problems, "dev")).not.toContain(mark);
  });

  it("a password may contain letters beyond ASCII, colons and quotes", () => {
    const values = { grafanaAuth: "admin:pässwört \"'\\%&", otlpToken: "tökén+/=%&\"'\\", prometheusPassword: "pässwört:with:colons" };
    for (const [key, value] of Object.entries(values)) expect(problemsWith(key, value)).toEqual([]);
  });
});

describe("the .env text", () => {
  const plainId = untrustedText.map((text) => text.trim()).filter((text) => isLegal("otlpInstanceId", text));
  const token = untrustedText.map((text) => text.trim()).filter((text) => isLegal("otlpToken", text));
  const endpoint = fc
    .array(fc.constantFrom(..."abz019.~:/%[]-_", "//", ":~", ":~/", "~root", "%24", "$", "`", "#", "&", ";", " ", "'"), { maxLength: 12 })
    .map((signs) => `https://otlp.example.com/${signs.join("")}`.trim())
    .filter((text) => isLegal("otlpEndpoint", text));

  it("of any legal settings is read equally by a shell, by Node, and line by line", () => {
    const settings = fc.array(fc.record({ endpoint, instanceId: plainId, token }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(settings, (all) => {
        const environments = all.map(({ endpoint, instanceId, token }) =>
          otlpEnvironment(endpoint, otlpAuthorization(instanceId, token), true),
        );
        const folder = temporaryFolder();
        for (const [place, environment] of environments.entries()) writeFileSync(join(folder, `${place}.env`), dotenv(environment));
        const names =
          "OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE OTEL_LOGS_EXPORTER";
        const script = `for ((i = 0; i < ${all.length}; i++)); do . "$1/$i.env"; for name in ${names}; do printf '%s\\0' "\${!name}"; done; done`;
        const words = execFileSync("/bin/bash", ["-c", script, "bash", folder], { encoding: "utf8", env: { HOME: "/home/user" } });
        expect(words.split("\0").slice(0, -1)).toEqual(environments.flatMap((environment) => Object.values(environment)));
        for (const [place, environment] of environments.entries()) {
          expect(parseEnv(dotenv(environment))).toEqual(environment);
          expect(dotenv(environment)).toMatch(/^(\w+=[^\s"'`$\\#;&|<>()]+\n){5}$/);
          const [, credentials = ""] = environment.OTEL_EXPORTER_OTLP_HEADERS.split("%20");
          expect(Buffer.from(credentials, "base64").toString("utf8")).toBe(`${all[place]?.instanceId}:${all[place]?.token}`);
        }
      }),
      { numRuns: 3 },
    );
  });

  it("has no address that a shell would expand", () => {
    expect(problemsWith("otlpEndpoint", "https://otlp.example.com/a:~/b")).toMatchObject([{ reason: expect.stringContaining(":~") }]);
  });
});
