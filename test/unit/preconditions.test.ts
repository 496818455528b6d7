/** Whose is what Grafana has already? Asked with a token that may do anything, and with a reader's. */
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { Adoption } from "../../src/platform/adoption";
import { deploymentMessage, requireFolder, requireFree, titleClash, type WantedDashboard } from "../../src/platform/preconditions";
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

const genai: WantedDashboard = { uid: "ours", title: "GenAI Observability", folderUid: "folder" };

// Grafana before 10.0.2 compared what titles become in addresses; since then, the titles.
it.each<[string, "clashes" | "does not clash", Partial<WantedDashboard>]>([
  ["the same title", "clashes", {}],
  ["the same title in another case", "does not clash", { title: "genai OBSERVABILITY" }],
  ["the same title with other punctuation", "does not clash", { title: "GenAI: Observability!" }],
  ["the same title in another folder", "does not clash", { folderUid: "other" }],
  ["the same title at the top", "does not clash", { folderUid: undefined as never }],
  ["a longer title", "does not clash", { title: "GenAI Observability 2" }],
  ["a title without the space", "does not clash", { title: "GenAIObservability" }],
  ["our uid, with our title", "does not clash", { uid: "ours" }],
])("%s %s", (_what, verdict, other) => {
  const found = [
    { ...genai, uid: "other", title: "Another" },
    { ...genai, uid: "theirs", ...other },
  ];
  expect(titleClash(genai, found)).toBe(verdict === "clashes" ? found[1] : undefined);
});

it("one of somebody else's with our title in our folder is not saved over", async () => {
  const { title } = genai;
  const access = await serve(({ path }) => {
    if (path.includes("/ours")) return answer(404, "{}");
    if (path.includes("/versions")) return answer(200, JSON.stringify(saved("by hand").body));
    if (!path.startsWith("/api/search")) return answer(200, JSON.stringify({ dashboard: { title }, meta: {} }));
    const query = new URL(path, "http://grafana").searchParams.get("query") ?? "";
    const found = [{ uid: "theirs", title, folderUid: "folder" }].filter((each) => each.title.toLowerCase().includes(query.toLowerCase()));
    return answer(200, JSON.stringify(found));
  });
  await expect(requireFree(access, genai, "genai-observability", { adopting: [], adopted: [] })).rejects.toThrow(
    `Folder folder holds another dashboard with the title "${title}", uid theirs; ours, uid ours, would be saved over it`,
  );
});
