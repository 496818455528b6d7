/** The rules as a stack deploys them. */
import { openTelemetryAlerts, openTelemetryRequests } from "../../../src/alerts/opentelemetry";
import type { AlertRule } from "../../../src/alerts/rule";
import { serviceAlerts } from "../../../src/alerts/service";
import type { CounterMode } from "../../../src/signals/counters";
import { service } from "./gateway";
import { limitsAt, type Rate } from "./stories";

export const modes: readonly CounterMode[] = ["exact", "recorded"];

export const rulesOf = (mode: CounterMode, rate: Rate): AlertRule[] => [
  ...openTelemetryAlerts(limitsAt(rate), mode),
  ...serviceAlerts(service, limitsAt(rate), openTelemetryRequests(mode)),
];
