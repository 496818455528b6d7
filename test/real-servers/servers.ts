/**
 * Starts real Prometheus, Loki and Tempo on the loopback interface, with minimal configs that accept old telemetry, in a temporary folder. They end
 * with `stop`, and with this process even if it is killed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { stringify } from "yaml";
import { locate } from "../../src/cli/toolchain/locate";
import { lokiTool, prometheusTool, tempoTool } from "../../src/cli/toolchain/tools";

/** Base addresses for queries and pushes. */
export interface RunningServers {
  prometheus: string;
  loki: string;
  tempo: string;
  /** The OTLP receiver of Tempo, without a signal's path. Prometheus has its own at `/api/v1/otlp`. */
  tempoOtlp: string;
  stop(): Promise<void>;
}

/** The maximum age of telemetry, also at arrival. */
const maxAge = "744h";

/** A limit for servers that hang. All three are usually ready within seconds. */
const readyTimeout = 90_000;

/**
 * Starts the servers and waits until they are ready.
 *
 * @throws Error with the end of the log of a server that does not become ready
 */
export async function startServers(): Promise<RunningServers> {
  const [prometheusProgram, lokiProgram, tempoProgram] = [
    await locate(prometheusTool()),
    await locate(lokiTool()),
    await locate(tempoTool()),
  ];
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-servers-"));
  const [prometheusPort = 0, lokiPort = 0, lokiGrpcPort = 0, tempoPort = 0, tempoGrpcPort = 0, otlpPort = 0] = await freePorts(6);
  const file = (name: string) => join(folder, name);
  const write = (name: string, config: object) => {
    writeFileSync(file(name), stringify(config));
    return file(name);
  };
  const servers = [
    new Server("Prometheus", `http://127.0.0.1:${prometheusPort}/-/ready`, file("prometheus.log"), prometheusProgram, [
      `--config.file=${write("prometheus.yaml", prometheusConfig)}`,
      `--storage.tsdb.path=${file("prometheus")}`,
      `--storage.tsdb.retention.time=${maxAge}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
      "--web.enable-otlp-receiver",
      "--web.enable-remote-write-receiver",
    ]),
    new Server("Loki", `http://127.0.0.1:${lokiPort}/ready`, file("loki.log"), lokiProgram, [
      `-config.file=${write("loki.yaml", lokiConfig(lokiPort, lokiGrpcPort, file("loki")))}`,
    ]),
    new Server("Tempo", `http://127.0.0.1:${tempoPort}/ready`, file("tempo.log"), tempoProgram, [
      `-config.file=${write("tempo.yaml", tempoConfig(tempoPort, tempoGrpcPort, otlpPort, file("tempo")))}`,
    ]),
  ];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(servers.map((server) => server.ready()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    prometheus: `http://127.0.0.1:${prometheusPort}`,
    loki: `http://127.0.0.1:${lokiPort}`,
    tempo: `http://127.0.0.1:${tempoPort}`,
    tempoOtlp: `http://127.0.0.1:${otlpPort}`,
    stop,
  };
}

const prometheusConfig = { storage: { tsdb: { out_of_order_time_window: maxAge } } };

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

/** A server that writes its log and its data into a temporary folder of its own, which is deleted with it. */
export class Server {
  private readonly child;
  private readonly exited;

  constructor(
    private readonly name: string,
    private readonly readyAddress: string,
    private readonly log: string,
    program: string,
    args: string[],
    /** Environment variables in addition to those of this process. */
    env: Record<string, string> = {},
  ) {
    const output = openSync(log, "w");
    // The shell's file 3 ends with this process, even by SIGKILL. It then kills the server and deletes its data.
    const script =
      'folder=$1; shift; "$@" 3<&- & server=$!; { read -r _ <&3; kill -9 $server; rm -rf "$folder"; } 2>/dev/null & wait $server';
    this.child = spawn("sh", ["-c", script, "sh", dirname(log), program, ...args], {
      stdio: ["ignore", output, output, "pipe"],
      // Another process group: a signal from the terminal must not end the shell before its server.
      detached: true,
      env: { ...process.env, ...env },
    });
    this.exited = once(this.child, "exit");
  }

  async ready(): Promise<void> {
    const deadline = Date.now() + readyTimeout;
    const ended = this.exited.then(() => true);
    while (Date.now() < deadline) {
      const ready = await fetch(this.readyAddress).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) return;
      if (await Promise.race([ended, setTimeout(200, false)]))
        throw new Error(`${this.name} exited before it was ready:\n${this.logEnd()}`);
    }
    throw new Error(`${this.name} was not ready within ${readyTimeout / 1000} s:\n${this.logEnd()}`);
  }

  async stop(): Promise<void> {
    (this.child.stdio[3] as Writable).destroy();
    await this.exited;
  }

  private logEnd(): string {
    return readFileSync(this.log, "utf8").split("\n").slice(-15).join("\n");
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
