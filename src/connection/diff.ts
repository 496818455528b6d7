/** What a deployment changes in a connection. Pulumi stores this function in the state (`connection.ts`): it uses no other file. */
import type { dynamic } from "@pulumi/pulumi";
import type { ConnectionInputs, ConnectionOutputs } from "./provider";

/** What the state has in addition to the inputs, Pulumi's text of the provider, and two properties of version 0.1. */
const others = ["registeredAt", "__provider", "registeredConnection", "verifyConnection"];

/** A new `serviceUrl` replaces the resource. Each other change is an update: it registers again, or is only stored. */
export function diffOf(olds: ConnectionOutputs, news: ConnectionInputs): dynamic.DiffResult {
  const names = Object.keys({ ...olds, ...news }).filter((name) => !others.includes(name)) as (keyof ConnectionInputs)[];
  const changes = names.some((name) => olds[name] !== news[name]);
  return { changes, replaces: olds.serviceUrl === news.serviceUrl ? [] : ["serviceUrl"] };
}
