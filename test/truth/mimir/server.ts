/** Starts a real Mimir on the loopback interface: one process, files, several tenants. It takes old samples in any order, and finds them at once. */
import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { locate, locateAll } from "../../support/toolchain/locate";
import { mimirTools, prometheusTool } from "../../support/toolchain/servers";
import { freePorts } from "../server-process";
import { address, configFile, configured, maxAge, newFolder, untilReady } from "../servers";

/** Its address is without the `/prometheus` of its queries. */
export type RunningMimir = Awaited<ReturnType<typeof startMimir>>;

/**
 * Starts Mimir and waits until it is ready.
 *
 * @param overrides what operators set for a tenant in Mimir's runtime configuration; other tenants have the defaults
 * @throws Error with the end of its log if it does not become ready
 */
export async function startMimir(overrides: Readonly<Record<string, object>>) {
  const program = await locate(mimirTools()[0]);
  const [port = 0, grpcPort = 0] = await freePorts(2);
  const folder = newFolder();
  // The compactor checks uploaded blocks there, and makes the folder when it compacts first.
  mkdirSync(join(folder, "compactor"));
  const runtime = configFile(folder, "runtime", { overrides });
  const stop = await untilReady(folder, [configured("Mimir", folder, program, port, mimirConfig(port, grpcPort, folder, runtime))]);
  return { mimir: address(port), stop };
}

/** The environment of the commands of src/settings/README.md: promtool and mimirtool on PATH, and what mimirtool reads. */
export async function commandsFor(mimir: string, tenant: string): Promise<NodeJS.ProcessEnv> {
  const folders = (await locateAll(prometheusTool(), mimirTools()[1])).map((program) => dirname(program));
  return { ...process.env, PATH: [...folders, process.env.PATH].join(delimiter), MIMIR_ADDRESS: mimir, MIMIR_TENANT_ID: tenant };
}

const loopback = "127.0.0.1";
const ring = { instance_addr: loopback, kvstore: { store: "inmemory" } };

const mimirConfig = (port: number, grpcPort: number, folder: string, runtime: string) => ({
  multitenancy_enabled: true,
  usage_stats: { enabled: false },
  server: { http_listen_address: loopback, http_listen_port: port, grpc_listen_address: loopback, grpc_listen_port: grpcPort },
  activity_tracker: { filepath: join(folder, "activity.log") },
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
    // Samples stay in memory: a block that is being shipped is in neither place for a moment.
    tsdb: { dir: join(folder, "tsdb"), ship_interval: "0s", block_ranges_period: [maxAge] },
    // Uploaded blocks are found within seconds instead of 15 minutes, and new ones are not left to the ingester.
    bucket_store: { sync_dir: join(folder, "sync"), sync_interval: "10s", ignore_blocks_within: "0s" },
  },
  frontend: { address: loopback },
  querier: { ring, query_store_after: "0s" },
  limits: {
    out_of_order_time_window: maxAge,
    query_ingesters_within: "0s",
    ingestion_rate: 1e7,
    ingestion_burst_size: 1e7,
    compactor_block_upload_enabled: true,
  },
});
