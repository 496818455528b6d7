/** A stack of its own on the real engine: this repository's program, linked into a temporary folder that holds config and backend. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { patienceVariable } from "../../src/checks/input";
import { CommandError, run } from "../../src/cli/run";
import { pulumiTool } from "../../src/cli/toolchain/tools";
import { describeKeys } from "../../src/settings";
import { pluginEnvironment } from "../sandbox/plugin-environment";

const root = resolve(__dirname, "../..");

/** Where `npx pulumi` finds the programs too, at the price of two more processes. */
const bin = join(pulumiTool().folder, "bin");

/** All that the engine needs of the repository. Its stack files stay out: each test stack has its own. */
const programParts = ["Pulumi.yaml", "index.ts", "src", "package.json", "tsconfig.json", "node_modules"];

/** The project's name: a project that `pulumi new` made from this one has its own. */
export const project: string = parse(readFileSync(join(root, "Pulumi.yaml"), "utf8")).name;

/** The key of a value that the engine keeps secret, in place of the value. */
const secretMark = "4dabf18193072939515e22adb298388d";

/** What the engine does to resources, the stack itself apart: `update checks`, `replace prometheus`. Unchanged ones are left out. */
export type Operations = string[];

/** A step of the engine, as far as tests read it. */
interface Step {
  op: string;
  urn: string;
}

export interface StateResource {
  type: string;
  urn: string;
  id?: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

/** Values of secrets that a test can search for: none occurs in any other text. */
export const canary = {
  serviceApiKey: "canary-service-7f3a",
  platformApiKey: "canary-platform-b81c",
  otlpToken: "canary-token-e20d",
  grafanaAuth: "canary-grafana-5d09",
  prometheusPassword: "canary-prometheus-c7f1",
};

/** Settings that are secret, whether or not a config has them. */
const secretKeys = new Set(
  describeKeys()
    .filter(({ secret }) => secret)
    .map(({ name }) => name),
);

export class TestStack {
  readonly folder = mkdtempSync(join(tmpdir(), "llm-observability-engine-"));
  /** The environment in which the stack's commands run. */
  readonly environment: NodeJS.ProcessEnv = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${join(this.folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // What is refused here stays refused: waiting for it is tested elsewhere.
    GRAFANA_RETRIES: "0",
    [patienceVariable]: "0",
  };

  /** The folder alone, without a stack in it yet. */
  constructor(private name = "test") {
    mkdirSync(join(this.folder, "backend"));
    for (const part of programParts) symlinkSync(join(root, part), join(this.folder, part));
  }

  /** @param plugins variables by which the engine finds the plugins; the stand-ins where the genuine ones cannot be had */
  static async create(config: Record<string, string>, name?: string, plugins?: Record<string, string>): Promise<TestStack> {
    const stack = new TestStack(name);
    Object.assign(stack.environment, plugins ?? (await pluginEnvironment()));
    await stack.pulumi("stack", "init", "--no-select");
    await stack.set(config);
    return stack;
  }

  /** A stack like this one was made, with config of its own: without the processes that making one takes. */
  copy(config: Record<string, string>): TestStack {
    const copy = new TestStack(this.name);
    for (const part of ["backend", `Pulumi.${this.name}.yaml`])
      cpSync(join(this.folder, part), join(copy.folder, part), { recursive: true });
    const { PULUMI_BACKEND_URL: _, ...environment } = this.environment;
    Object.assign(copy.environment, environment);
    copy.setPlain(config);
    return copy;
  }

  /** Deploys another program of this repository from now on. */
  useProgram(file: string): void {
    rmSync(join(this.folder, "index.ts"));
    symlinkSync(file, join(this.folder, "index.ts"));
  }

  /** Sets config values: those with the names of secrets as secrets, which only the CLI can encrypt. */
  async set(config: Record<string, string>): Promise<void> {
    const [secret, plain] = [true, false].map((wanted) => Object.entries(config).filter(([key]) => secretKeys.has(key) === wanted));
    this.setPlain(Object.fromEntries(plain ?? []));
    if (secret?.length) await this.pulumi("config", "set-all", ...secret.flatMap(([key, value]) => ["--secret", `${key}=${value}`]));
  }

  /** Writes values in plain, whatever their names: what `config set` writes, or an editor, without a process. */
  setPlain(config: Record<string, unknown>): void {
    this.edit((values) => {
      for (const [key, value] of Object.entries(config)) values[`${project}:${key}`] = value;
    });
  }

  /** Takes values out of the config. */
  unset(...keys: string[]): void {
    this.edit((values) => {
      for (const key of keys) delete values[`${project}:${key}`];
    });
  }

  /** The stack is known by another name from now on. */
  async rename(name: string): Promise<void> {
    await this.pulumi("stack", "rename", name);
    this.name = name;
  }

  up(...flags: string[]): Promise<Operations> {
    return this.operate("up", "--yes", "--skip-preview", ...flags);
  }

  refresh(): Promise<Operations> {
    return this.operate("refresh", "--yes", "--skip-preview");
  }

  async preview(...flags: string[]): Promise<Operations> {
    const { steps } = JSON.parse(await this.pulumi("preview", "--json", ...flags)) as { steps: Step[] };
    return describeSteps(steps);
  }

  /** The text that a person sees. */
  destroy(): Promise<string> {
    return this.pulumi("destroy", "--yes", "--skip-preview");
  }

  /** Runs a command that must fail, and returns all that it said. */
  async failing(...args: string[]): Promise<string> {
    try {
      await this.pulumi(...args);
    } catch (error) {
      if (error instanceof CommandError) return error.output;
      throw error;
    }
    throw new Error(`pulumi ${args.join(" ")} was expected to fail`);
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.pulumi("stack", "output", "--json", "--show-secrets"));
  }

