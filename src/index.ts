/** The package, for other programs: `src/platform/README.md` shows one. */
export type { Alerts } from "./alerts/definitions";
export { openTelemetryAlerts } from "./alerts/opentelemetry";
export { serviceAlerts } from "./alerts/service";
export { declareChecks } from "./checks/command";
export type { ChecksArgs } from "./checks/targets";
export { Connection, type ConnectionArgs } from "./connection/connection";
export {
  type DashboardDefinition,
  genaiDashboard,
  llmMonitoringDashboard,
  openTelemetryDashboard,
  type SdkDashboardOptions,
} from "./dashboards/definitions";
export { dotenv, type OtlpData, type OtlpEnvironment } from "./otlp";
export type { DatasourceArgs, DatasourcesArgs } from "./platform/datasources";
export { type FolderArgs, ObservabilityPlatform, type ObservabilityPlatformArgs } from "./platform/platform";
export { type PreflightArgs, preflight } from "./platform/preflight";
export { MonitoredService, type MonitoredServiceArgs } from "./platform/service";
