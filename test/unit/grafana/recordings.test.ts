/**
 * Compares the stand-in for Grafana 9.4 with recordings of a genuine one. Changes between two scenarios, by hand or by a run that was not
 * recorded, are repeated in `before`.
 */
import { describe, expect, it } from "vitest";
import { admin, allScenarios, type Exchange, histories, isLocked, type Json, playAll, Replay, read } from "./replay";

const folderPath = "/api/folders/llm-observability?forceDeleteRules=true";

describe("the first runs of the program", () => {
  const replay = new Replay("9.4");

  /** The recorded resources of another run of the same program: datasources, folder, dashboards. */
  async function create(scenario: string, ...types: string[]) {
    const posts = read(scenario).filter(({ request }) => request.method === "POST" && !request.path.includes("access-control"));
    const datasources = types.map((type) => posts.find(({ request }) => (request.body as Json).type === type));
    for (const post of [...datasources, ...posts.filter(({ request }) => request.path !== "/api/datasources")]) {
      await replay.change("POST", post?.request.path ?? "", post?.request.body);
    }
  }

  playAll(replay, histories.first, {
    // By hand: a dashboard edited in the browser (version 3, by admin).
    "08-refresh-preview-only": async () => {
      const shown = await replay.change("GET", "/api/dashboards/uid/svc-llm-monitoring");
      const dashboard = shown.dashboard as Json & { panels: [Json, Json] };
      Object.assign(dashboard.panels[1], { title: "Edited", datasource: { type: "prometheus", uid: "x" } });
      await replay.change("POST", "/api/dashboards/db", { dashboard, folderUid: "llm-observability" }, admin);
    },
    // By hand: a datasource deleted.
    "10-refresh-datasource-gone": () => replay.remove("/api/datasources/uid/llm-logs"),
    // The update of 13 with the right token; then, by hand, the folder deleted.
    "14-refresh-dashboards-gone": async () => {
      const { request } = read("13-wrong-token").find((exchange) => exchange.request.method === "PUT") as Exchange;
      await replay.change("PUT", request.path, request.body);
      await replay.remove(folderPath);
    },
    // A run created the resources that 14 had found missing, so that the next create has a conflict.
    "15-create-over-existing": () => create("16-folder-deleted-under-us"),
    // By hand: the folder deleted again.
    "16-folder-deleted-under-us": () => replay.remove(folderPath),
    // 17 took everything down; a run made everything again. Its ids say in which order.
    "18-import": () => create("01-up", "loki", "prometheus", "tempo"),
  });
});

it("is all that was recorded, each scenario once, but for one answer", () => {
  expect(Object.values(histories).flat().sort()).toEqual(allScenarios.toSorted());
  expect(allScenarios.flatMap(read).filter(({ response }) => isLocked(response))).toHaveLength(1);
});

describe("what it met later", () => {
  const replay = new Replay("9.4");
  const folder = { uid: "llm-observability", title: "LLM Observability" };
  const board = (uid: string, folderUid: string) => ({ dashboard: { uid, title: uid, panels: [] }, folderUid });
  const metrics = { name: "metrics", type: "prometheus", access: "proxy", uid: "by-hand", url: "http://127.0.0.1:9091" };
  const destroyed = async () => {
    await replay.remove(folderPath);
    await replay.remove("/api/datasources/uid/llm-metrics");
  };
  let second: Record<string, string>;

  const before = {
    "24-folder-permission": () => replay.remove(folderPath),
    "25-provider-org-basic": () => replay.remove(folderPath),
    "25b-resource-org-basic": () => replay.change("POST", "/api/orgs", { name: "Second" }, admin),
    "25c-provider-org-token-of-another": async () => {
      await destroyed();
      await replay.nextIds({ dashboard: 10, datasource: 4 });
    },
    "25d-org": async () => {
      second = await replay.account("second", "Admin", "2");
    },
    // By hand: a dashboard in the folder.
    "26-destroy-folder-not-empty-option": async () => {
      await destroyed();
      await replay.change("POST", "/api/folders", folder);
      await replay.change("POST", "/api/dashboards/db", board("mine", folder.uid));
    },
    "26b-destroy-folder-empty-option": () => replay.remove("/api/dashboards/uid/mine"),
    "26c-destroy-folder-empty-option-dashboard-elsewhere": () => replay.change("POST", "/api/dashboards/db", board("elsewhere", "")),
    "26d-destroy-folder-empty": () => replay.remove("/api/dashboards/uid/elsewhere"),
    "26e-destroy-folder-not-empty": async () => {
      await replay.change("POST", "/api/folders", folder);
      await replay.change("POST", "/api/dashboards/db", board("mine", folder.uid));
    },
    "27-parent-folder": () => replay.nextIds({ dashboard: 18 }),
    "28-datasource-name-taken": () => replay.change("POST", "/api/datasources", { ...metrics, isDefault: true }),
    // The taken uid was given up, and the datasource made under its own.
    "28c-datasource-rename-into-taken": () => {
      const [{ request }] = read("28b-datasource-uid-taken") as [Exchange];
      return replay.change("POST", "/api/datasources", { ...(request.body as Json), uid: "llm-metrics" });
    },
  };

  playAll(replay, histories.later, before, { "25d-org": () => ({ 1: second, 3: second }) });
});
