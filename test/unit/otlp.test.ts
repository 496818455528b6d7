/** The OTLP variables of applications. Their .env text is in untrusted-input/headers.test.ts. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { dotenv, otlpAuthorization, otlpEnvironment } from "../../src/otlp";
import { commandsOf } from "../support/documents";
import { answer } from "../support/raw-server";
import { run } from "../support/run";
import { temporaryFolder } from "../support/temporary-folder";
import { headerOf, serve } from "./serve";

const plus = otlpEnvironment("https://otlp.example.com/otlp%2B", otlpAuthorization("345678", "a~bc>de~9"), true);
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
    const names = ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "TRACELOOP_TRACE_CONTENT", "ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS"];
    expect(hidden).toEqual({ ...example, ...Object.fromEntries(names.map((name) => [name, "false"])) });
  });

  it("configure the real OpenTelemetry SDK", async () => {
    const receiver = await serve([answer(200)]);
    const environment = otlpEnvironment(`${receiver.url}/otlp`, otlpAuthorization("345678", "tökén+/=%&"), true);
    await run(process.execPath, ["-r", "tsx/cjs", join(__dirname, "otlp-push.ts")], { env: { ...process.env, ...environment } });
    expect(receiver.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "POST /otlp/v1/metrics",
      "POST /otlp/v1/traces",
    ]);
    for (const request of receiver.requests) {
      expect(headerOf(request, "authorization")).toBe(`Basic ${Buffer.from("345678:tökén+/=%&").toString("base64")}`);
      expect(headerOf(request, "content-type")).toBe("application/x-protobuf");
    }
  });
});

it("have no sign in the header that some SDKs read as another one: Java's and Ruby's decode a + to a blank", () => {
  expect(plus.OTEL_EXPORTER_OTLP_HEADERS).toBe("Authorization=Basic%20MzQ1Njc4OmF%2BYmM%2BZGV%2BOQ==");
  expect(new URLSearchParams(plus.OTEL_EXPORTER_OTLP_HEADERS).get("Authorization")).toBe("Basic MzQ1Njc4OmF+YmM+ZGV+OQ==");
});

it("LiteLLM, which does not decode them, sends the header with the file that the README makes for it", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, ".env"), dotenv(plus));
  execFileSync("sh", ["-c", commandsOf("litellm", "dashboards/README.md")], { cwd: folder });
  const { OTEL_EXPORTER_OTLP_HEADERS: header, ...others } = parseEnv(readFileSync(join(folder, ".env.litellm"), "utf8"));
  expect(header).toBe("Authorization=Basic MzQ1Njc4OmF+YmM+ZGV+OQ==");
  expect({ ...others, OTEL_EXPORTER_OTLP_HEADERS: plus.OTEL_EXPORTER_OTLP_HEADERS }).toEqual(plus);
});
