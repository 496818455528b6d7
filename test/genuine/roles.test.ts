/** Roles: the permissions of tokens. */
import { expect, it } from "vitest";
import { type Run, setUp } from "./run";

let run: Run;
setUp((started) => {
  run = started;
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
