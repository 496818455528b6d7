/** Organizations: all resources are created in the one of the setting, or the preview fails. Roles: the permissions of tokens. */
import { expect, it } from "vitest";
import { ask, genuineGrafana } from "./grafana";
import { type Run, setUp } from "./run";

let run: Run;
setUp((started) => {
  run = started;
});

it("a deployment of a user creates resources only in the organization of the setting", async () => {
  const stack = await run.stack({ ...run.config(), grafanaAuth: genuineGrafana().admin, grafanaOrgId: String(run.org.id) });
  await stack.up();
  expect(await run.org.contents()).toEqual(run.uids());
  for (const uid of run.uids()) expect((await ask(`/api/dashboards/uid/${uid}`)).status).toBe(404);
  expect((await ask(`/api/folders/${run.config().folderUid}`)).status).not.toBe(200);
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(await run.org.contents()).toEqual([]);
});

it("a token of another organization fails the preview, and nothing is created", async () => {
  const stack = await run.stack({ ...run.config(), grafanaOrgId: "1" }, "token");
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    expect(await stack.failing(...command)).toContain(`grafanaAuth is a token of organization ${run.org.id}, but grafanaOrgId is 1.`);
  }
  expect(await run.org.contents()).toEqual([]);
  expect((await ask(`/api/folders/${run.config().folderUid}`)).status).not.toBe(200);
});

it("an organization without access fails the preview", async () => {
  const stack = await run.stack({ ...run.config(), grafanaAuth: genuineGrafana().admin, grafanaOrgId: "987654321" }, "nowhere");
  expect(await stack.failing("preview")).toContain("grafanaAuth has no access to organization 987654321");
});

it("a token with the role Editor deploys dashboards with existing datasources", async () => {
  const editor = await run.org.token("Editor");
  const { prometheusUid = "", lokiUid = "", tempoUid = "" } = run.config();
  for (const [type, uid] of Object.entries({ prometheus: prometheusUid, loki: lokiUid, tempo: tempoUid })) {
    await run.org.do("/api/datasources", { uid, name: uid, type, access: "proxy", url: "http://127.0.0.1:9" });
  }
  const managed = /^(prometheus|loki|tempo)(Url|Username|Password)$/;
  const others = Object.fromEntries(Object.entries(run.config()).filter(([key]) => !managed.test(key)));
  const stack = await run.stack({ ...others, datasources: "existing", grafanaAuth: editor.key }, "editor");
  await stack.up();
  expect(await run.org.contents()).toEqual(run.uids());
  await stack.pulumi("preview", "--refresh", "--expect-no-changes");
  await stack.destroy();
  expect(await run.org.contents()).toEqual([lokiUid, prometheusUid, tempoUid].sort());
});
