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
  /** Go release that the module asks for in its go.mod. */
  goVersion: string;
  /** The `-X` definitions of the linker, `name=value`. */
  definitions: string[];
}

/** A tool that lives in a folder of its own, complete or not there at all. */
export interface Tool {
  name: string;
  version: string;
  /** Absolute path of the tool's folder; its programs are in `bin` below it. */
  folder: string;
  /** Programs that must be there and executable. */
  binaries: string[];
  /** Program and arguments that print the version. */
  versionCommand: [string, ...string[]];
  /** The official archive and the list of SHA-256 sums that covers it. */
  download: { archive: string; checksums: string };
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