  /** The resources of the state, secrets as ciphertext. */
  async resources(): Promise<StateResource[]> {
    const { deployment } = JSON.parse(await this.pulumi("stack", "export")) as { deployment: { resources?: StateResource[] } };
    return deployment.resources ?? [];
  }

  /** Everything that the backend keeps on disk, in one text. */
  stored(): string {
    const files = readdirSync(join(this.folder, "backend"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8")).join("\n");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async pulumi(...args: string[]): Promise<string> {
    return run(join(bin, "pulumi"), this.arguments(args), this.place());
  }

  /** Starts a command as a terminal does, as the head of a process group of its own: to be killed or interrupted. */
  start(...args: string[]): Started {
    const child = spawn(join(bin, "pulumi"), this.arguments(args), { ...this.place(), detached: true, stdio: ["ignore", "pipe", "pipe"] });
    return started(child);
  }

  private arguments(args: readonly string[]): string[] {
    return [...args, "--stack", this.name, "--non-interactive"];
  }

  /** Where its commands run, and in which environment. */
  place() {
    return { cwd: this.folder, env: { ...this.environment, PATH: `${bin}${delimiter}${this.environment.PATH}` } };
  }

  /** Changes the values in the stack's file and leaves the rest of it alone, the encryption's salt above all. */
  private edit(change: (values: Record<string, unknown>) => void): void {
    const file = join(this.folder, `Pulumi.${this.name}.yaml`);
    const { config = {}, ...rest } = parse(readFileSync(file, "utf8"));
    change(config);
    writeFileSync(file, stringify({ ...rest, config }));
  }

  /** With `--json` these commands print the engine's events, one a line. */
  private async operate(...args: string[]): Promise<Operations> {
    const lines = (await this.pulumi(...args, "--json")).trim().split("\n");
    const events = lines.map((line) => JSON.parse(line) as { resourcePreEvent?: { metadata: Step } });
    return describeSteps(events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []));
  }
}

/** A command that was started and can be ended. */
export interface Started {
  pid: number;
  ended: Promise<Ended>;
}

/** How a command ended, and all that it said. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** What a test has in hand of a process. */
export function started(child: ChildProcess): Started {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, output }));
  return { pid: Number(child.pid), ended };
}

/** A replacement comes in several steps; one of them stands for all. */
const operationsThatCount = new Set(["create", "update", "delete", "replace", "import"]);

function describeSteps(steps: readonly Step[]): Operations {
  const counting = steps.filter(({ op, urn }) => operationsThatCount.has(op) && !urn.includes("::pulumi:pulumi:Stack::"));
  return counting.map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`).sort();
}

/** Whether the state keeps a value as a secret. */
export function isSecretInState(value: unknown): boolean {
  return typeof value === "object" && value !== null && secretMark in value;
}
