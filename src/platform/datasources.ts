/** The datasources of the dashboards as resources, linked to each other. */
import * as pulumi from "@pulumi/pulumi";
import type * as grafana from "@pulumiverse/grafana";
import type { DatasourceType } from "../settings/keys";
import { datasourceMark } from "./ownership";

/** A datasource. One without an address exists: the stack only refers to it. */
export interface DatasourceArgs {
  uid: pulumi.Input<string>;
  /** The address of the store for Grafana. Defaults to none: the datasource exists. */
  url?: pulumi.Input<string> | undefined;
  /** Basic auth or, without a user name, a bearer token. Defaults to none. */
  auth?: { username?: pulumi.Input<string> | undefined; password: pulumi.Input<string> } | undefined;
  /** The server of a Prometheus datasource: Grafana writes recorded series to its paths. Without it, Grafana expects a Mimir. */
  server?: "prometheus" | "mimir" | undefined;
}

export interface DatasourcesArgs extends Record<DatasourceType, DatasourceArgs> {
  /** Value of the header `X-Scope-OrgID` of all. */
  tenant?: pulumi.Input<string> | undefined;
  /** CA certificate of the stores in PEM form. Defaults to the public CAs. */
  caCert?: pulumi.Input<string> | undefined;
  /** Whether the datasources stay in Grafana when the stack no longer manages them. Defaults to false. */
  kept?: boolean | undefined;
}

/** Whether Grafana sends a bearer token or a tenant in a header to the server of a datasource. */
export const hasHeaders = ({ tenant }: Pick<DatasourcesArgs, "tenant">, { auth }: DatasourceArgs) =>
  Boolean(tenant || (auth?.password && !auth.username));

/** The arguments of one datasource. Credentials are in the write-only secret fields. One that is kept belongs to no stack. */
export function datasourceResourceArgs(type: DatasourceType, datasources: DatasourcesArgs, owner: pulumi.Output<string>) {
  const { tenant, caCert, kept = false } = datasources;
  const { uid, url = "", auth: { username, password } = {}, server } = datasources[type];
  const options = {
    ...links(type, datasources),
    ...(caCert && { tlsAuthWithCACert: true }),
    ...(server && { prometheusType: { prometheus: "Prometheus", mimir: "Mimir" }[server] }),
    ...(!kept && datasourceMark(owner)),
  };
  const secrets = { ...(username && password && { basicAuthPassword: password }), ...(caCert && { tlsCACert: caCert }) };
  const bearer = !username && password && pulumi.interpolate`Bearer ${password}`;
  return {
    type,
    uid,
    url,
    // In Grafana, names are unique, too.
    name: pulumi.output(uid).apply((uid) => `LLM Observability ${uid.replace("llm-observability-", "")}`),
    jsonDataEncoded: pulumi.jsonStringify(options),
    ...(username && { basicAuthEnabled: true, basicAuthUsername: username }),
    ...(Object.keys(secrets).length > 0 && { secureJsonDataEncoded: pulumi.secret(pulumi.jsonStringify(secrets)) }),
    ...(hasHeaders(datasources, datasources[type]) && {
      httpHeaders: pulumi.secret({ ...(bearer && { Authorization: bearer }), ...(tenant && { "X-Scope-OrgID": tenant }) }),
    }),
  } satisfies grafana.oss.DataSourceArgs;
}

/** The options with which Grafana links a datasource to the others. */
function links(type: DatasourceType, { prometheus, loki, tempo }: DatasourcesArgs): object {
  const around = { spanStartTimeShift: "-5m", spanEndTimeShift: "5m" };
  const matcherRegex = 'trace_?[iI][dD]"?[=:]\\s*"?(\\w+)';
  const all: Record<DatasourceType, object> = {
    // From an exemplar to its trace.
    prometheus: { httpMethod: "POST", exemplarTraceIdDestinations: [{ name: "trace_id", datasourceUid: tempo.uid }] },
    // From a log line with a trace id to the trace.
    loki: { derivedFields: [{ name: "trace", matcherRegex, url: "${__value.raw}", datasourceUid: tempo.uid }] },
    // From a span to the logs and metrics of its application.
    tempo: {
      tracesToLogsV2: { datasourceUid: loki.uid, ...around, filterByTraceID: true },
      tracesToMetrics: { datasourceUid: prometheus.uid, ...around },
      serviceMap: { datasourceUid: prometheus.uid },
    },
  };
  return all[type];
}
