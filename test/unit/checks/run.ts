/** Runs the checks against a server that stands for Grafana, the OTLP endpoint and the service. */

import { type Retry, runChecks } from "../../../src/checks/run-checks";
import type { CheckSecrets, CheckTargets } from "../../../src/checks/targets";
import { answer, type Script } from "../../support/raw-server";
import { serve } from "../serve";

/** The part of a value that a test is about. */
export type Given<T> = T extends object ? { [K in keyof T]?: Given<T[K]> | undefined } : T;

/** A response with a text of JSON. */
export const json = (body: unknown, status = 200) => answer(status, JSON.stringify(body), { "Content-Type": "application/json" });

/** @param run differences to targets that consist of the service alone, without retries */
export async function check(
  respond: Script[number],
  { targets, secrets, retry }: { targets?: Given<CheckTargets>; secrets?: Partial<CheckSecrets>; retry?: Retry } = {},
) {
  const server = await serve([respond]);
  const { url } = server;
  const list = await runChecks(
    {
      ...{ grafana: { url }, datasources: [], dashboards: [], serviceUrl: url, onFailure: "fail", ...targets },
      otlp: { data: [], ...targets?.otlp, endpoint: `${url}${targets?.otlp?.endpoint ?? "/otlp"}` },
    } as CheckTargets,
    { grafanaAuth: "canary", otlpAuthorization: "Basic canary", datasourceFingerprint: "", datasourceSecrets: [], ...secrets },
    retry ?? { timeout: 0, interval: 1 },
  );
  return { server, list, results: Object.fromEntries(list.map((result) => [result.name, result])) };
}
