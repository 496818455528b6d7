/** The run of one test file: an organization, stand-ins for the other servers, and stacks. */
import { afterAll, beforeAll } from "vitest";
import { Sandbox } from "../support/sandbox";
import { TestStack } from "../support/stack";
import { genuineGrafana, Organization, type Token } from "./grafana";

export class Run {
  private readonly stacks: TestStack[] = [];

  private constructor(
    readonly org: Organization,
    readonly token: Token,
    /** The service and the backends; its Grafana is not used. */
    readonly sandbox: Sandbox,
  ) {}

  static async start(): Promise<Run> {
    const org = await Organization.create();
    return new Run(org, await org.token("Admin"), await Sandbox.start());
  }

  /** A complete config with names and uids of this run. Failed checks only warn, since this Grafana may not reach the backends. */
  config(): Record<string, string> {
    const { run } = this.org;
    return {
      ...this.sandbox.config(),
      grafanaUrl: genuineGrafana().url,
      grafanaAuth: this.token.key,
      service: `llmobs_${run}`,
      folderUid: `folder-${run}`,
      folderTitle: `LLM Observability ${run}`,
      prometheusUid: `prometheus-${run}`,
      lokiUid: `loki-${run}`,
      tempoUid: `tempo-${run}`,
      genaiDashboardUid: `genai-${run}`,
      otelDashboardUid: `otel-${run}`,
      checks: "warn",
    };
  }

  /** Uids of the folder, the datasources and the dashboards of `config`, sorted as `Organization.contents` has them. */
  uids(): string[] {
    const { run } = this.org;
    const uids = ["folder", "prometheus", "loki", "tempo", "genai", "otel"].map((name) => `${name}-${run}`);
    return [...uids, `llmobs_${run}-llm-monitoring`].sort();
  }

  /** A stack with the plugins that the engine finds. */
  async stack(config: Record<string, string>, name?: string): Promise<TestStack> {
    const stack = await TestStack.create(config, name, {});
    this.stacks.push(stack);
    return stack;
  }

  async end(): Promise<void> {
    for (const stack of this.stacks) stack.remove();
    await this.sandbox.stop();
    await this.org.remove();
  }
}

/** Starts a run before a file's tests and ends it after them. */
export function setUp(receive: (run: Run) => void | Promise<void>): void {
  let run: Run | undefined;
  beforeAll(async () => {
    run = await Run.start();
    await receive(run);
  });
  afterAll(() => run?.end());
}
