/** Runs commands as a person does, and searches all that they say and every process that they start for secrets. */
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { pulumiTool } from "../../../src/cli/toolchain/tools";
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

  /** A command of the Pulumi CLI that succeeds. */
  pulumi(...args: string[]): Promise<string> {
    return this.execute(args, { program: join(bin, "pulumi"), further: onStack });
  }

  /** One that fails. */
  failing(...args: string[]): Promise<string> {
    return this.execute(args, { program: join(bin, "pulumi"), further: onStack, fails: true });
  }

  /** One of the project's scripts. */
  npm(...args: string[]): Promise<string> {
    return this.execute(["run", "--silent", ...args], { program: "npm" });
  }

  /** One that fails. */
  failingNpm(...args: string[]): Promise<string> {
    return this.execute(["run", "--silent", ...args], { program: "npm", fails: true });
  }

  /** The checks of a deployment, told by variables; they fail. */
  failingChecks(environment: Record<string, string>): Promise<string> {
    return this.execute(["-r", "./src/load.cjs", "src/checks/main.ts"], { program: process.execPath, environment, fails: true });
  }

  /** None is on the command line of a process that was started so far, and one that were would be seen. */
  noneOnCommandLines(place: string): Promise<void> {
    return this.evidence.noneOfProcesses(`command lines, ${place}`, this.processes, async (texts) => {
      // It lives long enough to be seen by any means.
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
 * The SDK's debug messages stand in what `up --json` and the like print, whether or not somebody asked for them, and the engine hides secrets there
 * only as they were typed. No option keeps them out: the README warns of it.
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
