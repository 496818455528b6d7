/** The alert rules that a stack's settings ask for. */
import type { Settings } from "../settings";
import { llmMonitoringUid } from "../settings/keys";
import { openTelemetryAlerts } from "./opentelemetry";
import type { AlertRule } from "./rule";
import { serviceAlerts } from "./service";

/** Alert rules, whom they notify, and what their links lead to. */
export interface Alerts {
  rules: readonly AlertRule[];
  /** The label `service`, by which Grafana's notification policies can select contact points. */
  service: string;
  /** The name of the contact point. Defaults to the one that Grafana's notification policies select. */
  contactPoint?: string | undefined;
  /** The uid of the dashboard with the rules' panels. */
  dashboardUid: string;
  /** Its address. */
  dashboard: string;
  /** Address of the runbooks, without an anchor. Defaults to none. */
  runbooks?: string | undefined;
}

/** The rules for the dashboards that the stack manages, one by one and as a list, and their titles. */
export function defineAlerts({ service, grafana, dashboards, alerts }: Settings) {
  const { state, contactPoint, runbooks } = alerts;
  const define = (isManaged: boolean, dashboardUid: string, rules: AlertRule[]): Alerts | undefined =>
    state === "on" && isManaged
      ? { rules, service: service.name, contactPoint, dashboardUid, dashboard: `${grafana.url}/d/${dashboardUid}`, runbooks }
      : undefined;
  const hasSdks = dashboards.telemetry !== "spec" && grafana.managedResources === "all";
  const ofSdks = define(hasSdks, dashboards.otelUid, openTelemetryAlerts(alerts));
  const serviceRules = serviceAlerts(service.name, alerts, hasSdks);
  const ofService = define(grafana.managedResources !== "none", llmMonitoringUid(service.name), serviceRules);
  const all = [ofSdks, ofService].filter((each) => each !== undefined);
  return { ofSdks, ofService, all, titles: all.flatMap(({ rules }) => rules.map(({ title }) => title)) };
}
