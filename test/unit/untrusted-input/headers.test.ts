/**
 * Settings in HTTP headers and environment variables: values that these cannot contain are refused, all other values arrive unchanged. Names in dashboards
 * have no sign that a query, a variable, Markdown or HTML could read as its own.
 */
import { validateHeaderValue } from "node:http";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { dotenv, otlpAuthorization, otlpEnvironment } from "../../../src/otlp";
import { complete, managed, problemsOf } from "../config";
import { untrustedText } from "./values";

const cloud: Record<string, string> = { ...complete, cloudRegion: "eu" };
delete cloud.otlpToken;

/** The configs in which these settings have an effect. */
const around: Record<string, Readonly<Record<string, string>>> = {
  prometheusAuth: managed,
  datasourceTenant: managed,
  cloudAccessPolicyToken: cloud,
};

const isLegal = (key: string, value: string) => problemsOf({ ...(around[key] ?? complete), [key]: value }).length === 0;
const legal = (key: string, text: fc.Arbitrary<string>) => text.map((value) => value.trim()).filter((value) => isLegal(key, value));

/** Of `user:password`, or of a token. */
const basicOrBearer = (auth: string) => (auth.includes(":") ? `Basic ${Buffer.from(auth, "utf8").toString("base64")}` : `Bearer ${auth}`);

/** The header of each setting, in requests of this program, Grafana or an application. */
const headers: Record<string, (value: string) => string> = {
  grafanaAuth: basicOrBearer,
  serviceApiKey: (value) => value,
  cloudAccessPolicyToken: (value) => `Bearer ${value}`,
  datasourceTenant: (value) => value,
  prometheusAuth: basicOrBearer,
  otlpInstanceId: (value) => basicOrBearer(`${value}:token`),
  otlpToken: (value) => basicOrBearer(`1:${value}`),
};

it.each(Object.entries(headers))("a legal header of %s can be sent and decoded", (key, header) => {
  const value = fc.oneof(
    untrustedText,
    fc.string({ minLength: 1 }),
    untrustedText.map((text) => `user:${text}`),
  );
  fc.assert(
    fc.property(legal(key, value), (text) => {
      const sent = header(text);
      validateHeaderValue("authorization", sent);
      const [scheme, credentials = ""] = sent.split(" ");
      if (scheme === "Basic" && sent !== text) expect(Buffer.from(credentials, "base64").toString("utf8")).toContain(text);
      // No character that a proxy or a log would read as the end of a line.
      expect(Buffer.from(sent, "latin1").toString("latin1")).not.toMatch(/[^ -~]/);
    }),
    { numRuns: 60 },
  );
});

const signs = fc.constantFrom(..."abz019.~:/%[]-_", "//", ":~", ":~/", "~root", "%24", "$", "`", "#", "&", ";", " ", "'");
const endpoint = fc.array(signs, { maxLength: 12 }).map((path) => `https://otlp.example.com/${path.join("")}`);

it("the .env text of any legal settings has no sign with a meaning for a shell, and decodes to them", () => {
  const settings = fc.tuple(legal("otlpEndpoint", endpoint), legal("otlpInstanceId", untrustedText), legal("otlpToken", untrustedText));
  fc.assert(
    fc.property(settings, ([endpoint, instanceId, token]) => {
      const text = dotenv(otlpEnvironment(endpoint, otlpAuthorization(instanceId, token), true));
      expect(text).toMatch(/^(\w+=[^\s"'`$\\#;&|<>()]+\n){5}$/);
      expect(text).not.toMatch(/[=:]~/);
      const read = parseEnv(text);
      expect(read.OTEL_EXPORTER_OTLP_ENDPOINT).toBe(endpoint);
      const [, credentials = ""] = new URLSearchParams(read.OTEL_EXPORTER_OTLP_HEADERS).get("Authorization")?.split(" ") ?? [];
      expect(Buffer.from(credentials, "base64").toString("utf8")).toBe(`${instanceId}:${token}`);
    }),
  );
});

it("a name of an SDK or of a service with any other sign is rejected", () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      // Only white space of a keyboard may surround it, and a boolean is not a name.
      const name = /^[\t-\r ]*(.*?)[\t-\r ]*$/s.exec(text)?.[1] ?? "";
      const isText = !/^(true|false)$/.test(name);
      expect(isLegal("sdkName", text)).toBe(isText && /^(?!www\.)[a-zA-Z0-9]+([._-][a-zA-Z0-9]+)*$/.test(name));
      expect(isLegal("service", text)).toBe(isText && /^[a-zA-Z_][a-zA-Z0-9_]{0,24}$/.test(name));
    }),
  );
  for (const name of ['"} or vector(1)', "$application", "www.evil.example", "__init__", "[x](y)"])
    expect(isLegal("sdkName", name)).toBe(false);
});
