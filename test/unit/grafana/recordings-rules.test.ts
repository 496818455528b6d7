/** Compares the stand-in for Grafana with recordings of a genuine one: groups of alert rules, and contact points. */
import { describe } from "vitest";
import { type Exchange, histories, type Json, playAll, Replay, read } from "./replay";

/** The first request of a scenario with a method and a path. */
function sent(scenario: string, method: string, path: RegExp): Exchange["request"] {
  const found = read(scenario).find(({ request }) => request.method === method && path.test(request.path));
  return (found as Exchange).request;
}

/** The resources of the first run of the scenario: folder, datasource, and the rules that `keep` selects. */
async function make(replay: Replay, scenario: string, keep = (_title: string) => true): Promise<void> {
  for (const path of [/folders$/, /datasources$/]) {
    const request = sent(scenario, "POST", path);
    await replay.change("POST", request.path, request.body);
  }
  const { path, body } = sent(scenario, "PUT", /rule-groups/);
  const { rules, ...group } = body as { rules: { title: string }[] };
  await replay.change("PUT", path, { ...group, rules: rules.filter(({ title }) => keep(title)) });
}

const folderPath = "/api/folders/r12-llm-observability?forceDeleteRules=true";
const metricsPath = "/api/datasources/uid/r12-llm-metrics";

describe("a first Grafana", () => {
  const replay = new Replay();
  const other = { name: "other", uid: "other", type: "prometheus", access: "proxy" };

  const before = {
    "v12-29-rule-group-create": async () => {
      replay.token = await replay.account("r12rec", "Admin");
      await replay.nextIds({ dashboard: 22, datasource: 6 });
      // A datasource that is there before is the default one.
      await replay.change("POST", "/api/datasources", other);
    },
  };

  playAll(replay, histories.firstRules, before);
});

describe("a second one", () => {
  const replay = new Replay();
  const destroyed = async () => {
    await replay.remove(folderPath);
    await replay.remove(metricsPath);
  };

  const before = {
    "v12-29y-rule-appended": async () => {
      replay.token = await replay.account("r12rec", "Admin");
      await make(replay, "v12-29-rule-group-create", (title) => title === "Latency p95");
    },
    "v12-29i-rule-group-own-uids-create": destroyed,
    "v12-29r-rule-group-record": destroyed,
    "v12-29p-rule-group-folder-missing": () => replay.nextIds({ rule: 12 }),
    // By hand: a rule in the folder that the next scenario destroys.
    "v12-26f-destroy-folder-option-rule-inside": async () => {
      await replay.change("POST", "/api/folders", { uid: "r12-pd", title: "R12 PD" });
      const { body } = sent("v12-29-rule-group-create", "PUT", /rule-groups/);
      await replay.change("PUT", "/api/v1/provisioning/folder/r12-pd/rule-groups/own", { ...(body as Json), title: "own" });
    },
  };

  playAll(replay, histories.rules, before);
});
