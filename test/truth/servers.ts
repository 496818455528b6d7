/**
 * Starts real Prometheus, Loki and Tempo on the loopback interface, with minimal configs that accept old telemetry, in a temporary folder. They end
 * with `stop`, and with this process even if it is killed.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { locate, locateAll } from "../support/toolchain/locate";
import { prometheusTool, servers } from "../support/toolchain/servers";
import { freePorts, Server } from "./server-process";

/** Prometheus alone: its base address for queries and pushes, and the folder of its blocks. It loads new ones within a second. */
export type RunningPrometheus = Awaited<ReturnType<typeof startPrometheus>>;

/** Base addresses for queries and pushes. `tempoOtlp` is without a signal's path; the OTLP receiver of Prometheus is at `/api/v1/otlp`. */
export type RunningServers = Awaited<ReturnType<typeof startServers>>;

/** The maximum age of telemetry, also at arrival. */
export const maxAge = "744h";

/** Rules that Prometheus evaluates, in its folder: none at the start. */
const ruleFile = "rules.yaml";

/** Starts Prometheus and waits until it is ready. @throws Error with the end of its log if it does not become ready */
export async function startPrometheus() {
  const program = await locate(prometheusTool());
  const [port = 0] = await freePorts(1);
  const folder = newFolder();
  const stop = await untilReady(folder, [prometheusServer(folder, program, port)]);
  return { prometheus: address(port), prometheusData: join(folder, "prometheus"), stop };
}

/**
 * Prometheus evaluates the rules in a file's text from now on.
 *
 * @throws Error if it rejects them
 */
export async function loadRules({ prometheus, prometheusData }: RunningPrometheus, rules: string): Promise<void> {
  writeFileSync(join(dirname(prometheusData), ruleFile), rules);
  const response = await fetch(`${prometheus}/-/reload`, { method: "POST" });
  if (!response.ok) throw new Error(`Prometheus rejects the rules: ${await response.text()}`);
}

/**
 * Starts the servers and waits until they are ready.
 *
 * @throws Error with the end of the log of a server that does not become ready
 */
export async function startServers() {
  const [prometheusProgram = "", loki = "", tempo = ""] = await locateAll(...servers());
  const [prometheusPort = 0, lokiPort = 0, lokiGrpcPort = 0, tempoPort = 0, tempoGrpcPort = 0, otlpPort = 0] = await freePorts(6);
  const folder = newFolder();
  const stop = await untilReady(folder, [
    prometheusServer(folder, prometheusProgram, prometheusPort),
    configured("Loki", folder, loki, lokiPort, lokiConfig(lokiPort, lokiGrpcPort, join(folder, "loki"))),
    configured("Tempo", folder, tempo, tempoPort, tempoConfig(tempoPort, tempoGrpcPort, otlpPort, join(folder, "tempo"))),
  ]);
  return {
    ...{ prometheus: address(prometheusPort), prometheusData: join(folder, "prometheus"), stop },
    ...{ loki: address(lokiPort), tempo: address(tempoPort), tempoOtlp: address(otlpPort) },
  };
}

export const address = (port: number) => `http://127.0.0.1:${port}`;

/** A temporary folder for the configs, logs and data of servers. */
export const newFolder = () => mkdtempSync(join(tmpdir(), "llm-observability-servers-"));

/** Waits until the servers, which were just started, are ready. Returns the function that stops them. */
export async function untilReady(folder: string, servers: readonly Server[]): Promise<() => Promise<void>> {
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  await Promise.all(servers.map((server) => server.ready())).catch(async (error) => {
    await stop();
    throw error;
  });
  return stop;
}

export function configFile(folder: string, name: string, config: object): string {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, stringify(config));
  return file;
}

export const configured = (name: string, folder: string, program: string, port: number, config: object) =>
  new Server(name, `${address(port)}/ready`, join(folder, `${name}.log`), program, [`-config.file=${configFile(folder, name, config)}`]);

const prometheusServer = (folder: string, program: string, port: number) =>
  new Server("Prometheus", `${address(port)}/-/ready`, join(folder, "prometheus.log"), program, [
    `--config.file=${configFile(folder, "prometheus", { rule_files: [ruleFile], storage: { tsdb: { out_of_order_time_window: maxAge } } })}`,
    `--storage.tsdb.path=${join(folder, "prometheus")}`,
    "--storage.tsdb.retention.time=1y",
    // No blocks during a test: Prometheus looks for full ones once a second, too, and a busy one lacked samples that arrived meanwhile.
    `--storage.tsdb.min-block-duration=${maxAge}`,
    // By default a minute: the time until it finds blocks that promtool made.
    "--storage.tsdb.block-reload-interval=1s",
    `--web.listen-address=127.0.0.1:${port}`,
    "--web.enable-otlp-receiver",
    "--web.enable-remote-write-receiver",
    "--web.enable-lifecycle",
  ]);

const lokiConfig = (port: number, grpcPort: number, folder: string) => ({
  auth_enabled: false,
  server: { http_listen_address: "127.0.0.1", http_listen_port: port, grpc_listen_address: "127.0.0.1", grpc_listen_port: grpcPort },
  common: {
    path_prefix: folder,
    replication_factor: 1,
    instance_addr: "127.0.0.1",
    ring: { kvstore: { store: "inmemory" } },
    storage: { filesystem: { chunks_directory: join(folder, "chunks"), rules_directory: join(folder, "rules") } },
  },
  schema_config: {
    configs: [{ from: "2024-01-01", store: "tsdb", object_store: "filesystem", schema: "v13", index: { prefix: "index_", period: "24h" } }],
  },
  // Lines stay in the ingester during a test: it accepts late lines and returns old ones.
  ingester: { max_chunk_age: maxAge, chunk_idle_period: maxAge, lifecycler: { min_ready_duration: "0s" } },
  querier: { query_ingesters_within: 0 },
  limits_config: { reject_old_samples: false, ingestion_rate_mb: 100, ingestion_burst_size_mb: 200, volume_enabled: false },
  // Loki looks for its own scheduler once in this time, by default 10 s, and is not ready before.
  frontend: { scheduler_dns_lookup_period: "500ms" },
  analytics: { reporting_enabled: false },
});

const tempoConfig = (port: number, grpcPort: number, otlpPort: number, folder: string) => ({
  server: { http_listen_address: "127.0.0.1", http_listen_port: port, grpc_listen_address: "127.0.0.1", grpc_listen_port: grpcPort },
  distributor: { receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${otlpPort}` } } } } },
  storage: { trace: { backend: "local", local: { path: join(folder, "blocks") }, wal: { path: join(folder, "wal") } } },
  // Spans stay in the live store with their own times.
  live_store: {
    wal: { path: join(folder, "live"), ingestion_time_range_slack: maxAge },
    shutdown_marker_dir: join(folder, "shutdown"),
    complete_block_timeout: maxAge,
  },
  query_frontend: { search: { query_backend_after: maxAge } },
  usage_report: { reporting_enabled: false },
});
