/** Who may see the dashboards: the permissions of the folder, and a token that Grafana rejects. */
import { beforeAll, describe, expect, it } from "vitest";
import { sandbox, setUp, stack } from "../support/set-up";

setUp(() => ({ ...sandbox.config(), folderViewers: "none" }));

beforeAll(async () => void (await stack.up()));

describe("the folder's permissions", () => {
  const roles = async () => {
    const grants = (await sandbox.do("/api/access-control/folders/llm-observability")) as { builtInRole?: string; permission: string }[];
    return Object.fromEntries(grants.flatMap(({ builtInRole, permission }) => (builtInRole ? [[builtInRole, permission]] : [])));
  };

  it("are those of the settings, with a default for the other role", async () => {
    expect(await roles()).toEqual({ Admin: "Admin", Editor: "Edit" });
    stack.unset("folderViewers");
    await stack.set({ folderEditors: "admin" });
    expect(await stack.up()).toEqual(["update platform-folder-permissions"]);
    expect(await roles()).toEqual({ Admin: "Admin", Editor: "Admin", Viewer: "View" });
  });

  it("stay if both settings are removed", async () => {
    stack.unset("folderEditors");
    expect(await stack.up()).toEqual(["delete platform-folder-permissions"]);
    expect(await roles()).toEqual({ Admin: "Admin", Editor: "Admin", Viewer: "View" });
  });
});

it("a wrong token fails with the name of the setting in one message, and is not stored", async () => {
  await stack.set({ grafanaAuth: "canary-wrong" });
  const text = await stack.failing("up", "--yes");
  expect(text).toContain("Check grafanaAuth");
  // Without the engine's path to the property and without Node.js' messages on promises.
  expect(text).not.toMatch(/serializ|PromiseRejection|unhandled|\n\s+at /);
  expect(text.match(/^ {4}error: /gm)).toHaveLength(1);
  await stack.set({ grafanaAuth: sandbox.secrets.grafanaAuth });
  // The preview stopped the deployment before the provider stored the wrong token.
  expect(await stack.up()).toEqual([]);
});
