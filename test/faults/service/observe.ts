/** Drives a connection through the provider as the engine does, one `up` after another, and writes down what was to be seen. */
import { setTimeout as pause } from "node:timers/promises";
import type { Host, Properties } from "../../support/provider-host";
import type { Action, RawServer } from "../../support/raw-server";
import type { Arranged, Place } from "./arrange";

/** What the state held before the first `up`. */
export type Start = "nothing registered" | "an older registration";

/** What one `up` came to. */
interface Up {
  /** The error, undefined where there was none. */
  error: string | undefined;
  /** The properties in the state, undefined where the resource is not there. */
  state: Properties | undefined;
  /** Complete requests that were read meanwhile. */
  requests: number;
}

export interface Observed {
  /** With the fault, without it, and once more. */
  first: Up;
  second: Up;
  third: Up;
  /** What the provider printed of it during the first. */
  lines: string[];
  /** What each request of the first got for an answer. */
  answers: (Action | undefined)[];
  connections: number;
  /** Connections to those who must not be asked. */
  elsewhere: number;
}

/**
 * @param inputs of the connection, all but the service's address
 * @param hostFor the process that asks, with the environment of a place
 */
export async function observe(
  arranged: Arranged,
  start: Start,
  inputs: Properties,
  hostFor: (place: Place) => Promise<Host>,
): Promise<Observed> {
  const host = await hostFor(arranged);
  const wanted = { ...inputs, ...arranged.inputs };
  const older = {
    ...wanted,
    serviceUrl: arranged.url,
    registrationTrigger: "0",
    registeredAt: "2026-01-02T03:04:05.678Z",
    registeredConnection: "current",
  };
  const address = new URL(arranged.url).host;
  // A process of its own has no lines but ours.
  const isOurs = (line: string) => arranged.environment !== undefined || line.includes(`${address} `);
  const announced = () => host.output.split("\n").filter((line) => line.includes("retrying") && isOurs(line));
  const run = async (place: Place, state: Properties | undefined, running: Host): Promise<Up> => {
    const before = requestsAt(arranged.servers);
    const { error, outs } = await up(running, state, { ...wanted, serviceUrl: place.url });
    return { error, state: outs, requests: requestsAt(arranged.servers) - before };
  };

  const watched = arranged.meanwhile && whenever(() => announced().length > 0).then(arranged.meanwhile);
  const first = await run(arranged, start === "nothing registered" ? undefined : older, host);
  await watched;
  const answers = arranged.servers.flatMap(({ requests }) => requests.map(({ answer }) => answer));
  const connections = arranged.servers.reduce((sum, server) => sum + server.connections, 0);
  const mended = await arranged.repair();
  const healthy = mended.environment === arranged.environment ? host : await hostFor(mended);
  const second = await run(mended, first.state, healthy);
  const third = await run(mended, second.state, healthy);
  const elsewhere = (arranged.bystanders ?? []).reduce((sum, server) => sum + server.connections, 0);
  return { first, second, third, lines: announced(), answers, connections, elsewhere };
}

/** What the engine does with one resource. */
async function up(host: Host, state: Properties | undefined, news: Properties): Promise<{ error?: string; outs: Properties | undefined }> {
  try {
    const inputs = await host.check(state ?? {}, news);
    if (!state) return { outs: (await host.create(inputs)).properties };
    const change = await host.diff(state, inputs);
    if (change === "none") return { outs: state };
    return { outs: change === "update" ? await host.update(state, inputs) : (await host.create(inputs)).properties };
  } catch (error) {
    return { error: (error as { details?: string }).details ?? String(error), outs: state };
  }
}

const requestsAt = (servers: RawServer[]) => servers.reduce((sum, { requests }) => sum + requests.length, 0);

async function whenever(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(20);
}
