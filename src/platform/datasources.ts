/** The three datasources that the dashboards read: created here, or those that a hosted platform has already. */
import * as pulumi from "@pulumi/pulumi";
import * as grafana from "@pulumiverse/grafana";
import type { DatasourceType } from "../settings/datasource-types";

/** How Grafana reaches one store. */
export interface DatasourceArgs {
  uid: string;
  url: string;
  /** Basic auth, together with `password`. */
  username?: string | undefined;
  password?: pulumi.Input<string> | undefined;
  /** Bearer token, instead of basic auth. */
  token?: pulumi.Input<string> | undefined;
  /** Sent as `X-Scope-OrgID`. */
  tenant?: string | undefined;
}

/** Uids of the three datasources. */
export type DatasourceUids = Record<DatasourceType, string>;

/** Datasources that this program creates. */
export interface ManagedDatasources {
  mode: "managed";
  prometheus: DatasourceArgs;
  loki: DatasourceArgs;
  tempo: DatasourceArgs;
  /** CA certificate of all three in PEM form. */
  caCert?: string | undefined;
}

/** Datasources that exist: only their uids count. */
export interface ExistingDatasources {
  mode: "existing";
  uids: DatasourceUids;
}

/**
 * Creates the three datasources, linked to each other by their uids.
 *
 * @param inOrg the organization, where one is named
 * @param optionsOf the options of each, by its type and uid
 */
export function createDatasources(
  datasources: ManagedDatasources,
  inOrg: { orgId?: string },
  optionsOf: (type: DatasourceType, uid: string) => pulumi.CustomResourceOptions,
): grafana.oss.DataSource[] {
  const { prometheus, loki, tempo, caCert } = datasources;
  const links = datasourceLinks(uidsOf(datasources));
  const create = (type: DatasourceType, args: DatasourceArgs) =>
    new grafana.oss.DataSource(type, { ...datasourceResourceArgs(type, args, links[type], caCert), ...inOrg }, optionsOf(type, args.uid));
  return [create("prometheus", prometheus), create("loki", loki), create("tempo", tempo)];
}

/** By what uids the datasources are known, whoever made them. */
export function uidsOf(datasources: ManagedDatasources | ExistingDatasources): DatasourceUids {
  if (datasources.mode === "existing") return datasources.uids;
  const { prometheus, loki, tempo } = datasources;
  return { prometheus: prometheus.uid, loki: loki.uid, tempo: tempo.uid };
}

/** What a datasource is called in Grafana. */
export const datasourceName = (type: DatasourceType) => `LLM Observability ${type}`;

/** The arguments of one datasource. Everything that grants access goes into the write-only secret fields. */
export function datasourceResourceArgs(
  type: DatasourceType,
  { uid, url, username, password, token, tenant }: DatasourceArgs,
  links: object,
  caCert: string | undefined,
): grafana.oss.DataSourceArgs {
  const secrets = { ...(password && { basicAuthPassword: password }), ...(caCert && { tlsCACert: caCert }) };
  const bearer = token && pulumi.interpolate`Bearer ${token}`;
  return {
    type,
    uid,
    url,
    name: datasourceName(type),
    jsonDataEncoded: JSON.stringify({ ...links, ...(caCert && { tlsAuthWithCACert: true }) }),
    ...(username && { basicAuthEnabled: true, basicAuthUsername: username }),
    ...(Object.keys(secrets).length > 0 && { secureJsonDataEncoded: pulumi.secret(pulumi.jsonStringify(secrets)) }),
    ...((bearer || tenant) && {
      httpHeaders: pulumi.secret({ ...(bearer && { Authorization: bearer }), ...(tenant && { "X-Scope-OrgID": tenant }) }),
    }),
  };
}

/** How the datasources are linked to each other, by their uids: the options that each is given at Grafana. */
export function datasourceLinks({ prometheus, loki, tempo }: DatasourceUids): Record<DatasourceType, object> {
  const field = { name: "trace", matcherRegex: 'trace_?[iI][dD]"?[=:]\\s*"?(\\w+)', url: "${__value.raw}", datasourceUid: tempo };
  return {
    // From an exemplar to its trace.
    prometheus: { httpMethod: "POST", exemplarTraceIdDestinations: [{ name: "trace_id", datasourceUid: tempo }] },
    // From a log line with a trace id to that trace.
    loki: { derivedFields: [field] },
    // From a span to the logs and metrics of its application.
    tempo: {
      tracesToLogsV2: { datasourceUid: loki, spanStartTimeShift: "-5m", spanEndTimeShift: "5m", filterByTraceID: true },
      tracesToMetrics: { datasourceUid: prometheus, spanStartTimeShift: "-5m", spanEndTimeShift: "5m" },
      serviceMap: { datasourceUid: prometheus },
    },
  };
}
