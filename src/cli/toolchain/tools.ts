/** The tools that the project installs: versions and sources. All versions are set here, except that of the Pulumi CLI. */
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { version as pulumiVersion } from "pulumi/package.json";

export interface Program {
  /** Path of the program in the tool's folder `bin`. */
  binary: string;
}

/** A program in a Go module, built if its release cannot be downloaded. */
export interface GoProgram extends Program {
  module: string;
  version: string;
  /** The main package in the module. */
  package: string;
  /** Minimum Go release, from the module's go.mod. The `replace` lines are read from there. */
  goVersion: string;
  /** The linker's `-X` definition of the version, `name=value`. */
  definition: string;
}

export interface Tool {
  name: string;
  version: string;
  /** The version that a built tool prints. Defaults to `version`. */
  builtVersion?: string;
  /** Absolute path of the tool's folder. The programs are in its subfolder `bin`. */
  folder: string;
  /** Argument of the main program that prints the version. */
  versionArgument: string;
  /** URL of the official archive, .tar.gz or .zip. */
  archive: string;
  /** URL of the list of SHA-256 checksums. */
  checksums: string;
  /** The files to unpack, by path in the archive, and their new names. Defaults to all files in the archive's only folder. */
  files?: Record<string, string>;
  /** The main program first. It requires the newest Go. A tool with a program that is not in a Go module is only downloaded. */
  programs: [Program, ...Program[]];
  /** Absolute paths of files that the archive contains and a build does not make. */
  extras: string[];
}

/** Existing folders of an installation. `work` is temporary. */
export type Places = Record<"work" | "bin", string>;

const { platform: os, arch } = process;
const goArch = arch === "x64" ? "amd64" : arch;
const pulumiReleases = "https://get.pulumi.com/releases/sdk";
const pulumiModules = "github.com/pulumi/pulumi";

/**
 * The Pulumi CLI and its Node.js language host, in the folder in which the npm package `pulumi` and the Automation API look for them. The
 * version is that of the npm package.
 *
 * The Go module proxy has the language host as a part of the SDK up to 3.60.0 only. It works with newer CLIs.
 */
export const pulumiTool = (): Tool => ({
  name: "Pulumi CLI",
  version: pulumiVersion,
  folder: join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", pulumiVersion),
  versionArgument: "version",
  archive: `${pulumiReleases}/pulumi-v${pulumiVersion}-${os}-${arch}.tar.gz`,
  checksums: `${pulumiReleases}/pulumi-${pulumiVersion}-checksums.txt`,
  programs: [
    pulumiProgram("pulumi", pulumiVersion, "pkg/v3", "cmd/pulumi", "1.25.11"),
    pulumiProgram("pulumi-language-nodejs", "3.60.0", "sdk/v3", "nodejs/cmd/pulumi-language-nodejs", "1.18"),
  ],
  extras: [join(dirname(require.resolve("@pulumi/pulumi/package.json")), "pulumi-resource-pulumi-nodejs")],
});

function pulumiProgram(binary: string, version: string, path: string, main: string, goVersion: string): GoProgram {
  const module = `${pulumiModules}/${path}`;
  const definition = `${pulumiModules}/sdk/v3/go/common/version.Version=${version}`;
  return { binary, module, version, package: `${module}/${main}`, goVersion, definition };
}

/** Prometheus for the tests with real servers, and promtool, which checks and evaluates rules. Release 3.15.0 is version 0.315.0 of the Go module. */
export function prometheusTool(): Tool {
  const version = "3.15.0";
  const folder = `prometheus-${version}.${os}-${goArch}`;
  const repository = "github.com/prometheus/prometheus";
  const program = { version: "0.315.0", goVersion: "1.26.0", definition: `github.com/prometheus/common/version.Version=${version}` };
  const tool = server({
    name: "Prometheus",
    version,
    repository,
    archive: `${folder}.tar.gz`,
    checksums: "sha256sums.txt",
    file: `${folder}/prometheus`,
    program,
  });
  const promtool: GoProgram = { binary: "promtool", module: repository, package: `${repository}/cmd/promtool`, ...program };
  return {
    ...tool,
    files: { ...tool.files, [`${folder}/promtool`]: promtool.binary },
    programs: [...tool.programs, promtool],
  };
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
    file,
    program: { module, version, goVersion: "1.26.5", definition: `${module}/pkg/util/build.Version=${version}` },
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
    file: "tempo",
    // The name contains both versions: a change of either one installs the tool anew.
    folder: `${version}-or-${commit}`,
    program: { version: `1.5.1-0.20260423183749-${commit}`, goVersion: "1.26.2", definition: `main.Version=${builtVersion}` },
  });
}

/** A genuine Grafana for `npm run demo`, with its page, which only the release contains. It is not required. */
export function grafanaTool(): Tool {
  const version = "12.3.0";
  const archive = `https://dl.grafana.com/oss/release/grafana-${version}.${os}-${goArch}.tar.gz`;
  return {
    name: "Grafana",
    version,
    folder: join(cacheFolder(), "grafana", version),
    versionArgument: "--version",
    archive,
    checksums: `${archive}.sha256`,
    programs: [{ binary: "bin/grafana" }],
    extras: [],
  };
}

const cacheFolder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "llm-observability");

/** `archive` and `checksums` are file names in the release on GitHub, `folder` is a name that defaults to the version. */
interface Server extends Pick<Tool, "name" | "version" | "builtVersion" | "archive" | "checksums"> {
  /** The repository on GitHub, and the Go module unless `program` names another one. */
  repository: string;
  /** Path of the program in the archive. */
  file: string;
  folder?: string;
  program: Pick<GoProgram, "version" | "goVersion" | "definition"> & { module?: string };
}

/** A server of one program, in the user's cache folder. */
function server({ repository, archive, checksums, file, folder, program, ...tool }: Server): Tool {
  const binary = tool.name.toLowerCase();
  const release = `https://${repository}/releases/download/v${tool.version}`;
  const { module = repository } = program;
  const main: GoProgram = { binary, module, package: `${module}/cmd/${binary}`, ...program };
  return {
    ...tool,
    folder: join(cacheFolder(), binary, folder ?? tool.version),
    versionArgument: "--version",
    archive: `${release}/${archive}`,
    checksums: `${release}/${checksums}`,
    files: { [file]: binary },
    programs: [main],
    extras: [],
  };
}
