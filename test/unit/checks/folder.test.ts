/** The check of the folder's location: a Grafana without nested folders creates it at the top level and reports no error. */
import { expect, it } from "vitest";
import { answer } from "../../support/raw-server";
import { check } from "./run";

it.each<[string, string, "ok" | "failed", string]>([
  ["in its parent", '{"parentUid":"team"}', "ok", "is in the folder team"],
  [
    "at the top level",
    "{}",
    "failed",
    "is at the top level, not in team: this Grafana has nested folders disabled: enable them, or remove the setting folderParentUid",
  ],
  ["moved by hand", '{"parentUid":"other"}', "failed", "is in the folder other, not in team: pulumi up --refresh moves it"],
])("a folder %s", async (_location, body, status, detail) => {
  const { results } = await check(({ path }) => (path === "/api/folders/f" ? answer(200, body) : answer(404, "{}")), {
    targets: { folder: { uid: "f", parentUid: "team" } },
  });
  expect(results["folder f"]).toEqual({ name: "folder f", status, detail });
});
