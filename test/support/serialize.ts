/**
 * Declares a connection in a separate process with the loader of the program, and prints its serialized provider, as in the state. The environment
 * variable CANARY is the platform's key.
 */
import * as pulumi from "@pulumi/pulumi";
import { Connection } from "../../src/connection/connection";

const canary = process.env.CANARY ?? "";

async function main(): Promise<void> {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      process.stdout.write(inputs.__provider);
      return { id: name, state: inputs };
    },
    call: ({ inputs }) => inputs,
  });
  new Connection("connection", {
    serviceUrl: "https://llmobs.example.com",
    serviceApiKeyConfig: "llm-observability:serviceApiKey",
    platformName: "grafana",
    metricsUrl: "https://metrics.example.com",
    metricsUsername: "123",
    logsUrl: "https://logs.example.com",
    logsUsername: "234",
    platformApiKey: pulumi.secret(canary),
    verifyConnection: "off",
  });
}

void main();
