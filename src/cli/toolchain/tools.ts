/** The tools that the project fetches for itself: what they are, which version, where from. The only place that pins them. */
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { version as pulumiVersion } from "pulumi/package.json";

/** A program built from a Go module, where no release can be downloaded. */
export interface GoProgram {
  /** File name of the built program. */
  binary: string;
  module: string;
  version: string;
  /** Package of the module that holds the program. */
  package: string;
  /** Go release that the module asks for in its go.mod. Its `replace` lines are taken over from there. */
  goVersion: string;
  /** The `-X` definitions of the linker, `name=value`. */
  definitions: string[];
}

/** A tool that lives in a folder of its own, complete or not there at all. */
export interface Tool {
  name: string;
  version: string;
  /** What a build says it is, where the module proxy does not have the source of `version`. */
  builtVersion?: string;
  /** Absolute path of the tool's folder; its programs are in `bin` below it. */
  folder: string;
  /** Programs that must be there and executable. */
  binaries: string[];
  /** Program and arguments that print the version. */
  versionCommand: [string, ...string[]];
  download: {
    /** The official archive: a .tar.gz or .zip file. */
    archive: string;
    /** The list of SHA-256 sums that covers it. */
    checksums: string;
    /** The files of the archive that are wanted, each with the name it is to have. Without it: all that is in its one folder. */
    programs?: Record<string, string>;
  };
  build: GoProgram[];
  /** Files that a download brings along and a build must be given, as absolute paths. */
  extras: string[];
  /** Roughly how long the build takes, for people. */
  buildTime: string;
}

/** Where an installation happens: folders that exist. Only `bin` stays. */
export interface Places {
  work: string;
  bin: string;
}

const os = { darwin: "darwin", linux: "linux" }[process.platform as string];
const arch = { x64: "x64", arm64: "arm64" }[process.arch as string];
const goArch = { x64: "amd64", arm64: "arm64" }[process.arch as string];
const releases = "https://get.pulumi.com/releases/sdk";

/**
 * The Pulumi CLI and its Node.js language host, in the cache that the npm package `pulumi` and the Automation API use. The version is that
 * of the installed npm package.
 *
 * The Go module proxy has the CLI at each version, but the language host as a module of its own only up to 3.60.0; it works with newer CLIs.
 */
export function pulumiTool(): Tool {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  return {
    name: "Pulumi CLI",
    version: pulumiVersion,
    folder: join(home, "versions", pulumiVersion),
    binaries: ["pulumi", "pulumi-language-nodejs"],
    versionCommand: ["pulumi", "version"],
    download: {
      archive: `${releases}/pulumi-v${pulumiVersion}-${os}-${arch}.tar.gz`,
      checksums: `${releases}/pulumi-${pulumiVersion}-checksums.txt`,
    },
    build: [
      {
        binary: "pulumi",
        module: "github.com/pulumi/pulumi/pkg/v3",
        version: pulumiVersion,
        package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
        goVersion: "1.25.11",
        definitions: [`github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${pulumiVersion}`],
      },
      {
        binary: "pulumi-language-nodejs",
        module: "github.com/pulumi/pulumi/sdk/v3",
        version: "3.60.0",
        package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        goVersion: "1.18",
        definitions: ["github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=3.60.0"],
      },
    ],
    extras: [join(dirname(require.resolve("@pulumi/pulumi/package.json")), "pulumi-resource-pulumi-nodejs")],
    buildTime: "about 5 minutes on two cores",
  };
}

/** Prometheus, for the truth tests. Its Go module has versions of its own: release 3.15.0 is module 0.315.0. */
export function prometheusTool(): Tool {
  const version = "3.15.0";
  const release = `https://github.com/prometheus/prometheus/releases/download/v${version}`;
  const folder = `prometheus-${version}.${os}-${goArch}`;
  return {
    name: "Prometheus",
    version,
    ...server("prometheus", version),
    download: {
      archive: `${release}/${folder}.tar.gz`,
      checksums: `${release}/sha256sums.txt`,
      programs: { [`${folder}/prometheus`]: "prometheus" },
    },
    build: [
      {
        binary: "prometheus",
        module: "github.com/prometheus/prometheus",
        version: "0.315.0",
        package: "github.com/prometheus/prometheus/cmd/prometheus",
        goVersion: "1.26.0",
        definitions: [`github.com/prometheus/common/version.Version=${version}`],
      },
    ],
    buildTime: "about 5 minutes on two cores",
  };
}

/** Loki, for the truth tests. */
export function lokiTool(): Tool {
  const version = "3.7.8";
  const release = `https://github.com/grafana/loki/releases/download/v${version}`;
  const file = `loki-${os}-${goArch}`;
  return {
    name: "Loki",
    version,
    ...server("loki", version),
    download: { archive: `${release}/${file}.zip`, checksums: `${release}/SHA256SUMS`, programs: { [file]: "loki" } },
    build: [
      {
        binary: "loki",
        module: "github.com/grafana/loki/v3",
        version,
        package: "github.com/grafana/loki/v3/cmd/loki",
        goVersion: "1.26.5",
        definitions: [`github.com/grafana/loki/v3/pkg/util/build.Version=${version}`],
      },
    ],
    buildTime: "about 5 minutes on two cores",
  };
}

/**
 * Tempo, for the truth tests. The download and the build differ: Tempo's module path lacks the `/v3` that Go asks of such a version, so the
 * module proxy has commits of it, not releases. This commit is of 2026-04-23, on the way to 3.0.0, the first release after it. Nor are there
 * archives for macOS.
 */
export function tempoTool(): Tool {
  const version = "3.0.0";
  const commit = "e1676d825c43";
  const release = `https://github.com/grafana/tempo/releases/download/v${version}`;
  return {
    name: "Tempo",
    version,
    builtVersion: `main-${commit}`,
    // Named after both, so that a change of either is fetched.
    ...server("tempo", `${version}-or-${commit}`),
    download: {
      archive: `${release}/tempo_${version}_${os}_${goArch}.tar.gz`,
      checksums: `${release}/SHA256SUMS`,
      programs: { tempo: "tempo" },
    },
    build: [
      {
        binary: "tempo",
        module: "github.com/grafana/tempo",
        version: `1.5.1-0.20260423183749-${commit}`,
        package: "github.com/grafana/tempo/cmd/tempo",
        goVersion: "1.26.2",
        definitions: [`main.Version=main-${commit}`],
      },
    ],
    buildTime: "about 6 minutes on two cores",
  };
}

/** What the servers have in common. Each version has a folder of its own in the user's cache. */
function server(binary: string, version: string): Pick<Tool, "folder" | "binaries" | "versionCommand" | "extras"> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return {
    folder: join(cache, "llm-observability", binary, version),
    binaries: [binary],
    versionCommand: [binary, "--version"],
    extras: [],
  };
}
