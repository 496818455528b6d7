/** The program under the SDK's mocks: what it declares, and which of it is secret. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";

const secretMark = "4dabf18193072939515e22adb298388d";
const declared: pulumi.runtime.MockResourceArgs[] = [];
let program: typeof import("../../index.js");

beforeAll(async () => {
  const config = {
    service: "llmobs",
    serviceUrl: "https://llmobs.example.com/",
    metricsUrl: "https://metrics.example.net/write",
    metricsUsername: "123456",
    logsUrl: "https://logs.example.net/push",
    logsUsername: "234567",
    otlpEndpoint: "https://otlp.example.net/otlp",
    otlpInstanceId: "345678",
    serviceApiKey: "canary-service",
    platformApiKey: "canary-platform",
    otlpToken: "canary-token",
  };
  const named = Object.fromEntries(Object.entries(config).map(([key, value]) => [`project:${key}`, value]));
  const secretKeys = Object.keys(named).filter((key) => named[key]?.startsWith("canary"));
  await pulumi.runtime.setMocks(
    {
      newResource: (resource) => {
        declared.push(resource);
        return { id: `${resource.name}-id`, state: { ...resource.inputs, registeredAt: "2026-01-01T00:00:00.000Z" } };
      },
      call: () => ({}),
    },
    "project",
    "stack",
  );
  pulumi.runtime.setAllConfig(named, secretKeys);
  program = await import("../../index.js");
  await new Promise((resolve) => program.connection.registeredAt.apply(resolve));
});

describe("the program", () => {
  it("declares the connection, under a type of its own", () => {
    expect(declared.map(({ type, name }) => [type, name])).toEqual([["pulumi-nodejs:dynamic/llm-observability:Connection", "connection"]]);
  });

  it("hands the connection its fields: the platform's key as a secret, the service's key not at all", () => {
    const { __provider: _code, ...inputs } = declared[0]?.inputs ?? {};
    expect(inputs).toEqual({
      serviceUrl: "https://llmobs.example.com",
      serviceApiKeyConfig: "project:serviceApiKey",
      platform: "grafana",
      metricsUrl: "https://metrics.example.net/write",
      metricsUsername: "123456",
      logsUrl: "https://logs.example.net/push",
      logsUsername: "234567",
      platformApiKey: expect.objectContaining({ [secretMark]: expect.any(String), value: "canary-platform" }),
    });
    expect(JSON.stringify(declared)).not.toContain("canary-service");
  });

  it("keeps the OTLP outputs secret, and shows the scopes and the address", async () => {
    expect(await pulumi.isSecret(program.otlp)).toBe(true);
    expect(await pulumi.isSecret(program.otlpDotenv)).toBe(true);
    expect(await pulumi.isSecret(pulumi.output(program.connection))).toBe(false);
    expect(program.otlpTokenScopes).toEqual(["metrics:write", "traces:write"]);
  });
});
