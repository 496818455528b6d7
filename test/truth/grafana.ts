/** The stand-in for Grafana in front of real servers, and the checks of what arrives in them. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "tsx/cjs";
import { checkArrival } from "../../src/checks/run-checks";
import { type CheckTargets, checkTargets } from "../../src/checks/targets";
import { defineDashboards } from "../../src/dashboards/definitions";
import { parseSettings } from "../../src/settings";
import type { DatasourceType } from "../../src/settings/keys";
import { createGrafana } from "../sandbox/grafana/server";
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
const secrets = ["grafanaAuth", "serviceApiKey", "platformApiKey", "otlpToken"];
const filled = (keys: readonly string[], value: string) => Object.fromEntries(keys.map((key) => [key, value]));

export class TestGrafana {
  private constructor(
    readonly url: string,
    readonly stop: () => void,
  ) {}

  static async start(datasources: readonly TestDatasource[]): Promise<TestGrafana> {
    const folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
    const server = createGrafana({ token, stateFile: join(folder, "grafana.json"), anonymous: "Viewer" }).listen(0, "127.0.0.1");
    await once(server, "listening");
    // By default 5 s: a test that computes for longer would send its next request into a connection that is being closed.
    server.keepAliveTimeout = 600_000;
    const grafana = new TestGrafana(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => {
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
    const values = {
      grafanaUrl: this.url,
      datasources: "existing",
      ...{ prometheusUid: "prometheus", lokiUid: "loki", tempoUid: "tempo", service: "llmobs", telemetry: "both" },
      ...filled(["serviceUrl", "metricsUrl", "logsUrl", "otlpEndpoint"], "https://not-asked.example.com"),
      ...filled(["metricsUsername", "logsUsername", "otlpInstanceId", ...secrets], "1"),
      ...changed,
    };
    const parsed = parseSettings({ values, isSecret: (key) => secrets.includes(key) }, "test");
    if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
    const { settings } = parsed;
    const output = checkTargets({ ...settings, definitions: defineDashboards(settings).all, otlpAuthorization: "" });
    const targets = await new Promise<CheckTargets>((resolve) => output.apply(resolve));
    const results = await checkArrival({ url: this.url, auth: token }, targets);
    return Object.fromEntries(results.map(({ name, status, detail }) => [name, `${status}: ${detail}`]));
  }
}
