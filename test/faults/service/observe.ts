/** Runs `up` three times for a connection, with the provider calls of the engine, and records the results. */
import { setTimeout as pause } from "node:timers/promises";
import type { Host, Properties } from "../../support/provider-host";
import type { Action, RawServer } from "../../support/raw-server";
import type { Arranged, Place } from "./arrange";

/** The state before the first `up`. */
export type Start = "nothing registered" | "an older registration";

/** The result of one `up`. */
interface Up {
  error: string | undefined;
  /** The properties in the state; undefined if it does not contain the resource. */
  state: Properties | undefined;
  /** The number of complete requests. */
  requests: number;
}

export interface Observed {
  /** With the fault, after the repair, and once more. */
  first: Up;
  second: Up;
  third: Up;
  /** The announced retries of the first `up`. */
  lines: string[];
  /** The responses to the requests of the first `up`. */
  answers: (Action | undefined)[];
  connections: number;
  /** Connections to servers that must receive none. */
  elsewhere: number;
}

/**
 * @param inputs the connection's inputs except the service's address
 * @param hostFor returns the client process with the environment of a place
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
  // The process with a special environment has no other lines.
  const isForThis = (line: string) => arranged.environment !== undefined || line.includes(`${address} `);
  const announced = () => host.output.split("\n").filter((line) => line.includes("retrying") && isForThis(line));
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
  const repaired = await arranged.repair();
  const healthy = repaired.environment === arranged.environment ? host : await hostFor(repaired);
  const second = await run(repaired, first.state, healthy);
  const third = await run(repaired, second.state, healthy);
  const elsewhere = (arranged.bystanders ?? []).reduce((sum, server) => sum + server.connections, 0);
  return { first, second, third, lines: announced(), answers, connections, elsewhere };
}

/** The calls of the engine for one resource. */
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
