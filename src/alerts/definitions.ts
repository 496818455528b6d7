/** The alert rules that a stack's settings ask for. */
import type { Settings } from "../settings";
import { openTelemetryAlerts, openTelemetryRequests } from "./opentelemetry";
import type { AlertRule } from "./rule";
import { serviceAlerts } from "./service";

/** Alert rules, and whom they notify. */
export interface Alerts {
  rules: readonly AlertRule[];
  /** The label `service`, by which Grafana's notification policies can select contact points. */
  service: string;
  /** The name of the contact point. Defaults to the one that Grafana's notification policies select. */
  contactPoint?: string | undefined;
  /** Address of the runbooks, without an anchor. Defaults to none. */
  runbooks?: string | undefined;
}

/** The rules for the dashboards that the stack manages, one by one and as a list. Those on the telemetry of current SDKs read recorded series only. */
export function defineAlerts({ service, grafana, dashboards, alerts }: Settings) {
  const { state, contactPoint, runbooks } = alerts;
  const define = (isManaged: boolean, rules: AlertRule[]): Alerts | undefined =>
    state === "on" && isManaged ? { rules, service: service.name, contactPoint, runbooks } : undefined;
  const areRecorded = dashboards.telemetry !== "spec";
  const ofSdks = define(areRecorded && grafana.managedResources === "all", openTelemetryAlerts(alerts, dashboards.naming));
  // One of the service's rules compares its samples with the telemetry of SDKs.
  const sdkRequests = areRecorded ? openTelemetryRequests(dashboards.naming) : undefined;
  const ofService = define(grafana.managedResources !== "none", serviceAlerts(service.name, alerts, sdkRequests));
  return { ofSdks, ofService, all: [ofSdks, ofService].filter((each) => each !== undefined) };
}
