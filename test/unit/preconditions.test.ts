/** Whose is what Grafana has already? Asked with a token that may do anything, and with a reader's. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { Adoption } from "../../src/platform/adoption";
import { deploymentMessage, requireFolder, requireFree } from "../../src/platform/preconditions";
import { answer, type RawRequest, startRawServer } from "./raw-server";

const wanted = { uid: "ours", title: "Ours", folderUid: "folder" };

beforeAll(() =>
  pulumi.runtime.setMocks(
    { newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: ({ inputs }) => inputs },
    "project",
    "dev",
  ),
);

/** Somewhere that may be Grafana. */
async function serve(reply: (request: RawRequest) => string): Promise<{ url: string; auth: string }> {
  const server = await startRawServer([reply]);
  onTestFinished(() => server.close());
  return { url: server.url, auth: "t" };
}

/** Asks at a Grafana that has a dashboard under our uid. */
async function ask(history: { status: number; body: unknown }, adoption: Adoption = { adopting: [], adopted: [] }): Promise<void> {
  const access = await serve(({ path }) => {
    if (path.includes("/versions")) return answer(history.status, JSON.stringify(history.body));
    return answer(200, JSON.stringify(path.startsWith("/api/search") ? [] : { dashboard: { title: "There" }, meta: {} }));
  });
  await requireFree(access, wanted, "genai-observability", adoption);
}

const saved = (...messages: unknown[]) => ({ status: 200, body: { versions: messages.map((message) => ({ message })) } });

it("a dashboard of which no version is known to be this stack's is not saved over, and the ways out are told", async () => {
  await expect(ask(saved("by hand"))).rejects.toThrow(
    [
      'Grafana has a dashboard with the uid ours already, "There", and none of the versions that its history still has was saved by this stack (project/dev). Two ways out:',
      "  adopt it, where it is nobody's, or this stack's under an earlier name, or was edited by hand many times since:",
      "    npm run adopt -- dev",
      "  refer to it, where it is another stack's; what this stack's own state has of it, folder and datasources included, is then deleted at Grafana, as a preview shows:",
      "    npx pulumi config set owns service --stack dev",
    ].join("\n"),
  );
});

it("another stack that saved it is named, without what a terminal would take for commands", async () => {
  await expect(ask(saved("by hand", "Deployed by Pulumi: project/prod"))).rejects.toThrow(
    "was saved by this stack (project/dev), one was by project/prod. Two ways out",
  );
  await expect(ask(saved("Deployed by Pulumi: \x1b[2J"))).rejects.toThrow("one was by ⟨U+001B⟩[2J.");
});

it("one that it saved once is its own, whoever changed it since", async () => {
  await ask(saved("by hand", deploymentMessage(), null, 7));
});

it("one that is adopted is its own, whatever its history says", async () => {
  await ask(saved("by hand"), { adopting: [], adopted: ["genai-observability"] });
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

it("a folder that Grafana does not have is another stack's to deploy", async () => {
  const access = await serve(() => answer(404, '{"message":"folder not found"}'));
  await expect(requireFolder(access, "folder")).rejects.toThrow("Deploy the stack that has it first");
});

it.each([200, 404])("a page with status %d tells nothing of a folder", async (status) => {
  const access = await serve(() => answer(status, "<html>"));
  await expect(requireFolder(access, "folder")).rejects.toThrow(
    `answered ${status} without JSON to GET /api/folders/folder. Check grafanaUrl, which must be the address of Grafana, a path prefix included.`,
  );
});
