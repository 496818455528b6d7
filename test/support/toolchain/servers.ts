/** The servers of the tests, the demo and the pictures, and the linter of the workflows: versions and sources. All versions are set here. */
import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { run } from "../run";
import type { GoSource, Program, Tool } from "./pulumi";

const { platform: os, arch } = process;
const goArch = arch === "x64" ? "amd64" : arch;

/** Prometheus, and promtool, which checks and evaluates rules. */
export function prometheusTool(): Tool {
  const version = "3.16.0";
  const module = "github.com/prometheus/prometheus";
  const definition = `github.com/prometheus/common/version.Version=${version}`;
  // Release 3.16.0 is version 0.316.0 of the Go module.
  const source = { module, version: `0.${version.replace(".", "")}`, goVersion: "1.26.7", definition };
  return {
    ...server("Prometheus", version, 6),
    ...release(module, version, `prometheus-${version}.${os}-${goArch}.tar.gz`, "sha256sums.txt"),
    programs: [program("prometheus", source), program("promtool", source)],
  };
}

/** Loki. Its release is a zip archive of one program. Not every machine has a program for zip archives. */
export function lokiTool(): Tool {
  const version = "3.7.8";
  const module = "github.com/grafana/loki/v3";
  return {
    ...server("Loki", version, 5),
    ...release("github.com/grafana/loki", version, `loki-${os}-${goArch}.zip`, "SHA256SUMS"),
    unpack: async (archive, bin) => {
      for (const content of Object.values(unzipSync(await readFile(archive)))) await writeFile(join(bin, "loki"), content, { mode: 0o755 });
    },
    programs: [program("loki", { module, version, goVersion: "1.26.5", definition: `${module}/pkg/util/build.Version=${version}` })],
  };
}

/**
 * Tempo. Tempo's module path lacks the `/v3` that Go requires, so the module proxy has commits, but no releases. This commit of 2026-04-23 precedes
 * release 3.0.0. There are no archives for macOS.
 */
export function tempoTool(): Tool {
  const version = "3.0.0";
  const commit = "e1676d825c43";
  const module = "github.com/grafana/tempo";
  const definition = `main.Version=${version}-before-${commit}`;
  const source = { version: `1.5.1-0.20260423183749-${commit}`, goVersion: "1.26.2", definition };
  return {
    // The name contains both versions: a change of either one installs the tool anew.
    ...server("Tempo", version, 5, `${version}-or-${commit}`),
    ...release(module, version, `tempo_${version}_${os}_${goArch}.tar.gz`, "SHA256SUMS"),
    unpack: unpackWithoutFolder,
    programs: [program("tempo", { module, ...source })],
  };
}

/**
 * Mimir, and mimirtool, which loads rules and blocks. A release has one file for each program, and one with its checksum. Mimir's tags lack the
 * `v` that Go requires, so the module proxy has commits, but no releases: this commit of 2026-04-23 precedes release 3.1.0.
 */
export const mimirTools = (): [Tool, Tool] => [mimirTool("mimir", "--version", 4), mimirTool("mimirtool", "version", 1)];

function mimirTool(binary: string, versionArgument: string, minutes: number): Tool {
  const version = "3.1.0";
  const commit = "aced80d74930";
  const module = "github.com/grafana/mimir";
  const archive = `https://${module}/releases/download/mimir-${version}/${binary}-${os}-${goArch}`;
  const definition = `${module}/pkg/util/version.Version=${version}-before-${commit}`;
  const source = { version: `1.3.1-0.20260423142704-${commit}`, goVersion: "1.25.9", definition };
  return {
    ...server(binary, version, minutes, `${version}-or-${commit}`),
    ...{ versionArgument, archive, checksums: `${archive}-sha-256` },
    unpack: async (file, bin) => writeFile(join(bin, binary), await readFile(file), { mode: 0o755 }),
    programs: [program(binary, { module, ...source })],
  };
}

/** A genuine Grafana for `npm run demo`, with its page, which only the release contains. It is not required. */
export function grafanaTool(): Tool {
  const version = "12.3.0";
  const archive = `https://dl.grafana.com/oss/release/grafana-${version}.${os}-${goArch}.tar.gz`;
  return { ...server("grafana", version), name: "Grafana", archive, checksums: `${archive}.sha256`, programs: [{ binary: "bin/grafana" }] };
}

/** The linter of the GitHub workflows, see `check-workflows.ts`. */
export function actionlintTool(): Tool {
  const version = "1.7.12";
  const module = "github.com/rhysd/actionlint";
  const name = `actionlint_${version}`;
  return {
    ...server("actionlint", version, 1),
    versionArgument: "-version",
    ...release(module, version, `${name}_${os}_${goArch}.tar.gz`, `${name}_checksums.txt`),
    unpack: unpackWithoutFolder,
    programs: [program("actionlint", { module, version, goVersion: "1.25.0", definition: `${module}.version=${version}` })],
  };
}

/** The servers of `npm run test:truth`, in this order. */
export const servers = (): [Tool, Tool, Tool] => [prometheusTool(), lokiTool(), tempoTool()];

/** @param minutes of a build; @param folder its name in the user's cache */
const server = (name: string, version: string, minutes?: number, folder = version) => ({
  ...{ name, version, versionArgument: "--version", ...(minutes && { minutes }) },
  folder: join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "llm-observability", name.toLowerCase(), folder),
});

const unpackWithoutFolder = async (archive: string, bin: string) => void (await run("tar", ["-xzf", archive, "-C", bin]));

function release(repository: string, version: string, archive: string, checksums: string) {
  const address = `https://${repository}/releases/download/v${version}`;
  return { archive: `${address}/${archive}`, checksums: `${address}/${checksums}` };
}

const program = (binary: string, source: Omit<GoSource, "package">): Program => {
  return { binary, source: { ...source, package: `${source.module}/cmd/${binary}` } };
};
