import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dotenv, otlpAuthorization, otlpEnvironment, tokenScopes } from "../../src/otlp";
import { answer, startRawServer } from "../support/raw-server";
import { run } from "../support/run";
import { temporaryFolder } from "../support/temporary-folder";

const example = otlpEnvironment("https://otlp.example.com/otlp", otlpAuthorization("345678", "a-token"), true);

describe("the OTLP variables", () => {
  it("are those of the spec, the protocol of an HTTP endpoint, and the temporality of Prometheus", () => {
    expect(example).toEqual({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example.com/otlp",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20MzQ1Njc4OmEtdG9rZW4=",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "cumulative",
      OTEL_LOGS_EXPORTER: "none",
    });
  });

  it("switch off the recording of prompts, if the dashboards hide them", () => {
    const hidden = otlpEnvironment("https://otlp.example.com/otlp", otlpAuthorization("345678", "a-token"), false);
    expect(hidden).toEqual({ ...example, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "false" });
  });

  it("encode any instance id and token", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (id, token) => {
        const instanceId = id.replaceAll(":", "");
        const { OTEL_EXPORTER_OTLP_HEADERS: headers } = otlpEnvironment(
          "https://otlp.example.com",
          otlpAuthorization(instanceId, token),
          true,
        );
        const [name, ...value] = headers.split("=");
        const [scheme, credentials = ""] = decodeURIComponent(value.join("=")).split(" ");
        expect([name, scheme]).toEqual(["Authorization", "Basic"]);
        expect(Buffer.from(credentials, "base64").toString("utf8")).toBe(`${instanceId}:${token}`);
      }),
    );
  });

  it("configure the real OpenTelemetry SDK", async () => {
    const receiver = await startRawServer([answer(200)]);
    const environment = otlpEnvironment(`${receiver.url}/otlp`, otlpAuthorization("345678", "tökén+/=%&"), true);
    await run(process.execPath, ["-r", "./src/load.cjs", join(__dirname, "otlp-push.ts")], { env: { ...process.env, ...environment } });
    await receiver.close();
    expect(receiver.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "POST /otlp/v1/metrics",
      "POST /otlp/v1/traces",
    ]);
    for (const { headers } of receiver.requests) {
      const sent = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
      expect(sent.get("authorization")).toBe(`Basic ${Buffer.from("345678:tökén+/=%&").toString("base64")}`);
      expect(sent.get("content-type")).toBe("application/x-protobuf");
    }
  });
});

describe("the .env text", () => {
  it("is read equally by Node, a shell and Docker, which reads it line by line", () => {
    const text = dotenv(example);
    const file = join(temporaryFolder(), ".env");
    writeFileSync(file, text);
    const shell = execFileSync("sh", ["-c", `set -a; . "$1"; node -p "JSON.stringify(process.env)"`, "sh", file], {
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });
    const docker = Object.fromEntries(
      text
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    expect(parseEnv(text)).toEqual(example);
    expect(JSON.parse(shell)).toMatchObject(example);
    expect(docker).toEqual(example);
  });
});

describe("the scopes", () => {
  it("follow from the telemetry", () => {
    expect(tokenScopes(["metrics"])).toEqual(["metrics:write"]);
    expect(tokenScopes(["traces"])).toEqual(["traces:write"]);
    expect(tokenScopes(["metrics", "traces"])).toEqual(["metrics:write", "traces:write"]);
  });
});
