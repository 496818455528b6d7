/** The sandbox's gateway, between Grafana and real servers. */
import { expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../sandbox/gateway";
import { listen } from "../../support/listen";
import { answer } from "../../support/raw-server";
import { headerOf, serve } from "../serve";

// Tempo answers in JSON or in protobuf, as the request asks.
it("passes on which format a request accepts, and that of its content", async () => {
  const server = await serve([answer(200, "trace")]);
  const gateway = createGateway([{ path: "/tempo", url: server.url }]);
  onTestFinished(() => void gateway.close());
  const sent = { Accept: "application/protobuf", "Content-Type": "application/x-protobuf" };
  await fetch(`${await listen(gateway)}/tempo/api/traces/1`, { headers: sent });
  const [request] = server.requests;
  expect(request?.path).toBe("/api/traces/1");
  for (const [name, value] of Object.entries(sent)) expect(headerOf(request, name.toLowerCase())).toBe(value);
});
