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
  const { contactPoint, runbooks } = alerts;
  const withRules = (rules: AlertRule[]): Alerts => ({ rules, service: service.name, contactPoint, runbooks });
  const sdksAreRecorded = dashboards.recordingRules !== "off" && dashboards.telemetry !== "spec";
  const ofSdks =
    alerts.state === "on" && grafana.managedResources === "all" && sdksAreRecorded
      ? withRules(openTelemetryAlerts(alerts, dashboards.naming))
      : undefined;
  // One of the service's rules compares its samples with the telemetry of SDKs.
  const compared = sdksAreRecorded ? openTelemetryRequests(dashboards.naming) : undefined;
  const ofService =
    alerts.state === "on" && grafana.managedResources !== "none" ? withRules(serviceAlerts(service.name, alerts, compared)) : undefined;
  return { ofSdks, ofService, all: [ofSdks, ofService].filter((each) => each !== undefined) };
}
