import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { sandbox, setUp, stack } from "../support/set-up";
setUp();
it("up", async () => {
  const file = join(stack.folder, "import.json");
  await stack.pulumi("preview", "--import-file", file).catch((e) => console.log(String(e).slice(0, 3000)));
  console.log(readFileSync(file, "utf8"));
  await sandbox.do("/api/folders", "POST", { uid: "llm-observability", title: "Mine" });
  await sandbox.do("/api/datasources", "POST", { uid: "llm-observability-loki", name: "Old loki", type: "loki", access: "proxy", url: "http://old.example.net" });
  await sandbox.do("/api/dashboards/db", "POST", { dashboard: { uid: "genai-observability", title: "Pasted", panels: [] }, folderUid: "llm-observability" });
  const urn = (await stack.pulumi("stack", "export"));
  writeFileSync(file, JSON.stringify({
    resources: [
      { type: "llm-observability:platform:ObservabilityPlatform", name: "platform", component: true },
      { type: "grafana:oss/folder:Folder", name: "platform-folder", id: "llm-observability", parent: "platform" },
      { type: "grafana:oss/dataSource:DataSource", name: "platform-loki", id: "llm-observability-loki", parent: "platform" },
      { type: "grafana:oss/dashboard:Dashboard", name: "platform-genai-observability", id: "genai-observability", parent: "platform" },
    ],
  }));
  console.log(await stack.pulumi("import", "--file", file, "--yes", "--generate-code=false").catch((e) => String(e.output)));
  await stack.pulumi("up", "--yes", "--skip-preview", "--target", `urn:pulumi:test::llm-observability::pulumi:providers:grafana::grafana`).then(console.log, (e) => console.log(String(e.output)));
  writeFileSync(file, JSON.stringify({
    nameTable: { platform: "urn:pulumi:test::llm-observability::llm-observability:platform:ObservabilityPlatform::platform", grafana: "urn:pulumi:test::llm-observability::pulumi:providers:grafana::grafana" },
    resources: [
      { type: "grafana:oss/folder:Folder", name: "platform-folder", id: "llm-observability", parent: "platform", provider: "grafana" },
      { type: "grafana:oss/dataSource:DataSource", name: "platform-loki", id: "llm-observability-loki", parent: "platform", provider: "grafana" },
      { type: "grafana:oss/dashboard:Dashboard", name: "platform-genai-observability", id: "genai-observability", parent: "platform", provider: "grafana" },
    ],
  }));
  console.log(await stack.pulumi("import", "--file", file, "--yes", "--generate-code=false").catch((e) => String(e.output)));
  console.log((await stack.resources()).map((x) => `${x.urn} ${x.id} ${(x as any).protect}`).join("\n"));
  console.log(await stack.pulumi("up", "--yes", "--skip-preview").catch((e) => String(e.output)));
});
