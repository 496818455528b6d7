/** The Pulumi CLI for the stack of a local run, with a file backend in the run's folder. The user's Pulumi account is not used. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { parse } from "yaml";
import { CommandError, run } from "../../support/run";
import { pulumiTool } from "../../support/toolchain/pulumi";

export const stack = "local";

/** The passphrase for the secrets of Pulumi.local.yaml, which are valid only in the sandbox. */
const passphrase = "local";

// Not the wrapper `pulumi/run.js`, which Ctrl-C ends before Pulumi has released its lock.
const bin = join(pulumiTool().folder, "bin");

/** A resource of the state, secrets as ciphertext. */
interface StateResource {
  type: string;
  outputs?: Record<string, unknown>;
}

export class LocalPulumi {
  private readonly backend: string;

  private readonly project: string;

  /**
   * @param root the project's folder
   * @param folder the folder of the local run
   */
  constructor(
    private readonly root: string,
    folder: string,
    /** Environment variables in addition to those of this process. */
    private readonly extra: Record<string, string>,
    /** Path of the stack's config. */
    private readonly configFile = join(root, `Pulumi.${stack}.yaml`),
  ) {
    this.backend = join(folder, "backend");
    mkdirSync(this.backend, { recursive: true });
    this.project = parse(readFileSync(join(root, "Pulumi.yaml"), "utf8")).name;
    useProjectName(this.configFile, this.project);
  }

  /** The shell command that sets the environment of the local stack for `npx pulumi`. */
  exports(): string {
    return `export PULUMI_BACKEND_URL="file://$PWD/${relative(process.cwd(), this.backend)}" PULUMI_CONFIG_PASSPHRASE=${passphrase}`;
  }

  /** Prints and runs a command on the stack, with its output in the terminal. */
  async show(...args: string[]): Promise<void> {
    console.log(`\n$ npx pulumi ${args.join(" ")} --stack ${stack}\n`);
    await this.execute([...args, "--stack", stack], true).catch(async (error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      // Between its first line and its handler of signals, Ctrl-C kills Pulumi, and its lock stays.
      if (error.exitCode === undefined) await this.execute(["cancel", "--yes", "--stack", stack], false);
      throw new Error(`${error.command} failed: see above`);
    });
  }

  /** Runs a command and returns the JSON that it prints. */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.execute([...args, "--json"], false)) as T;
  }

  /** The stack's settings by name, including decrypted secrets. */
  async settings(): Promise<Record<string, string>> {
    const config = await this.json<Record<string, { value: string }>>("config", "--show-secrets", "--stack", stack, ...this.ownConfig());
    const own = Object.entries(config).filter(([key]) => key.startsWith(`${this.project}:`));
    return Object.fromEntries(own.map(([key, { value }]) => [key.slice(this.project.length + 1), value]));
  }

  /** Sets a secret in the config file. */
  async setSecret(key: string, value: string): Promise<void> {
    await this.execute(["config", "set", "--secret", key, "--stack", stack, ...this.ownConfig()], false, value);
  }

  /** Creates the stack. */
  async init(): Promise<void> {
    await this.execute(["stack", "init", stack, "--no-select"], false);
  }

  /** Deploys the stack, with the engine's output in the terminal. */
  up(...options: string[]): Promise<void> {
    return this.show("up", "--yes", ...options, ...this.ownConfig());
  }

  /** The resources of the state. */
  async resources(): Promise<StateResource[]> {
    const text = await this.execute(["stack", "export", "--stack", stack], false);
    return (JSON.parse(text) as { deployment: { resources?: StateResource[] } }).deployment.resources ?? [];
  }

  async exists(): Promise<boolean> {
    const stacks = await this.json<{ name: string }[]>("stack", "ls");
    return stacks.some(({ name }) => name === stack);
  }

  /** The option for a config file that is not the project's. */
  private ownConfig(): string[] {
    return this.configFile === join(this.root, `Pulumi.${stack}.yaml`) ? [] : ["--config-file", this.configFile];
  }

  private execute(args: string[], shown: boolean, input?: string): Promise<string> {
    const env = {
      ...process.env,
      ...this.extra,
      PULUMI_BACKEND_URL: `file://${this.backend}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PATH: `${bin}${delimiter}${this.extra.PATH ?? process.env.PATH}`,
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    // Pulumi would die with the reader of a pipe, such as `head`, and leave its lock.
    const inherit = shown && process.stdout.isTTY;
    return run(join(bin, "pulumi"), args, {
      inherit,
      ...(shown && !inherit ? { onOutput: (text: string) => process.stdout.write(text) } : {}),
      env,
      secretOutput: args.includes("--show-secrets"),
      ...(input === undefined ? {} : { input }),
    });
  }
}

/** Adapts the prefix of the config keys to the name of the project, which `pulumi new` may have changed. */
function useProjectName(stackFile: string, project: string): void {
  const present = readFileSync(stackFile, "utf8");
  const wanted = present.replace(/^( {2})llm-observability:/gm, `$1${project}:`);
  if (wanted !== present) writeFileSync(stackFile, wanted);
}
