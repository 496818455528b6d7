/** Child processes of the npm scripts: run to the end, stopped in order, their output at hand when they fail. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

export interface RunOptions extends Pick<SpawnOptions, "cwd" | "env"> {
  /** Called with each piece of output; without it the output is only kept for an error. */
  onOutput?: (text: string) => void;
  /** The child writes to our own terminal; nothing is captured. */
  inherit?: boolean;
  /** Text for the child's standard input. */
  input?: string;
  /** What it writes to standard output holds secrets: no error shows it. */
  secretOutput?: boolean;
}

/** A child that could not be started or did not exit with 0. */
export class CommandError extends Error {
  constructor(
    readonly command: string,
    /** Undefined where it could not be started or was killed. */
    readonly exitCode: number | undefined,
    reason: string,
    /** The end of what it wrote. */
    readonly output: string,
  ) {
    super(`${command} ${reason}${output ? `:\n${output}` : ""}`);
  }
}

/**
 * Runs a program without a shell and returns its standard output.
 *
 * @throws CommandError when it cannot be started or fails
 */
export function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd, env, onOutput, inherit, input, secretOutput = false } = options;
  const name = [program.split("/").pop(), ...args].join(" ");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: inherit ? "inherit" : "pipe" });
    const release = passSignals(child);
    let stdout = "";
    let tail = "";
    const keep = (text: string) => {
      tail = (tail + text).slice(-4000);
      onOutput?.(text);
    };
    // A character may come in two pieces: the streams put them together.
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (!secretOutput) keep(text);
    });
    child.stderr?.setEncoding("utf8").on("data", keep);
    child.stdin?.on("error", () => undefined); // A child that exits without reading its input fails by its exit code.
    child.stdin?.end(input);
    child.once("error", (error) => {
      release();
      reject(new CommandError(name, undefined, `could not be started (${(error as NodeJS.ErrnoException).code})`, ""));
    });
    child.once("close", (code, signal) => {
      release();
      if (code === 0) resolve(stdout);
      else
        reject(new CommandError(name, code ?? undefined, signal ? `was ended by ${signal}` : `failed with exit code ${code}`, tail.trim()));
    });
  });
}

/** Lets the child decide what ends it: a terminal sends Ctrl-C to both of us, anything else is passed on. Returns the way back. */
function passSignals(child: ChildProcess): () => void {
  const ignore = () => undefined;
  const passOn = () => child.kill("SIGTERM");
  process.on("SIGINT", ignore).on("SIGTERM", passOn);
  return () => process.off("SIGINT", ignore).off("SIGTERM", passOn);
}
