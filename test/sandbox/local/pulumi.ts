/** The Pulumi CLI for the stack of a local run, with a file backend in the run's folder. The user's Pulumi account is not used. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { parse } from "yaml";
import { CommandError, run } from "../../support/run";
import { hostEnvironment, pulumiTool } from "../../support/toolchain/pulumi";

export const stack = "local";

/** The passphrase for the secrets of Pulumi.local.yaml, which are valid only in the sandbox. */
const passphrase = "local";

// Not the wrapper `pulumi/run.js`, which Ctrl-C ends before Pulumi has released its lock.
const bin = join(pulumiTool().folder, "bin");

export class LocalPulumi {
  private readonly backend: string;

  private readonly project: string;

  /** The option for a config file that is not the project's. */
  private readonly ownConfig: readonly string[];

  /**
   * @param root the project's folder
   * @param folder the folder of the local run
   */
  constructor(
    root: string,
    folder: string,
    /** Environment variables in addition to those of this process. */
    private readonly extra: Record<string, string>,
    /** Path of the stack's config. Defaults to the project's. */
    configFile?: string,
  ) {
    this.backend = join(folder, "backend");
    mkdirSync(this.backend, { recursive: true });
    this.project = parse(readFileSync(join(root, "Pulumi.yaml"), "utf8")).name;
    this.ownConfig = configFile ? ["--config-file", configFile] : [];
    useProjectName(configFile ?? join(root, `Pulumi.${stack}.yaml`), this.project);
  }

  /** The shell command that sets the environment of the local stack for `npx pulumi`. */
  exports(): string {
    return `export PULUMI_BACKEND_URL="file://$PWD/${relative(process.cwd(), this.backend)}" PULUMI_CONFIG_PASSPHRASE=${passphrase}`;
  }

  /** Prints and runs a command on the stack, with its output in the terminal. */
  async show(...args: string[]): Promise<void> {
    console.log(`\n$ npx pulumi ${args.join(" ")} --stack ${stack}\n`);
    await this.execute([...args, "--stack", stack], { shown: true }).catch(async (error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      // Between its first line and its handler of signals, Ctrl-C kills Pulumi, and its lock stays.
      if (error.exitCode === undefined) await this.read("cancel", "--yes");
      throw new Error(`${error.command} failed: see above`);
    });
  }

  /** Runs a command on the stack and returns what it prints. */
  read(...args: string[]): Promise<string> {
    return this.execute([...args, "--stack", stack]);
  }

  /** The same for the JSON that it prints. */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.read(...args, "--json")) as T;
  }

  /** Sets a secret in the config file. */
  async setSecret(key: string, value: string): Promise<void> {
    await this.execute(["config", "set", "--secret", key, "--stack", stack, ...this.ownConfig], { input: value });
  }

  /** The stack's settings by name, including decrypted secrets. */
  async settings(): Promise<Record<string, string>> {
    const config = await this.json<Record<string, { value: string }>>("config", "--show-secrets", ...this.ownConfig);
    const own = Object.entries(config).filter(([key]) => key.startsWith(`${this.project}:`));
    return Object.fromEntries(own.map(([key, { value }]) => [key.slice(this.project.length + 1), value]));
  }

  /** Deploys the stack, with the engine's output in the terminal. */
  up(...options: string[]): Promise<void> {
    return this.show("up", "--yes", ...options, ...this.ownConfig);
  }

  async exists(): Promise<boolean> {
    const stacks = JSON.parse(await this.execute(["stack", "ls", "--json"])) as { name: string }[];
    return stacks.some(({ name }) => name === stack);
  }

  /** @param options whether the output is shown in the terminal, and the standard input */
  private execute(args: readonly string[], { shown = false, input }: { shown?: boolean; input?: string } = {}): Promise<string> {
    const env = {
      ...process.env,
      ...this.extra,
      PULUMI_BACKEND_URL: `file://${this.backend}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      ...hostEnvironment(`${bin}${delimiter}${this.extra.PATH ?? process.env.PATH}`),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    const options = { env, secretOutput: args.includes("--show-secrets"), ...(input !== undefined && { input }) };
    if (!shown) return run(join(bin, "pulumi"), args, options);
    // Pulumi would die with the reader of a pipe, such as `head`, and leave its lock.
    const output = process.stdout.isTTY ? { inherit: true } : { onOutput: (text: string) => process.stdout.write(text) };
    return run(join(bin, "pulumi"), args, { ...options, ...output });
  }
}

/** Adapts the prefix of the config keys to the name of the project, which `pulumi new` may have changed. */
function useProjectName(stackFile: string, project: string): void {
  const present = readFileSync(stackFile, "utf8");
  const wanted = present.replace(/^( {2})llm-observability:/gm, `$1${project}:`);
  if (wanted !== present) writeFileSync(stackFile, wanted);
}
