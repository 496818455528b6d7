/** The telemetry of the demo: a made-up company's last day, then what happens next, on real Prometheus, Loki and Tempo. */
import { stringify } from "yaml";
import { ruleFile } from "../../../src/cli/rule-files";
import { sdkSpans } from "../../../src/signals/genai";
import type { Gateways } from "../../../src/signals/opentelemetry-rules";
import { openTelemetrySpans } from "../../../src/signals/opentelemetry-traces";
import { recordHistory, ruleGroups } from "../../truth/history";
import { loadRules, type RunningServers } from "../../truth/servers";
import { Feed, otlpMetrics, otlpTraces } from "../../truth/telemetry/push";
import { writtenCalls } from "../../truth/telemetry/service";
import { sdkName } from "../../truth/telemetry/spec-sdk";
import { untilFound } from "../../truth/telemetry/traces";
import { companyWorld } from "../../truth/world/company";
import { callsBetween, hour, minute } from "../../truth/world/world";
import type { SandboxAddresses } from "../local/sandbox";

/** Hours of telemetry after the start. */
export const ahead = 24;

/** The gateway of the made-up company. SDKs count. */
export const gateways: Gateways = { names: ["litellm"], countedBy: "sdks" };

/** How often telemetry is pushed, in milliseconds. */
export const interval = 5000;

export type Telemetry = ReturnType<typeof createTelemetry>;

/** The telemetry has the names of the settings' defaults: the service `llmobs` and the SDK `openlit`. */
export function createTelemetry(servers: RunningServers, now: number) {
  const world = companyWorld(now, ahead, gateways.names[0]);
  const feed = new Feed(world, servers);
  const count = (since: number, until: number) => writtenCalls(callsBetween(world, since, until)).length;
  return {
    /** Requests to LLM providers in the last day, as "LLM Monitoring" counts them. */
    requests: count(now - 24 * hour, now),
    /** Mean time between two requests in the next hour. */
    secondsBetween: 3600 / count(now, now + hour),
    /** Pushes what has happened since the last push. */
    push: () => feed.pushUntil(Date.now()),
    /** Waits until Tempo finds spans of both dashboards of SDKs in the last hour: some seconds after their arrival. */
    async untilFound() {
      const to = Date.now();
      const find = (query: string) => untilFound(servers, { query, from: to - hour, to }, 1);
      await Promise.all([find(sdkSpans(sdkName)), find(openTelemetrySpans)]);
    },
    /**
     * Prometheus evaluates the recording rules from now on, and promtool for the telemetry before. Up to two minutes between are not recorded.
     *
     * @returns the end of the time that promtool has recorded
     */
    async record() {
      await loadRules(servers, stringify(ruleFile(ruleGroups("prometheus", { gateways }))));
      // The first evaluation is of the minute that ended `query_offset` before.
      const to = Date.now() - 2 * minute;
      const range = { from: now - 25 * hour, to };
      await recordHistory(servers, range, range, { gateways });
      return to;
    },
  };
}

/** The real servers at the addresses of the stack's settings, with the credentials of the settings. */
export function targetsOf(servers: RunningServers, { otlpInstanceId, otlpToken }: SandboxAddresses, settings: Record<string, string>) {
  const { prometheusUrl = "", lokiUrl = "", tempoUrl = "", prometheusAuth = "" } = settings;
  const [user = "", password = ""] = prometheusAuth.split(":");
  const otlp = { method: "POST", credentials: { user: otlpInstanceId, password: otlpToken } };
  return [
    { path: new URL(prometheusUrl).pathname, url: servers.prometheus, credentials: { user, password } },
    { path: new URL(lokiUrl).pathname, url: servers.loki },
    { path: new URL(tempoUrl).pathname, url: servers.tempo },
    { path: "/otlp/v1/metrics", url: otlpMetrics(servers), ...otlp },
    { path: "/otlp/v1/traces", url: otlpTraces(servers), ...otlp },
  ];
}
