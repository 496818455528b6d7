/** The tools that the project installs: versions and sources. All versions are set here, except that of the Pulumi CLI. */
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { version as pulumiVersion } from "pulumi/package.json";

/** A program in a Go module, built if its release cannot be downloaded. */
export interface GoProgram {
  /** File name of the built program. */
  binary: string;
  module: string;
  version: string;
  /** The main package in the module. */
  package: string;
  /** Minimum Go release, from the module's go.mod. The `replace` lines are read from there. */
  goVersion: string;
  /** The linker's `-X` definitions, `name=value`. */
  definitions: string[];
}

export interface Tool {
  name: string;
  version: string;
  /** The version that a built tool prints. Defaults to `version`. */
  builtVersion?: string;
  /** Absolute path of the tool's folder. The programs are in its subfolder `bin`. */
  folder: string;
  /** File names of the programs. */
  binaries: string[];
  /** Program and arguments that print the version. */
  versionCommand: [string, ...string[]];
  download: {
    /** URL of the official archive, .tar.gz or .zip. */
    archive: string;
    /** URL of the list of SHA-256 checksums. */
    checksums: string;
    /** The files to unpack, by path in the archive, and their new names. Defaults to all files in the archive's only folder. */
    programs?: Record<string, string>;
  };
  build: GoProgram[];
  /** Absolute paths of files that the archive contains and a build does not make. */
  extras: string[];
  /** Approximate duration of the build, for messages. */
  buildTime: string;
}

/** Existing folders of an installation. `work` is temporary. */
export interface Places {
  work: string;
  bin: string;
}

const os = { darwin: "darwin", linux: "linux" }[process.platform as string];
const arch = { x64: "x64", arm64: "arm64" }[process.arch as string];
const goArch = { x64: "amd64", arm64: "arm64" }[process.arch as string];
const releases = "https://get.pulumi.com/releases/sdk";

/**
 * The Pulumi CLI and its Node.js language host, in the folder in which the npm package `pulumi` and the Automation API look for them. The
 * version is that of the npm package.
 *
 * The Go module proxy has the language host as a part of the SDK up to 3.60.0 only. It works with newer CLIs.
 */
export function pulumiTool(): Tool {
  const version = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
  return {
    name: "Pulumi CLI",
    version: pulumiVersion,
    folder: join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", pulumiVersion),
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
        definitions: [`${version}=${pulumiVersion}`],
      },
      {
        binary: "pulumi-language-nodejs",
        module: "github.com/pulumi/pulumi/sdk/v3",
        version: "3.60.0",
        package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        goVersion: "1.18",
        definitions: [`${version}=3.60.0`],
      },
    ],
    extras: [join(dirname(require.resolve("@pulumi/pulumi/package.json")), "pulumi-resource-pulumi-nodejs")],
    buildTime: "about 5 minutes on two cores",
  };
}

/** Prometheus for the tests with real servers. Release 3.15.0 is version 0.315.0 of the Go module. */
export function prometheusTool(): Tool {
  const version = "3.15.0";
  const folder = `prometheus-${version}.${os}-${goArch}`;
  return server({
    name: "Prometheus",
    version,
    repository: "github.com/prometheus/prometheus",
    archive: `${folder}.tar.gz`,
    checksums: "sha256sums.txt",
    program: `${folder}/prometheus`,
    build: { version: "0.315.0", goVersion: "1.26.0", definitions: [`github.com/prometheus/common/version.Version=${version}`] },
  });
}

/** Loki for the tests with real servers. */
export function lokiTool(): Tool {
  const version = "3.7.8";
  const file = `loki-${os}-${goArch}`;
  const module = "github.com/grafana/loki/v3";
  return server({
    name: "Loki",
    version,
    repository: "github.com/grafana/loki",
    archive: `${file}.zip`,
    checksums: "SHA256SUMS",
    program: file,
    build: { module, version, goVersion: "1.26.5", definitions: [`${module}/pkg/util/build.Version=${version}`] },
  });
}

/**
 * Tempo for the tests with real servers. Download and build have different versions: Tempo's module path lacks the `/v3` that Go requires,
 * so the module proxy has commits, but no releases. This commit of 2026-04-23 precedes release 3.0.0. There are no archives for macOS.
 */
export function tempoTool(): Tool {
  const version = "3.0.0";
  const commit = "e1676d825c43";
  const builtVersion = `main-${commit}`;
  return server({
    name: "Tempo",
    version,
    builtVersion,
    repository: "github.com/grafana/tempo",
    archive: `tempo_${version}_${os}_${goArch}.tar.gz`,
    checksums: "SHA256SUMS",
    program: "tempo",
    // The name contains both versions: a change of either one installs the tool anew.
    folderName: `${version}-or-${commit}`,
    build: { version: `1.5.1-0.20260423183749-${commit}`, goVersion: "1.26.2", definitions: [`main.Version=${builtVersion}`] },
  });
}

interface Server extends Pick<Tool, "name" | "version" | "builtVersion"> {
  /** The repository on GitHub, and the Go module unless `build` names another one. */
  repository: string;
  /** File names in the release. */
  archive: string;
  checksums: string;
  /** Path of the program in the archive. */
  program: string;
  /** Name of the tool's folder. Defaults to the version. */
  folderName?: string;
  build: Pick<GoProgram, "version" | "goVersion" | "definitions"> & { module?: string };
}

/** A server of one program, in the user's cache folder. */
function server({ repository, archive, checksums, program, folderName, build, ...tool }: Server): Tool {
  const binary = tool.name.toLowerCase();
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const release = `https://${repository}/releases/download/v${tool.version}`;
  const { module = repository } = build;
  return {
    ...tool,
    folder: join(cache, "llm-observability", binary, folderName ?? tool.version),
    binaries: [binary],
    versionCommand: [binary, "--version"],
    download: { archive: `${release}/${archive}`, checksums: `${release}/${checksums}`, programs: { [program]: binary } },
    build: [{ binary, module, package: `${module}/cmd/${binary}`, ...build }],
    extras: [],
    buildTime: "about 6 minutes on two cores",
  };
}
