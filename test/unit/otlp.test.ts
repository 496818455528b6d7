/** The OTLP variables of applications. Their .env text is in untrusted-input/headers.test.ts. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { otlpAuthorization, otlpEnvironment, tokenScopes } from "../../src/otlp";
import { answer, startRawServer } from "../support/raw-server";
import { run } from "../support/run";

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

it("the scopes follow from the telemetry", () => {
  expect(tokenScopes(["metrics", "traces"])).toEqual(["metrics:write", "traces:write"]);
});
