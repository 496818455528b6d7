/** Runs the checks against a server that stands for Grafana, the OTLP endpoint and the service. */
import { onTestFinished } from "vitest";
import type { CheckSecrets, CheckTargets } from "../../../src/checks/input";
import { type Retry, runChecks } from "../../../src/checks/run-checks";
import type { CheckResult } from "../../../src/checks/table";
import { type RawRequest, type RawServer, startRawServer } from "../../support/raw-server";

/** The registered connection. */
export const body = {
  Platform: "grafana",
  MetricsUrl: "https://metrics.example.com",
  MetricsUsername: "1",
  LogsUrl: "https://logs.example.com",
  LogsUsername: "2",
  ApiKey: "canary-key",
};

interface Run {
  targets?: Partial<CheckTargets>;
  secrets?: Partial<CheckSecrets>;
  retry?: Retry;
}

interface Ran {
  server: RawServer;
  /** The results in the order of the table. */
  list: CheckResult[];
  /** The results by name. */
  results: Record<string, CheckResult>;
}

/** @param run differences to targets that consist of the service alone, without retries */
export async function check(respond: (request: RawRequest) => string, { targets, secrets, retry }: Run = {}): Promise<Ran> {
  const server = await serve(respond);
  const { url } = server;
  const list = await runChecks(
    {
      grafana: { url },
      datasources: [],
      dashboards: [],
      otlp: { endpoint: `${url}/otlp`, data: [] },
      verifyConnection: false,
      serviceUrl: url,
      onFailure: "fail",
      ...targets,
      ...(targets?.otlp && { otlp: { ...targets.otlp, endpoint: `${url}${targets.otlp.endpoint}` } }),
    },
    { grafanaAuth: "canary", otlpAuthorization: "Basic canary", datasourceFingerprint: "", ...secrets },
    retry ?? { timeout: 0, interval: 1 },
  );
  return { server, list, results: Object.fromEntries(list.map((result) => [result.name, result])) };
}

export async function serve(respond: string | ((request: RawRequest) => string)): Promise<RawServer> {
  const server = await startRawServer([respond]);
  onTestFinished(() => server.close());
  return server;
}
