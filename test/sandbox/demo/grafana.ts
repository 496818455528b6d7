/** A genuine Grafana for the demo, with the genuine provider plugins, if this machine has them. */
import { existsSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { find } from "../../support/toolchain/locate";
import { grafanaTool } from "../../support/toolchain/servers";
import { Server } from "../../truth/server-process";
import { hasGenuinePlugins } from "../plugin-environment";

type GenuineGrafana = NonNullable<Awaited<ReturnType<typeof findGrafana>>>;

/** The Grafana on PATH or of `npm run toolchain -- --grafana`. If something is missing, says so and returns undefined. */
export async function findGrafana() {
  const program = await find(grafanaTool());
  if (!program) return undefined;
  const unused = (reason: string) => {
    console.log(`demo: ${program} is not used: ${reason}. The stand-ins for Grafana and for the plugins take its place.`);
    return undefined;
  };
  const home = homeOf(program);
  if (!home)
    return unused("its page is not installed (no folder with conf/defaults.ini and public/build). Set GF_PATHS_HOME to that folder");
  if (!(await hasGenuinePlugins())) {
    return unused("the Pulumi plugins grafana and command are neither installed nor on PATH, and cannot be downloaded");
  }
  return { program, home };
}

/** The folder with Grafana's page and its default settings: as in the release, in Linux packages, and in Homebrew. */
function homeOf(program: string): string | undefined {
  const prefix = dirname(dirname(realpathSync(program)));
  return [process.env.GF_PATHS_HOME ?? "", prefix, join(prefix, "share/grafana"), "/usr/share/grafana"].find(
    (folder) => folder !== "" && existsSync(join(folder, "conf/defaults.ini")) && existsSync(join(folder, "public/build")),
  );
}

/**
 * Starts Grafana with an empty database in a temporary folder. Requests without credentials have the role Viewer, and Grafana sends nothing to others.
 *
 * @param url its address, with a port of this machine
 * @throws Error with the end of its log if it does not become ready
 */
export async function startGrafana({ program, home }: GenuineGrafana, url: string, adminPassword: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
  const server = new Server("Grafana", `${url}/api/health`, join(folder, "grafana.log"), program, ["server", "--homepath", home], {
    GF_SERVER_HTTP_ADDR: hostname,
    GF_SERVER_HTTP_PORT: port,
    GF_SERVER_ROOT_URL: url,
    // Without write-ahead logging, SQLite is locked while several resources are created: 500, "database is locked".
    GF_DATABASE_WAL: "true",
    GF_PATHS_DATA: join(folder, "data"),
    GF_PATHS_LOGS: folder,
    GF_PATHS_PLUGINS: join(folder, "plugins"),
    GF_PATHS_PROVISIONING: join(folder, "provisioning"),
    GF_SECURITY_ADMIN_USER: "admin",
    GF_SECURITY_ADMIN_PASSWORD: adminPassword,
    GF_SECURITY_DISABLE_GRAVATAR: "true",
    GF_AUTH_ANONYMOUS_ENABLED: "true",
    GF_AUTH_ANONYMOUS_ORG_ROLE: "Viewer",
    GF_ANALYTICS_ENABLED: "false",
    GF_ANALYTICS_REPORTING_ENABLED: "false",
    GF_ANALYTICS_CHECK_FOR_UPDATES: "false",
    GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES: "false",
    GF_NEWS_NEWS_FEED_ENABLED: "false",
    GF_PLUGINS_PREINSTALL_DISABLED: "true",
    GF_PLUGINS_PLUGIN_ADMIN_ENABLED: "false",
    GF_PLUGINS_PUBLIC_KEY_RETRIEVAL_DISABLED: "true",
    GF_LOG_MODE: "console",
  });
  await server.ready().catch(async (error) => {
    await server.stop();
    throw error;
  });
  return server;
}
