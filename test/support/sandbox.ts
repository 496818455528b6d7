/**
 * The servers that a stack needs, in the test's process: stand-ins for Grafana and its backends, and a service on a raw socket. With the
 * variables of `npm run test:genuine`, a genuine Grafana takes the place of its stand-in.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coerce, lt } from "semver";
import { createBackends } from "../sandbox/backends";
import { createGrafana, type Observer } from "../sandbox/grafana/server";
import { type Org, readGrafanaState } from "../sandbox/grafana/state";
import { type Answer, askAsAdmin, createOrganization, genuineUrl, isGenuine, send } from "./genuine";
import { listen } from "./listen";
import { answer, type RawServer, startRawServer } from "./raw-server";
import { canary } from "./stack";

/** A request to a stand-in: path, headers and body in one text, with one character per byte. */
export type Received = { server: "grafana" | "backends"; path: string; text: string };

/** The datasources of a hosted platform: uid, and type, which is the path of the backend, too. */
const hosted = { "grafanacloud-prom": "prometheus", "grafanacloud-logs": "loki", "grafanacloud-traces": "tempo" };

export class Sandbox {
  /** Called for each request to the stand-in for Grafana; a promise holds the request. */
  observe: Observer | undefined;
  /** All requests, except those to the service, which records its own. */
  readonly received: Received[] = [];
  private readonly servers: Server[] = [];
  /** The names of the series in Prometheus. */
  readonly metrics: string[] = [];
  private readonly urls = { grafana: "", backends: "" };
  /** Whether this Grafana can evaluate recording rules. */
  recordsInGrafana = true;
  /** The organization of the tests in a genuine Grafana. */
  private orgId: number | undefined;

  private constructor(
    private readonly folder: string,
    readonly service: RawServer,
    /** The credentials in `config`, which the stand-ins accept. */
    readonly secrets: typeof canary,
  ) {}

  /** @param secrets by setting. Grafana's may be `user:password` */
  static async start(secrets = canary): Promise<Sandbox> {
    const folder = mkdtempSync(join(tmpdir(), "llm-observability-sandbox-"));
    const sandbox = new Sandbox(folder, await startRawServer([answer(200, "<html>registered</html>")]), { ...secrets });
    const pushed = [secrets.otlpToken, "canary-token"];
    const otlp = { user: "345678", accepts: (password: string) => pushed.some((beginning) => password.startsWith(beginning)) };
    const { grafanaAuth: token } = secrets;
    const [user = "", ...password] = token.split(":");
    const login = { token, ...(password.length > 0 && { basic: { user, password: password.join(":") } }) };
    const observe: Observer = (request, phase) => sandbox.observe?.(request, phase);
    const grafana = createGrafana({ ...login, stateFile: join(folder, "grafana.json"), basePath: "/grafana", observe });
    const backends = createBackends({ metrics: sandbox.metrics, otlp });
    for (const [name, server] of Object.entries({ grafana, backends }) as [Received["server"], Server][]) {
      server.prependListener("request", (request) => sandbox.record(name, request));
      sandbox.servers.push(server);
      sandbox.urls[name] = await listen(server);
    }
    return isGenuine ? sandbox.onGenuine() : sandbox;
  }

  /** The same with an organization of a genuine Grafana. */
  private async onGenuine(): Promise<Sandbox> {
    this.orgId = await createOrganization();
    this.secrets.grafanaAuth = (await this.token("Admin")).key;
    const { version } = await this.do("/api/health");
    this.recordsInGrafana = !lt(coerce(version) ?? "99.0.0", "12.1.0");
    return this;
  }

  /** The number of registrations, without the requests of the checks. */
  get registrations(): number {
    return registrationsAt(this.service);
  }

  get grafanaUrl(): string {
    return isGenuine ? genuineUrl() : `${this.urls.grafana}/grafana`;
  }

  get backendsUrl(): string {
    return this.urls.backends;
  }

  private record(server: Received["server"], request: IncomingMessage): void {
    const { method, url: path = "", rawHeaders } = request;
    const entry = { server, path, text: [`${method} ${path}`, ...rawHeaders, ""].join("\n") };
    this.received.push(entry);
    request.on("data", (chunk: Buffer) => {
      entry.text += chunk.toString("latin1");
    });
  }

