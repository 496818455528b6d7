/** Starts a real Mimir on the loopback interface: one process, storage in files, several tenants. It takes a day of old samples in any order, and finds them at once. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { locate } from "../../support/toolchain/locate";
import { mimirTools } from "../../support/toolchain/servers";
import { freePorts } from "../server-process";
import { address, configFile, configured, maxAge, newFolder, untilReady } from "../servers";

/** What operators set for a tenant: the `overrides` of Mimir's runtime configuration. */
export type Overrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface RunningMimir {
  /** The address of Mimir, without the `/prometheus` of its queries. */
  mimir: string;
  stop(): Promise<void>;
}

/**
 * Starts Mimir and waits until it is ready.
 *
 * @param overrides by tenant; other tenants have Mimir's defaults
 * @throws Error with the end of its log if it does not become ready
 */
export async function startMimir(overrides: Overrides): Promise<RunningMimir> {
  const program = await locate(mimirTools()[0]);
  const [port = 0, grpcPort = 0] = await freePorts(2);
  const folder = newFolder();
  // The compactor checks uploaded blocks there, and makes the folder when it compacts first.
  mkdirSync(join(folder, "compactor"));
  const runtime = configFile(folder, "runtime", { overrides });
  const stop = await untilReady(folder, [configured("Mimir", folder, program, port, mimirConfig(port, grpcPort, folder, runtime))]);
  return { mimir: address(port), stop };
}

const ring = { instance_addr: "127.0.0.1", kvstore: { store: "inmemory" } };

const mimirConfig = (port: number, grpcPort: number, folder: string, runtime: string) => ({
  target: "all",
  multitenancy_enabled: true,
  usage_stats: { enabled: false },
  server: {
    http_listen_address: "127.0.0.1",
    http_listen_port: port,
    grpc_listen_address: "127.0.0.1",
    grpc_listen_port: grpcPort,
  },
  runtime_config: { file: runtime, period: "1s" },
  distributor: { ring, influx_endpoint_enabled: true },
  ingester: { ring: { ...ring, replication_factor: 1, min_ready_duration: "0s" } },
  store_gateway: { sharding_ring: { ...ring, replication_factor: 1 } },
  compactor: { data_dir: join(folder, "compactor"), sharding_ring: ring, compaction_interval: "1h", cleanup_interval: "1s" },
  ruler: { ring, rule_path: join(folder, "rules"), poll_interval: "1s" },
  ruler_storage: { backend: "filesystem", filesystem: { dir: join(folder, "ruler") } },
  query_scheduler: { ring },
  blocks_storage: {
    backend: "filesystem",
    filesystem: { dir: join(folder, "blocks") },
    tsdb: { dir: join(folder, "tsdb"), retention_period: maxAge, ship_interval: "0s", block_ranges_period: [maxAge] },
    // New blocks are found within seconds instead of 15 minutes.
    bucket_store: { sync_dir: join(folder, "sync"), sync_interval: "10s", ignore_blocks_within: "0s" },
  },
  frontend: { address: "127.0.0.1" },
  querier: { ring, query_store_after: "0s" },
  limits: {
    out_of_order_time_window: maxAge,
    // All samples are in the ingester, whatever their age.
    query_ingesters_within: "0s",
    ingestion_rate: 1e7,
    ingestion_burst_size: 1e7,
    compactor_block_upload_enabled: true,
  },
});
