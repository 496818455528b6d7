/** Runs commands as a user does, and searches their output and the command lines of their processes for secrets. */
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { pulumiTool } from "../../support/toolchain/pulumi";
import type { Evidence } from "./evidence";
import { watch } from "./processes";

const bin = join(pulumiTool().folder, "bin");

export class Commands {
  /** The command lines of all processes so far. */
  private processes = "";

  constructor(
    private readonly evidence: Evidence,
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Runs a command of the Pulumi CLI that succeeds. */
  pulumi(...args: string[]): Promise<string> {
    return this.execute(args, { program: join(bin, "pulumi"), further: onStack });
  }

  /** One that fails. */
  failing(...args: string[]): Promise<string> {
    return this.execute(args, { program: join(bin, "pulumi"), further: onStack, fails: true });
  }

  /** Runs a script of the project that succeeds. */
  npm(...args: string[]): Promise<string> {
    return this.execute(["run", "--silent", ...args], { program: "npm" });
  }

  /** One that fails. */
  failingNpm(...args: string[]): Promise<string> {
    return this.execute(["run", "--silent", ...args], { program: "npm", fails: true });
  }

  /** Runs the checks of a deployment, with input from environment variables; they fail. */
  failingChecks(environment: Record<string, string>): Promise<string> {
    return this.execute(["-r", "./src/load.cjs", "src/checks/main.ts"], { program: process.execPath, environment, fails: true });
  }

  /** Expects no secret on the command line of any process, and that the search would find one. */
  noneOnCommandLines(place: string): Promise<void> {
    return this.evidence.noneOfProcesses(`command lines, ${place}`, this.processes, async (texts) => {
      // Runs long enough to be found.
      return (await watch("sh", ["-c", "sleep 0.2; :", ...texts], {})).processes;
    });
  }

  private async execute(args: readonly string[], { program, further = [], environment, fails = false }: Command): Promise<string> {
    const env = { ...this.environment, PATH: `${bin}${delimiter}${this.environment.PATH}`, ...environment };
    const { said, failed, processes } = await watch(program, [...args, ...further], { cwd: this.folder, env });
    const shown = `${program.split("/").at(-1)} ${args.join(" ")}`;
    expect(failed, `${shown}\n${said}`).toBe(fails);
    this.evidence.none(shown, withoutDebug(said));
    this.processes += processes;
    return said;
  }
}

/**
 * The output of `up --json` and similar commands always contains the SDK's debug messages, and the engine redacts secrets there only in their
 * original form. No option removes them: SECURITY.md warns about it.
 */
const withoutDebug = (said: string) =>
  said
    .split("\n")
    .filter((line) => !/^\{"sequence".*"severity":"debug"\}\}$/.test(line))
    .join("\n");

interface Command {
  program: string;
  further?: readonly string[];
  environment?: Record<string, string>;
  fails?: boolean;
}

const onStack = ["--stack", "test", "--non-interactive"];
