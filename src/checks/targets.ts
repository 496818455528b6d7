/** What the checks of a deployment ask for: the objects that the components' arguments name. */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { openTelemetryAlerts } from "../alerts/opentelemetry";
import type { ConnectionArgs } from "../connection/connection";
import type { DashboardDefinition } from "../dashboards/definitions";
import { recordingGroup } from "../dashboards/names";
import type { OtlpData } from "../otlp";
import type { ManagedResources } from "../platform/dashboard";
import type { DatasourcesArgs } from "../platform/datasources";
import type { Settings } from "../settings";
import { datasourceTypes } from "../settings/keys";
import { recordedPrice } from "../signals/costs";
import { evaluatedByGrafana } from "../signals/counters";
import { countedFilters } from "../signals/opentelemetry-rules";

type Text = pulumi.Input<string>;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The arguments of the components, and how to check. */
export interface ChecksArgs {
  grafana: { url: Text; auth: Text; caCert?: Text | undefined; managedResources?: ManagedResources | undefined };
  datasources: DatasourcesArgs;
  folder: { uid: string };
  definitions: readonly DashboardDefinition[];
  /** Of the dashboards for SDKs. Defaults to no such dashboard. */
  dashboards?: Pick<Settings["dashboards"], "sdkName" | "naming" | "recordingRules" | "gateways" | "contents"> | undefined;
  /** The titles of the alert rules that the stack creates, by default none. */
  rules?: readonly string[] | undefined;
  /** Defaults to no alert rules and no budgets. */
  alerts?: Settings["alerts"] | undefined;
  connection: Omit<ConnectionArgs, "serviceApiKeyConfig">;
  otlp: { endpoint: Text; instanceId?: Text | undefined; data?: readonly OtlpData[] | undefined };
  /** Value of the header `Authorization` of the push; secret. */
  otlpAuthorization: Text;
  /** The effect of a failed check, by default `fail`. */
  checks?: { onFailure?: "fail" | "warn" | undefined };
}

export type CheckTargets = pulumi.Unwrap<ReturnType<typeof checkTargets>>;
export type CheckSecrets = pulumi.Unwrap<ReturnType<typeof checkSecrets>>;
export type CheckedDashboard = CheckTargets["dashboards"][number];

/** What the checks ask for. Shown in previews and stored in plain text. */
export function checkTargets(args: ChecksArgs) {
  const { grafana, datasources, folder, definitions, dashboards, connection, otlp, alerts, checks, rules: alertRules = [] } = args;
  const managesAll = (grafana.managedResources ?? "all") === "all";
  const sdks = definitions.flatMap(({ sdk }) => sdk ?? []);
  // The rules of a dashboard that another stack manages are rules of that stack.
  const by = managesAll ? dashboards?.recordingRules : undefined;
  const all = sdks.flatMap(({ rules }) => (by === "grafana" ? evaluatedByGrafana(rules) : rules));
  // Those that write samples whenever telemetry arrives.
  const recorders = all.flatMap(({ name, reads, always }) => (always ? { name, reads } : []));
  // A series that has a sample of each evaluation: a price is a constant.
  const steady = all.some(({ name }) => name === recordedPrice) ? recordedPrice : undefined;
  const { gateways, budgets } = by && sdks.some(({ telemetry }) => telemetry === "otel") ? { ...dashboards, ...alerts } : {};
  const alertGroups = Object.fromEntries(alertRules.map((title) => [title, 1]));
  // If Grafana does not evaluate the alert rules, the other server does.
  const loaded = () => (alerts?.state === "off" ? [all, alerts, openTelemetryAlerts(alerts)] : [all]);
  const sizes = { ...(by === "grafana" && all.length > 0 && { [recordingGroup]: all.length }), ...alertGroups };
  return pulumi.output({
    grafana: { url: grafana.url, caCert: grafana.caCert },
    datasources: datasourceTypes.map((type) => ({ type, uid: datasources[type].uid, url: datasources[type].url })),
    tenant: datasources.tenant,
    dashboards: definitions.map(({ title, uid, series, sdk }) => {
      return { title, uid, folderUid: folder.uid, series, sdk: sdk && { telemetry: sdk.telemetry, spans: sdk.spans } };
    }),
    streams: definitions.find(({ streams }) => streams)?.streams,
    sdk: dashboards && {
      name: dashboards.sdkName,
      naming: dashboards.naming,
      /** Whether panels read the samples of counters. The dashboard of another stack can read recorded series. */
      readsSamples: (managesAll && sdks.some(({ rules }) => rules.length === 0)) || undefined,
      /** Applications with a budget of their own. */
      budgets: budgets && Object.keys(budgets),
      gateways,
      counters: sdks.flatMap(({ counters }) => counters),
    },
    /** Those that the stack creates in Grafana: how many each group has. */
    rules: Object.keys(sizes).length > 0 ? { folderUid: folder.uid, sizes } : undefined,
    recording:
      by && recorders.length > 0 ? { by, folderUid: folder.uid, rules: recorders, steady, filters: countedFilters(gateways) } : undefined,
    /** Of the rules that another server loads: a preview shows that they change. */
    externalRules: by === "external" && all.length > 0 ? sha256(JSON.stringify(loaded())) : undefined,
    otlp: { endpoint: otlp.endpoint, data: otlp.data ?? ["metrics", "traces"] },
    /** What applications have to know besides: a preview shows that it changes. */
    applications: { instanceId: otlp.instanceId, contents: dashboards?.contents },
    serviceUrl: connection.serviceUrl,
    serviceCaCert: connection.serviceCaCert,
    onFailure: checks?.onFailure ?? "fail",
  });
}

export function checkSecrets({ grafana, datasources, otlpAuthorization }: ChecksArgs) {
  return pulumi.output({
    grafanaAuth: grafana.auth,
    otlpAuthorization,
    /** So that the checks run again with new credentials. */
    datasourceFingerprint: pulumi.jsonStringify(datasources).apply(sha256),
    /** Grafana's messages may contain them. */
    datasourceSecrets: datasourceTypes.flatMap((type) => datasources[type].auth?.password ?? []),
  });
}
