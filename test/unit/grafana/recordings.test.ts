/**
 * Compares the stand-in for Grafana with recordings of two genuine ones. Changes between two scenarios, by hand or by a run that was not
 * recorded, are repeated in `before`. Names of the recorder begin with r12; the resources contain the names of its service accounts.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBackends } from "../../sandbox/backends";
import { admin, allScenarios, histories, playAll, Replay } from "./replay";

const folder = { uid: "r12-llm-observability", title: "R12 LLM Observability" };
const folderPath = `/api/folders/${folder.uid}?forceDeleteRules=true`;
const board = (uid: string, folderUid = folder.uid) => ({ dashboard: { uid, title: uid, panels: [] }, folderUid });
const datasource = (uid: string, type: string, url: string) => ({ name: uid, uid, type, access: "proxy", url });

describe("history, permissions and titles", () => {
  const replay = new Replay();

  const before = {
    "v12-23-dashboard-history": async () => {
      replay.token = await replay.account("r12rec", "Admin");
      await replay.nextIds({ dashboard: 9 });
    },
    "v12-24-folder-permission": () => replay.remove(folderPath),
    "v12-24b-folder-permission-hand-edit": () =>
      replay.change("POST", `/api/access-control/folders/${folder.uid}`, { permissions: [{ builtInRole: "Viewer", permission: "Edit" }] }),
    "v12-21-dashboards-created": async () => {
      await replay.remove(folderPath);
      await replay.nextIds({ dashboard: 13 });
    },
    "v12-20-dashboard-same-title": () => replay.remove(folderPath),
    // By hand: a dashboard.
    "v12-19-dashboard-same-uid": async () => {
      await replay.remove(folderPath);
      await replay.nextIds({ dashboard: 20 });
      await replay.change("POST", "/api/folders", folder);
      await replay.change("POST", "/api/dashboards/db", board("r12-another"), admin);
    },
  };

  playAll(replay, histories.titles, before);
});

it("is all that was recorded, each scenario once", () => {
  expect(Object.values(histories).flat().sort()).toEqual(allScenarios.toSorted());
});

describe("what the program met", () => {
  const replay = new Replay();
  let editor: Record<string, string>;
  let recorder: Record<string, string>;
  let backends: Server;
  beforeAll(() => {
    backends = createBackends({ metrics: [], otlp: { user: "1", accepts: () => false } }).listen(0, "127.0.0.1");
  });
  afterAll(() => backends.close());

  const before = {
    // By hand: a dashboard in the folder.
    "v12-26-destroy-folder-not-empty-option": async () => {
      editor = await replay.account("r12ed", "Editor");
      recorder = replay.token = await replay.account("r12rec", "Admin");
      await replay.nextIds({ dashboard: 5 });
      await replay.change("POST", "/api/folders", folder);
      await replay.change("POST", "/api/dashboards/db", board("r12-foreign"));
    },
    "v12-26b-destroy-folder-empty-option": () => replay.remove("/api/dashboards/uid/r12-foreign"),
    "v12-26c-destroy-folder-empty-option-dashboard-elsewhere": async () => {
      await replay.change("POST", "/api/folders", folder);
      await replay.change("POST", "/api/dashboards/db", board("r12-elsewhere", ""));
    },
    "v12-26e-destroy-folder-not-empty": async () => {
      await replay.change("POST", "/api/folders", folder);
      await replay.change("POST", "/api/dashboards/db", board("r12-foreign"));
    },
    "v12-25-provider-org-basic": () => replay.nextIds({ dashboard: 11, datasource: 5 }),
    "v12-25b-resource-org-basic": () => replay.change("POST", "/api/orgs", { name: "r12-second" }, admin),
    "v12-25c-provider-org-token-of-another": async () => {
      await replay.remove(folderPath);
      await replay.remove("/api/datasources/uid/r12-llm-metrics");
    },
    "v12-28-datasource-name-taken": async () => {
      await replay.remove("/api/datasources/uid/r12-llm-metrics");
      await replay.change("POST", "/api/datasources", {
        ...datasource("r12-by-hand", "prometheus", "http://127.0.0.1:9091"),
        name: "r12-metrics",
      });
    },
    "v12-28c-datasource-rename-into-taken": () =>
      replay.change("POST", "/api/datasources", datasource("r12-llm-metrics", "prometheus", "http://127.0.0.1:9090")),
    "v12-28d-datasource-list": () => replay.remove("/api/datasources/uid/r12-llm-metrics"),
    "v12-33-refusals": () => replay.nextIds({ dashboard: 23 }),
    // The Editor's folder was made, and the grant to it taken away.
    "v12-24g-folder-permission-editor-token-repair": async () => {
      replay.token = editor;
      await replay.change("POST", "/api/folders", { title: "R12 Ed", uid: "r12-ed-folder" });
      await replay.change("POST", "/api/access-control/folders/r12-ed-folder", { permissions: [{ userId: 3 }] });
    },
    "v12-32-datasource-health": async () => {
      replay.token = recorder;
      const up = `http://127.0.0.1:${(backends.address() as AddressInfo).port}`;
      const urls = { prometheus: `${up}/prometheus`, loki: `${up}/no-loki`, tempo: `${up}/tempo` };
      for (const [type, url] of Object.entries(urls)) {
        await replay.change("POST", "/api/datasources", datasource(`r12-${type}-up`, type, url));
        await replay.change("POST", "/api/datasources", datasource(`r12-${type}-down`, type, "http://127.0.0.1:9"));
      }
    },
  };

  playAll(replay, histories.later, before);
});
