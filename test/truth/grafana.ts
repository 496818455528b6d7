/** The stand-in for Grafana in front of real servers, and the checks of what arrives in them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "tsx/cjs";
import { checkArrival } from "../../src/checks/run-checks";
import { checkTargets } from "../../src/checks/targets";
import { defineDashboards } from "../../src/dashboards/definitions";
import type { DatasourceType } from "../../src/settings/keys";
import { createGrafana } from "../sandbox/grafana/server";
import { listen } from "../support/listen";
import { complete, plainValue, settingsOf } from "../unit/config";
import { json } from "./telemetry/push";

/** As the stack creates it. */
export interface TestDatasource {
  uid: string;
  type: DatasourceType;
  url: string;
  /** The value of `X-Scope-OrgID`. Defaults to no such header. */
  tenant?: string;
}

const token = "t";

export class TestGrafana {
  private constructor(
    readonly url: string,
    readonly stop: () => void,
  ) {}

  static async start(datasources: readonly TestDatasource[]): Promise<TestGrafana> {
    const folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
    const server = createGrafana({ token, stateFile: join(folder, "grafana.json"), anonymous: "Viewer" });
    // By default 5 s: a test that computes for longer would send its next request into a connection that is being closed.
    server.keepAliveTimeout = 600_000;
    const grafana = new TestGrafana(await listen(server), () => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });
    for (const { tenant, ...datasource } of datasources) {
      const header = tenant && { jsonData: { httpHeaderName1: "X-Scope-OrgID" }, secureJsonData: { httpHeaderValue1: tenant } };
      const body = JSON.stringify({ name: datasource.uid, access: "proxy", ...datasource, ...header });
      const headers = { ...json, Authorization: `Bearer ${token}` };
      const { status } = await fetch(`${grafana.url}/api/datasources`, { method: "POST", headers, body });
      if (status !== 200) throw new Error(`The stand-in refuses the datasource ${datasource.uid} with ${status}`);
    }
    return grafana;
  }

  /** The address of the server behind a datasource, through Grafana. */
  proxy = (uid: string) => `${this.url}/api/datasources/proxy/uid/${uid}`;

  /** The findings of a stack with these settings, by the name of the check. */
  async check(changed: Record<string, string> = {}): Promise<Record<string, string>> {
    const uids = { prometheusUid: "prometheus", lokiUid: "loki", tempoUid: "tempo" };
    const settings = settingsOf({ ...complete, grafanaUrl: this.url, telemetry: "both", ...uids, ...changed });
    const args = { ...settings, definitions: defineDashboards(settings).all, otlpAuthorization: "" };
    const targets = await plainValue(checkTargets(args));
    const results = await checkArrival({ url: this.url, auth: token }, targets);
    return Object.fromEntries(results.map(({ name, status, detail }) => [name, `${status}: ${detail}`]));
  }
}
