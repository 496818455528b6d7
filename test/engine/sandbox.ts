/** Everything that a stack needs around it, in the test's own process: a Grafana, what is behind it, and a service on a raw socket. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackends } from "../sandbox/backends";
import { createGrafana } from "../sandbox/grafana/server";
import { type GrafanaState, readGrafanaState } from "../sandbox/grafana/state";
import { answer, type RawServer, startRawServer } from "../unit/raw-server";
import { canary } from "./stack";

const { prometheusPassword: _managed, ...common } = canary;

/** The datasources of a hosted platform: uid, type, and the path of what is behind it. */
const hosted = [
  ["grafanacloud-prom", "prometheus", "prometheus"],
  ["grafanacloud-logs", "loki", "loki"],
  ["grafanacloud-traces", "tempo", "tempo"],
] as const;

export class Sandbox {
  private readonly servers: Server[] = [];
  private readonly addresses: string[] = [];

  private constructor(
    private readonly folder: string,
    readonly service: RawServer,
  ) {}

  static async start(): Promise<Sandbox> {
    const folder = mkdtempSync(join(tmpdir(), "llm-observability-sandbox-"));
    const sandbox = new Sandbox(folder, await startRawServer([answer(200, "<html>registered</html>")]));
    sandbox.setMetrics([]);
    const otlp = { user: "345678", accepts: (password: string) => password.startsWith("canary-token") };
    const state = (name: string) => join(folder, `${name}.json`);
    const grafana = createGrafana({ token: canary.grafanaAuth, stateFile: state("grafana"), basePath: "/grafana" });
    const cloud = createGrafana({ token: "none", stateFile: state("cloud"), cloudToken: "canary-cloud-token" });
    for (const server of [grafana, createBackends({ metrics: { file: state("metrics") }, otlp }), cloud]) {
      sandbox.servers.push(server);
      await once(server.listen(0, "127.0.0.1"), "listening");
      sandbox.addresses.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    return sandbox;
  }

  /** How many registrations reached the service. Its address is also asked by the checks. */
  get registrations(): number {
    return registrationsAt(this.service);
  }

  get grafanaUrl(): string {
    return `${this.addresses[0]}/grafana`;
  }

  get backendsUrl(): string {
    return String(this.addresses[1]);
  }

  /** The cloud's own API, which makes access policies. */
  get cloudUrl(): string {
    return String(this.addresses[2]);
  }

  /** A complete, valid config for this sandbox. */
  config(): Record<string, string> {
    return {
      service: "llmobs",
      serviceUrl: this.service.url,
      grafanaUrl: this.grafanaUrl,
      ...this.managed(),
      metricsUrl: "https://metrics.example.net/write",
      metricsUsername: "123456",
      logsUrl: "https://logs.example.net/push",
      logsUsername: "234567",
      otlpEndpoint: `${this.backendsUrl}/otlp`,
      otlpInstanceId: "345678",
      ...common,
    };
  }

  /** The same with datasources that exist: those of a hosted platform, which `createHosted` makes. */
  existingConfig(): Record<string, string> {
    const managed = new Set(Object.keys(this.managed()));
    const others = Object.entries(this.config()).filter(([key]) => !managed.has(key));
    return { ...Object.fromEntries(others), datasources: "existing" };
  }

  async createHosted(): Promise<void> {
    for (const [uid, type, path] of hosted) {
      await this.ask("/api/datasources", "POST", { uid, name: uid, type, access: "proxy", url: `${this.backendsUrl}/${path}` });
    }
  }

  private managed(): Record<string, string> {
    return {
      prometheusUrl: `${this.backendsUrl}/prometheus`,
      prometheusUsername: "123456",
      prometheusPassword: canary.prometheusPassword,
      lokiUrl: `${this.backendsUrl}/loki`,
      tempoUrl: `${this.backendsUrl}/tempo`,
    };
  }

  /** The names of the series that the Prometheus knows. */
  setMetrics(names: string[]): void {
    writeFileSync(join(this.folder, "metrics.json"), JSON.stringify(names));
  }

  /** What Grafana holds now. */
  grafana(): GrafanaState {
    return readGrafanaState(join(this.folder, "grafana.json"));
  }

  /** What the cloud holds now. */
  cloud(): GrafanaState {
    return readGrafanaState(join(this.folder, "cloud.json"));
  }

  /** Asks Grafana as a person would in a browser; a body makes it a POST. */
  async ask(path: string, method = "GET", body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(`${this.grafanaUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${canary.grafanaAuth}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
  }

  async stopGrafana(): Promise<void> {
    const [grafana] = this.servers;
    grafana?.closeAllConnections();
    if (grafana?.listening) await once(grafana.close(), "close");
  }

  async stop(): Promise<void> {
    for (const server of this.servers) server.closeAllConnections();
    await Promise.all(this.servers.filter(({ listening }) => listening).map((server) => once(server.close(), "close")));
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function registrationsAt(service: RawServer): number {
  return service.requests.filter(({ path }) => path === "/api/connections").length;
}
