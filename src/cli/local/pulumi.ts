/** The Pulumi CLI on the stack of a local run: a file backend in a folder of its own, nothing of the user's own Pulumi account. */
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { run } from "../run";

export const stack = "local";

/** The passphrase with which the secrets of Pulumi.local.yaml are encrypted; they are worth nothing outside of the sandbox. */
const passphrase = "local";

const cli = require.resolve("pulumi/run.js");

export class LocalPulumi {
  private readonly backend: string;

  constructor(folder: string) {
    this.backend = join(folder, "backend");
    mkdirSync(this.backend, { recursive: true });
  }

  /** The environment in which `npx pulumi` sees the local stack, as a shell would set it. */
  exports(): string {
    return `export PULUMI_BACKEND_URL="file://$PWD/${relative(process.cwd(), this.backend)}" PULUMI_CONFIG_PASSPHRASE=${passphrase}`;
  }

  /** Runs a command on the stack for the user to watch, naming it as they would type it. */
  async show(...args: string[]): Promise<void> {
    console.log(`\n$ npx pulumi ${args.join(" ")} --stack ${stack}\n`);
    await this.execute([...args, "--stack", stack], true);
  }

  /** Runs a command and returns the JSON that it prints. */
  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.execute([...args, "--json"], false)) as T;
  }

  async exists(): Promise<boolean> {
    const stacks = await this.json<{ name: string }[]>("stack", "ls");
    return stacks.some(({ name }) => name === stack);
  }

  private execute(args: string[], inherit: boolean): Promise<string> {
    const env = {
      ...process.env,
      PULUMI_BACKEND_URL: `file://${this.backend}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    return run(process.execPath, [cli, ...args], { inherit, env });
  }
}
