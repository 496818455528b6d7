/** A stack on the real engine: this repository's program, linked into a temporary folder with config and backend. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { retrySecondsVariable } from "../../src/checks/input";
import { keyDocs } from "../../src/settings";
import { pluginEnvironment } from "../sandbox/plugin-environment";
import { run } from "./run";
import { hostEnvironment, makePulumiHome, pulumiTool } from "./toolchain/pulumi";

const root = resolve(__dirname, "../..");

/** The CLI without `npx`, which would start two more processes. */
const bin = join(pulumiTool().folder, "bin");

/** The files of the repository that the engine needs, without its stack files. */
const programParts = ["Pulumi.yaml", "index.ts", "src", "package.json", "tsconfig.json", "node_modules"];

/** The project's name. A project that `pulumi new` created from this one has another name. */
export const project: string = parse(readFileSync(join(root, "Pulumi.yaml"), "utf8")).name;

/** The operations of the engine on changed resources except the stack: `update checks`, `replace prometheus`. */
export type Operations = string[];

type Step = { op: string; urn: string };

export type StateResource = { type: string; urn: string; id?: string } & Record<"inputs" | "outputs", Record<string, unknown>>;

/** Secrets that tests search for: they occur in no other text. */
export const canary = {
  serviceApiKey: "canary-service-7f3a",
  platformApiKey: "canary-platform-b81c",
  otlpToken: "canary-token-e20d",
  grafanaAuth: "canary-grafana-5d09",
  prometheusAuth: "123456:canary-prometheus-c7f1",
};

/** The secret settings. */
export const secretKeys = new Set<string>(keyDocs().flatMap(({ name, secret }) => (secret ? [name] : [])));

