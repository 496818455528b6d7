/** The drift in a preview that refreshed first (`pulumi preview --refresh --run-program --json`), resource by resource. */
import { expect, it } from "vitest";
import { onlyDrift } from "../../../src/report/drift";
import type { Json } from "../../../src/report/json";
import { readPreview } from "../../../src/report/read";
import { writeReport } from "../../../src/report/write";
import { preview, step } from "./steps";

type Values = Record<string, Json>;

const lines = (...steps: unknown[]) =>
  writeReport([onlyDrift(readPreview(preview(...steps), false))])
    .markdown.trim()
    .split("\n")
    .slice(2)
    // What is the program's own is only counted.
    .filter((line) => !line.startsWith("- Pulumi also counts 1 "));

/** The steps of a resource that is looked at, and then updated: with the outputs of the state, and those that were found. */
function looked(type: string, { stored, found, before, after }: Record<"stored" | "found" | "before" | "after", Values>) {
  const refresh = step({ op: "refresh", type, before, after });
  const update = step({ type, before, after });
  return [
    { ...refresh, oldState: { ...refresh.oldState, outputs: stored } },
    { ...update, oldState: { ...update.oldState, outputs: found } },
  ];
}

it("a connection drifts where the service holds another one, and nowhere else", () => {
  const type = "pulumi-nodejs:dynamic/llm-observability:Connection";
  const inputs = { serviceUrl: "https://svc.example", platformName: "grafana", platformApiKey: "[secret]" };
  const other = { ...inputs, platform: "signoz" };
  const at = (registeredConnection: string, after: Values) =>
    lines(
      ...looked(type, {
        stored: { ...inputs, registeredConnection: "unknown" },
        found: { ...inputs, registeredConnection },
        before: inputs,
        after,
      }),
    );
  const drifted = ["- **drift** connection `it`: changed outside of Pulumi", "  - registeredConnection `unknown` → `other`"];
  expect(at("other", inputs)).toEqual(drifted);
  expect(at("other", other)).toEqual(drifted);
  // That it is asked for the first time changes nothing.
  expect(at("current", other)).toEqual([]);
});

it("what is deleted drifts where it is to be made again, and not where the program deletes it", () => {
  const folder = {};
  const refresh = step({ op: "refresh", before: folder, after: folder });
  expect(lines(refresh, step({ op: "create", after: folder }))).toEqual(["- **drift** dashboard `it`: deleted outside of Pulumi"]);
  expect(lines(refresh, step({ op: "delete", before: folder }))).toEqual([]);
  expect(lines(step({ op: "delete", before: folder }))).toEqual([]);
  expect(lines(step({ op: "create", after: folder }))).toEqual([]);
});

it("what was not looked at has no drift", () => {
  expect(lines(step({ type: "pulumi:providers:grafana", before: { url: "u" }, after: { url: "u" } }))).toEqual([]);
});

it("a new secret of the program is no drift: its step looks the same before and after", () => {
  const environment = { environment: { secrets: "[secret]" } };
  const same = { stored: environment, found: environment, before: environment, after: environment };
  expect(lines(...looked("command:local:Command", same))).toEqual([]);
});

it("permissions are listed by role, team and user", () => {
  const type = "grafana:oss/folderPermission:FolderPermission";
  const of = (...permissions: Values[]) => ({ folderUid: "llm", permissions });
  const between = (stored: Values, found: Values) => lines(...looked(type, { stored, found, before: stored, after: stored }));
  const viewer = { role: "Viewer", permission: "View" };
  const team = { teamId: "0:5", userId: "0", permission: "Edit" };
  const user = { userId: "7", teamId: "0:0", permission: "Admin" };
  const head = "- **drift** permissions of the folder `llm`: changed outside of Pulumi";
  expect(between(of(viewer, team), of(user, { ...viewer, permission: "Edit" }))).toEqual([
    head,
    "  - Viewer `View` → `Edit`",
    "  - team `0:5` removed, was `Edit`",
    "  - user `7` set to `Admin`",
  ]);
  // Grafana gives them in another order each time.
  expect(between(of(viewer, team), of(team, viewer))[1]).toBe("  - changes that the preview does not show");
  // What is no list of one permission for each is compared as it stands.
  expect(between(of(viewer), of(viewer, { ...viewer, permission: "Edit" }))).toEqual([
    head,
    '  - permissions `{"role":"Viewer","permission":"Edit"}` added',
  ]);
  const names = { role: "[x](https://evil.example)", permission: "`Edit`" };
  expect(between(of(), of(names))[1]).toBe("  - `[x](https://evil.example)` set to `` `Edit` ``");
});
