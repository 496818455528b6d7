/** Ends an operation that would change Grafana in spite of a problem. */
import { setImmediate as nextTurn } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { driftVariable } from "./drift";
import { describeExisting, type FoundResource } from "./problems";

/** A resource that is never created: its check fails. */
class Refusal extends pulumi.dynamic.Resource {
  private static count = 0;

  constructor(problem: string) {
    const check = async (_olds: unknown, news: { problem: string }) => ({ failures: [{ property: "", reason: news.problem }] });
    const provider = { check, create: async () => ({ id: "" }) };
    super(provider, `preflight-${++Refusal.count}`, { problem }, {}, "llm-observability", "Grafana");
  }
}

/**
 * Fails a preview or an update with one message, if there are problems. A program does not know which operation runs it. But `destroy` and `refresh`
 * with `--run-program`, and `up --target`, neither check nor create other resources that are not in the state: they continue with a warning.
 */
export async function refuse(problems: readonly string[]): Promise<void> {
  if (problems.length === 0) return;
  const problem = problems.join("\n\n");
  const isReport = pulumi.runtime.isDryRun() && process.env[driftVariable];
  if (!isReport) await new Promise((resolve) => new Refusal(problem).urn.apply(resolve));
  await pulumi.log.warn(problem);
}

/** Refuses a preview that would create a resource that Grafana has: the update would fail late, with a status only. `declared`: all resources. */
export async function refuseExisting(found: readonly FoundResource[], declared: readonly pulumi.Resource[]): Promise<void> {
  if (!pulumi.runtime.isDryRun()) return;
  // In a preview, only a resource that is in the state or is imported has an id.
  const ids: string[] = [];
  for (const resource of declared) if (pulumi.CustomResource.isInstance(resource)) resource.id.apply((id) => ids.push(`:${id}`));
  await new Promise((resolve) => pulumi.all(declared.map(({ urn }) => urn)).apply(resolve));
  await nextTurn();
  const created = found.filter(({ id }) => !ids.some((known) => known.endsWith(`:${id}`)));
  await refuse(created.length > 0 ? [describeExisting(created, pulumi.getStack())] : []);
}
