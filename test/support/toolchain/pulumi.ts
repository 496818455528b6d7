/** The description of a tool that is installed, and the Pulumi CLI. `servers.ts` has the servers of the tests and the demo. */
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { version as pulumiVersion } from "pulumi/package.json";

/** A program in a Go module. */
export interface GoSource {
  module: string;
  version: string;
  /** The main package in the module. */
  package: string;
  /** Minimum Go release, from the module's go.mod. The `replace` lines are read from there. */
  goVersion: string;
  /** The linker's `-X` definition of the version, `name=value`. */
  definition: string;
}

export interface Program {
  /** Path of the program in the tool's folder `bin`. */
  binary: string;
  /** How it is built if the release cannot be downloaded; undefined if it cannot be built. */
  source?: GoSource;
}

export interface Tool {
  name: string;
  version: string;
  /** Absolute path of the tool's folder. The programs are in its subfolder `bin`. */
  folder: string;
  /** Argument of the main program that prints the version. */
  versionArgument: string;
  /** URL of the official archive. */
  archive: string;
  /** URL of the SHA-256 checksum, or of a list of them. */
  checksums: string;
  /** Unpacks the archive into a folder. Defaults to the files in the only folder of a .tar.gz archive. */
  unpack?: ((archive: string, bin: string) => Promise<void>) | undefined;
  /** The main program first. It requires the newest Go. */
  programs: [Program, ...Program[]];
  /** Minutes of a build on two cores. */
  minutes?: number;
  /** What a built one does not serve, and what to do then. */
  limit?: string;
  /** Absolute paths of files that the archive contains and a build does not make. */
  extras?: string[];
}

/** Existing folders of an installation. `work` is temporary. */
export type Places = Record<"work" | "bin", string>;

const releases = "https://get.pulumi.com/releases/sdk";
const modules = "github.com/pulumi/pulumi";

/**
 * The Pulumi CLI and its Node.js language host, in the folder in which the npm package `pulumi` and the Automation API look for them. The
 * version is that of the npm package.
 *
 * The Go module proxy has the language host as a part of the SDK up to 3.60.0 only. It works with newer CLIs, but drops an explicit
 * `protect: false`: that is held by the tests under the SDK's mocks.
 */
export const pulumiTool = (): Tool => ({
  name: "Pulumi CLI",
  version: pulumiVersion,
  folder: join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", pulumiVersion),
  versionArgument: "version",
  archive: `${releases}/pulumi-v${pulumiVersion}-${process.platform}-${process.arch}.tar.gz`,
  checksums: `${releases}/pulumi-${pulumiVersion}-checksums.txt`,
  programs: [
    pulumiProgram("pulumi", pulumiVersion, "pkg/v3", "cmd/pulumi", "1.25.11"),
    pulumiProgram("pulumi-language-nodejs", "3.60.0", "sdk/v3", "nodejs/cmd/pulumi-language-nodejs", "1.18"),
  ],
  minutes: 4,
  limit: "It serves npm run local and the tests. To deploy a stack of yours, delete the folder: npx pulumi then downloads the release",
  extras: [join(dirname(require.resolve("@pulumi/pulumi/package.json")), "pulumi-resource-pulumi-nodejs")],
});

/** The environment in which the engine finds a language host that follows `runtime.options` of Pulumi.yaml: one that was built does not. */
export const hostEnvironment = (path = process.env.PATH) => ({
  PATH: `${join(__dirname, "host")}${delimiter}${path}`,
  PULUMI_LANGUAGE_NODEJS: join(pulumiTool().folder, "bin/pulumi-language-nodejs"),
});

/**
 * Makes a home of Pulumi with the installed CLI and plugins, and the same language host: `npx pulumi` takes the one beside the CLI, whatever is on PATH.
 */
export function makePulumiHome(home: string): void {
  const { folder, version } = pulumiTool();
  const [from, to] = [join(folder, "bin"), join(home, "versions", version, "bin")];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    symlinkSync(join(name === "pulumi-language-nodejs" ? join(__dirname, "host") : from, name), join(to, name));
  }
  const plugins = join(folder, "../../plugins");
  mkdirSync(plugins, { recursive: true });
  symlinkSync(plugins, join(home, "plugins"));
}

function pulumiProgram(binary: string, version: string, path: string, main: string, goVersion: string): Program {
  const module = `${modules}/${path}`;
  const definition = `${modules}/sdk/v3/go/common/version.Version=${version}`;
  return { binary, source: { module, version, package: `${module}/${main}`, goVersion, definition } };
}