  /** A complete, valid config for this sandbox. */
  config(): Record<string, string> {
    const { serviceApiKey, platformApiKey, grafanaAuth, otlpToken } = this.secrets;
    return {
      ...{ service: "llmobs", serviceUrl: this.service.url, grafanaUrl: this.grafanaUrl },
      ...{ prometheusUrl: `${this.backendsUrl}/prometheus`, prometheusAuth: this.secrets.prometheusAuth },
      ...{ lokiUrl: `${this.backendsUrl}/loki`, tempoUrl: `${this.backendsUrl}/tempo` },
      ...{ metricsUrl: "https://metrics.example.com/write", metricsUsername: "123456" },
      ...{ logsUrl: "https://logs.example.com/push", logsUsername: "234567" },
      ...{ otlpEndpoint: `${this.backendsUrl}/otlp`, otlpInstanceId: "345678" },
      ...{ serviceApiKey, platformApiKey, grafanaAuth, otlpToken },
      // A genuine Grafana may not reach the backends.
      ...(isGenuine && { checks: "warn" }),
      ...(!this.recordsInGrafana && { recordingRules: "external" }),
    };
  }

  /** The settings that differ between sandboxes, and the other addresses. */
  addresses(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.config()).filter(([key]) => /Url$|^otlpEndpoint$/.test(key)));
  }

  /** The same with the existing datasources of a hosted platform, which `createHosted` creates. */
  existingConfig(): Record<string, string> {
    const { prometheusUrl, prometheusAuth, lokiUrl, tempoUrl, ...others } = this.config();
    return { ...others, datasources: "existing" };
  }

  async createHosted(): Promise<void> {
    for (const [uid, type] of Object.entries(hosted)) {
      const jsonData = type === "prometheus" ? { prometheusType: "Prometheus" } : {};
      await this.ask("/api/datasources", "POST", { uid, name: uid, type, access: "proxy", url: `${this.backendsUrl}/${type}`, jsonData });
    }
  }

  /** Changes the options, or also the address, of the existing Prometheus. */
  setPrometheus(jsonData: object, url = `${this.backendsUrl}/prometheus`): Promise<Answer["body"]> {
    const uid = "grafanacloud-prom";
    return this.do(`/api/datasources/uid/${uid}`, "PUT", { uid, name: uid, type: "prometheus", access: "proxy", url, jsonData });
  }

  /** The state of the stand-in for Grafana. */
  grafana(): Org {
    return readGrafanaState(join(this.folder, "grafana.json"));
  }

  /** What Grafana has, sorted by uid: also without the stand-in. */
  async contents() {
    const paths = ["/api/search?limit=5000", "/api/datasources", "/api/v1/provisioning/alert-rules"];
    const [found, datasources, rules] = await Promise.all(paths.map((path) => this.do(path)));
    type Found = { uid: string; title: string; type: string; folderUid?: string };
    const ofType = (wanted: string) => (found as Found[]).filter(({ type }) => type === wanted).sort((a, b) => a.uid.localeCompare(b.uid));
    return {
      folders: ofType("dash-folder").map(({ uid, title }) => ({ uid, title })),
      dashboards: ofType("dash-db").map(({ uid, folderUid = "" }) => `${folderUid}/${uid}`),
      datasources: (datasources as Found[]).map(({ uid }) => uid).sort(),
      rules: rules as { uid: string; title: string; ruleGroup: string; for?: string; record?: object; notification_settings?: object }[],
    };
  }

  /** Sends a request to Grafana as another user. */
  ask(path: string, method = "GET", body?: unknown): Promise<Answer> {
    if (isGenuine) return askAsAdmin(path, method, body, this.orgId);
    return send(`${this.grafanaUrl}${path}`, `Bearer ${this.secrets.grafanaAuth}`, method, body);
  }

  /** The same for a request that must succeed. Returns the body. */
  async do(path: string, method = "GET", body?: unknown): Promise<Answer["body"]> {
    const answered = await this.ask(path, method, body);
    if (answered.status < 300) return answered.body;
    throw new Error(`Grafana returned ${answered.status} to ${method} ${path}: ${JSON.stringify(answered.body)}`);
  }

  /** A token of a new service account, which can be revoked. */
  async token(role: "Editor" | "Admin"): Promise<{ key: string; revoke: () => Promise<unknown> }> {
    const name = `${role}-${randomBytes(4).toString("hex")}`;
    const { id } = await this.do("/api/serviceaccounts", "POST", { name, role });
    const tokens = `/api/serviceaccounts/${id}/tokens`;
    const { id: tokenId, key } = await this.do(tokens, "POST", { name });
    return { key, revoke: () => this.do(`${tokens}/${tokenId}`, "DELETE") };
  }

  async stop(): Promise<void> {
    if (this.orgId !== undefined) await askAsAdmin(`/api/orgs/${this.orgId}`, "DELETE");
    for (const server of this.servers) server.closeAllConnections();
    await Promise.all(this.servers.filter(({ listening }) => listening).map((server) => once(server.close(), "close")));
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const registrationsAt = (service: RawServer): number => service.requests.filter(({ path }) => path === "/api/connections").length;
