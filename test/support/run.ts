/** Runs child processes, with their output in the error if they fail. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

export interface RunOptions extends Pick<SpawnOptions, "cwd" | "env"> {
  /** Called with each chunk of output. */
  onOutput?: (text: string) => void;
  /** Whether the child writes to the terminal. Nothing is captured then. */
  inherit?: boolean;
  /** The child's standard input. */
  input?: string;
  /** Whether standard output contains secrets. Errors omit it then. */
  secretOutput?: boolean;
}

/** A process that did not start or did not exit with 0. */
export class CommandError extends Error {
  constructor(
    readonly command: string,
    /** Undefined if the process did not start or was killed. */
    readonly exitCode: number | undefined,
    reason: string,
    /** The last 4,000 characters of the output. */
    readonly output: string,
  ) {
    super(`${command} ${reason}${output ? `:\n${output}` : ""}`);
  }
}

/**
 * Runs a program without a shell and returns its standard output.
 *
 * @throws CommandError if it does not start or fails
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
    // Decodes characters that are split over two chunks.
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (!secretOutput) keep(text);
    });
    child.stderr?.setEncoding("utf8").on("data", keep);
    child.stdin?.on("error", () => undefined); // The child may exit without reading its input.
    child.stdin?.end(input);
    child.once("error", (error) => {
      release();
      reject(new CommandError(name, undefined, `did not start (${(error as NodeJS.ErrnoException).code})`, ""));
    });
    child.once("close", (code, signal) => {
      release();
      const reason = signal ? `was killed by ${signal}` : `failed with exit code ${code}`;
      if (code === 0) resolve(stdout);
      else reject(new CommandError(name, code ?? undefined, reason, tail.trim()));
    });
  });
}

/** Lets the child handle signals: a terminal sends Ctrl-C to both processes, SIGTERM is forwarded. Returns a function that stops this. */
function passSignals(child: ChildProcess): () => void {
  const ignore = () => undefined;
  const passOn = () => child.kill("SIGTERM");
  process.on("SIGINT", ignore).on("SIGTERM", passOn);
  return () => process.off("SIGINT", ignore).off("SIGTERM", passOn);
}
