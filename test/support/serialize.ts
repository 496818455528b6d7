/**
 * Run as a process of its own, under the loader of the program: declares a connection and prints its provider's text, as the engine keeps it
 * in the state. CANARY, from the environment, is the platform's key.
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
  });
}

void main();
