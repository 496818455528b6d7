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

/** @returns the rules for the dashboards that the stack manages. Those on the telemetry of current SDKs read recorded series only. */
export function defineAlerts({ service, grafana, dashboards, alerts }: Settings): { ofSdks?: Alerts; ofService?: Alerts } {
  if (alerts.state === "off" || grafana.managedResources === "none") return {};
  const { contactPoint, runbooks } = alerts;
  const withRules = (rules: AlertRule[]): Alerts => ({ rules, service: service.name, contactPoint, runbooks });
  const sdksAreRecorded = dashboards.recordingRules !== "off" && dashboards.telemetry !== "spec";
  // One of the service's rules compares its samples with the telemetry of SDKs.
  const compared = sdksAreRecorded ? openTelemetryRequests(dashboards.naming) : undefined;
  const ofService = withRules(serviceAlerts(service.name, alerts, compared));
  if (!sdksAreRecorded || grafana.managedResources !== "all") return { ofService };
  return { ofService, ofSdks: withRules(openTelemetryAlerts(alerts, dashboards.naming)) };
}
