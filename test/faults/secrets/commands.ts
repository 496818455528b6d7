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

  /** Runs a command of the Pulumi CLI on the stack. */
  pulumi(...args: string[]): Promise<string> {
    return this.execute(false, join(bin, "pulumi"), ...args, ...onStack);
  }

  /** One that must fail. */
  failing(...args: string[]): Promise<string> {
    return this.execute(true, join(bin, "pulumi"), ...args, ...onStack);
  }

  /** Runs a script of the project. */
  npm(...args: string[]): Promise<string> {
    return this.execute(false, "npm", "run", "--silent", ...args);
  }

  /** One that must fail. */
  failingNpm(...args: string[]): Promise<string> {
    return this.execute(true, "npm", "run", "--silent", ...args);
  }

  /** Expects no secret on the command line of any process, and that the search would find one. */
  noneOnCommandLines(place: string): Promise<void> {
    return this.evidence.noneOfProcesses(`command lines, ${place}`, this.processes, async (texts) => {
      // Runs long enough to be found.
      return (await watch("sh", ["-c", "sleep 0.2; :", ...texts], {})).processes;
    });
  }

  private async execute(fails: boolean, program: string, ...args: string[]): Promise<string> {
    const env = { ...this.environment, PATH: `${bin}${delimiter}${this.environment.PATH}` };
    const { said, failed, processes } = await watch(program, args, { cwd: this.folder, env });
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

const onStack = ["--stack", "test", "--non-interactive"];
