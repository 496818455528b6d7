/** What a deployment changes in a connection. Pulumi stores these functions in the state (`connection.ts`): they use no other file. */
import type { dynamic } from "@pulumi/pulumi";
import type { ConnectionInputs, ConnectionOutputs } from "./provider";

/** What the state has in addition to the inputs, and Pulumi's text of the provider. */
const others = ["registeredAt", "__provider"];

/**
 * A new `serviceUrl` replaces the resource. Each other change is an update: it registers again, or only stores what the next request needs.
 */
export function diffOf(olds: ConnectionOutputs, news: ConnectionInputs): dynamic.DiffResult {
  const names = Object.keys({ ...olds, ...news }).filter((name) => !others.includes(name)) as (keyof ConnectionInputs)[];
  const changes = names.some((name) => olds[name] !== news[name]);
  return { changes, replaces: olds.serviceUrl === news.serviceUrl ? [] : ["serviceUrl"] };
}