export class TestStack {
  readonly folder = mkdtempSync(join(tmpdir(), "llm-observability-engine-"));
  /** The environment in which the stack's commands run. */
  readonly environment: NodeJS.ProcessEnv = {
    ...process.env,
    PULUMI_HOME: join(this.folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(this.folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // The retries have separate tests.
    GRAFANA_RETRIES: "0",
    [retrySecondsVariable]: "0",
  };

  private project = project;

  /** Creates the folder without a stack. */
  constructor(private name = "test") {
    mkdirSync(join(this.folder, "backend"));
    makePulumiHome(join(this.folder, "home"));
    for (const part of programParts) symlinkSync(join(root, part), join(this.folder, part));
  }

  /** @param config undefined for a folder in which the commands of a test create the stack */
  static async create(config: Record<string, string> | undefined, name?: string): Promise<TestStack> {
    const stack = new TestStack(name);
    const plugins = pluginEnvironment();
    Object.assign(stack.environment, plugins, hostEnvironment(plugins.PATH));
    if (!config) return stack;
    await stack.pulumi("stack", "init", "--no-select");
    await stack.set(config);
    return stack;
  }

  /** Copies this stack, with changes to its config, without starting a process. */
  copy(config: Record<string, string>): TestStack {
    const copy = new TestStack(this.name);
    for (const part of ["backend", `Pulumi.${this.name}.yaml`])
      cpSync(join(this.folder, part), join(copy.folder, part), { recursive: true });
    const { PULUMI_BACKEND_URL: _backend, PULUMI_HOME: _home, ...environment } = this.environment;
    Object.assign(copy.environment, environment);
    copy.setPlain(config);
    return copy;
  }

  /** Replaces the program with another file. */
  useProgram(file: string): void {
    rmSync(join(this.folder, "index.ts"));
    symlinkSync(file, join(this.folder, "index.ts"));
  }

  /** Replaces the links with the files that Git knows, as they are now, without the tests and without packages. */
  async useCopy(): Promise<void> {
    for (const part of programParts) rmSync(join(this.folder, part));
    const copy = `git ls-files -z -- . ':!test' | tar -cf - --null -T - | tar -xf - -C ${this.folder}`;
    await run("bash", ["-euo", "pipefail", "-c", copy], { cwd: root });
    // Programs of the development packages are not to be found.
    const path = this.environment.PATH?.split(delimiter).filter((entry) => !entry.endsWith("node_modules/.bin"));
    this.environment.PATH = path?.join(delimiter);
  }

  /** Sets config values. The CLI encrypts secret settings. */
  async set(config: Record<string, string>): Promise<void> {
    const [secret, plain] = [true, false].map((isSecret) => Object.entries(config).filter(([key]) => secretKeys.has(key) === isSecret));
    this.setPlain(Object.fromEntries(plain ?? []));
    if (secret?.length) await this.pulumi("config", "set-all", ...secret.flatMap(([key, value]) => ["--secret", `${key}=${value}`]));
  }

  /** Writes values in plain text, including secret settings, without starting a process. Keeps the rest of the file, such as the salt. */
  setPlain(changed: Record<string, unknown>): void {
    const file = join(this.folder, `Pulumi.${this.name}.yaml`);
    const { config, ...rest } = parse(readFileSync(file, "utf8"));
    const values = Object.fromEntries(Object.entries(changed).map(([key, value]) => [`${this.project}:${key}`, value]));
    writeFileSync(file, stringify({ ...rest, config: { ...config, ...values } }));
  }

  unset(...keys: string[]): void {
    this.setPlain(Object.fromEntries(keys.map((key) => [key, undefined])));
  }

  async rename(name: string): Promise<void> {
    await this.pulumi("stack", "rename", name);
    this.name = name;
  }

  /** Moves the stack to another project, as Pulumi documents it and as the message of a preview says. */
  async renameProject(name: string): Promise<void> {
    await this.pulumi("stack", "rename", `organization/${name}/${this.name}`);
    const file = join(this.folder, "Pulumi.yaml");
    const text = readFileSync(file, "utf8");
    rmSync(file);
    writeFileSync(file, text.replace(`name: ${project}`, `name: ${name}`));
    this.project = name;
    const [command = ""] = /sed .*/.exec(await this.failing("preview")) ?? [];
    await this.follow(command);
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

  /** @returns the output */
  destroy(): Promise<string> {
    return this.pulumi("destroy", "--yes", "--skip-preview");
  }

  /** Runs a command that must fail, and returns its whole output. */
  async failing(...args: string[]): Promise<string> {
    const { code, output } = await this.start(...args).ended;
    if (code === 0) throw new Error(`pulumi ${args.join(" ")} was expected to fail:\n${output}`);
    return output;
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.pulumi("stack", "output", "--json", "--show-secrets"));
  }

  /** The resources in the state, with encrypted secrets. */
  async resources(): Promise<StateResource[]> {
    const { deployment } = JSON.parse(await this.pulumi("stack", "export")) as { deployment: { resources?: StateResource[] } };
    return deployment.resources ?? [];
  }

  /** All files of the backend as one text. */
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

  /** Runs an npm script as a user of the stack. */
  npm(script: string, ...args: string[]): Promise<string> {
    return run("npm", ["run", "--silent", script, "--", ...args], { cwd: this.folder, env: this.environment });
  }

  /** Runs commands of the documents or of a message, with the name of this stack, as one who confirms them does. */
  follow(commands: string): Promise<string> {
    const own = commands.replaceAll("--stack dev", `--stack ${this.name}`).replaceAll("adopt.dev", `adopt.${this.name}`);
    const env = { ...this.environment, PULUMI_SKIP_CONFIRMATIONS: "true", PULUMI_OPTION_SKIP_PREVIEW: "true" };
    return run("bash", ["-euo", "pipefail", "-c", own], { cwd: this.folder, env });
  }

  /** Starts a command like a terminal, as the leader of a process group, which a test can kill or interrupt. */
  start(...args: string[]) {
    const child = spawn(join(bin, "pulumi"), this.arguments(args), { ...this.place(), detached: true, stdio: ["ignore", "pipe", "pipe"] });
    return started(child);
  }

  private arguments(args: readonly string[]): string[] {
    return [...args, "--stack", this.name, "--non-interactive"];
  }

  /** The working directory and the environment of its commands. */
  place() {
    return { cwd: this.folder, env: { ...this.environment, ...hostEnvironment(`${bin}${delimiter}${this.environment.PATH}`) } };
  }

  private async operate(...args: string[]): Promise<Operations> {
    return operationsIn(await this.pulumi(...args, "--json"));
  }
}

type Ended = { code: number | null; signal: NodeJS.Signals | null; output: string };

/** A child process as a running command. */
export function started(child: ChildProcess) {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  }
  const ended: Promise<Ended> = once(child, "close").then(([code, signal]) => ({ code, signal, output }));
  return { pid: Number(child.pid), ended };
}

/** Of the output of a command with `--json`: one event of the engine per line. */
export function operationsIn(output: string): Operations {
  const events = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { resourcePreEvent?: { metadata: Step } });
  return describeSteps(events.flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? []));
}

/** One step stands for the several steps of a replacement. */
const countedOperations = new Set(["create", "update", "delete", "replace", "import"]);

function describeSteps(steps: readonly Step[]): Operations {
  const counting = steps.filter(({ op, urn }) => countedOperations.has(op) && !urn.includes("::pulumi:pulumi:Stack::"));
  return counting.map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`).sort();
}
