/** Whose is what Grafana has already? Asked with a token that may do anything, and with a reader's. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { deploymentMessage, requireFree } from "../../src/platform/preconditions";
import { answer, type RawRequest, startRawServer } from "./raw-server";

const wanted = { uid: "ours", title: "Ours", folderUid: "folder" };

beforeAll(() =>
  pulumi.runtime.setMocks(
    { newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: ({ inputs }) => inputs },
    "project",
    "dev",
  ),
);

/** Asks at a Grafana that has a dashboard under our uid. */
async function ask(history: { status: number; body: unknown }): Promise<void> {
  const reply = ({ path }: RawRequest) => {
    if (path.includes("/versions")) return answer(history.status, JSON.stringify(history.body));
    return answer(200, JSON.stringify(path.startsWith("/api/search") ? [] : { dashboard: { title: "There" }, meta: {} }));
  };
  const server = await startRawServer([reply]);
  onTestFinished(() => server.close());
  await requireFree({ url: server.url, auth: "t" }, wanted, "genai-observability", { adopting: [], adopted: [] });
}

it("a dashboard that this stack never saved is not saved over", async () => {
  await expect(ask({ status: 200, body: { versions: [{ message: "by hand" }] } })).rejects.toThrow(
    /"There", and this stack never saved it/,
  );
});

it("one that it saved once is its own, whoever changed it since", async () => {
  await ask({ status: 200, body: { versions: [{ message: "by hand" }, { message: deploymentMessage() }] } });
});

// Grafana shows a dashboard's history to those who may write it.
it("a reader, who is not told, is not stopped", async () => {
  await ask({ status: 403, body: { message: "Access denied" } });
});

it("any other refusal is one", async () => {
  await expect(ask({ status: 401, body: { message: "Invalid API key" } })).rejects.toThrow(
    /answered 401: Invalid API key .* Check grafanaAuth/,
  );
});
