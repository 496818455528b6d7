/** A raw server that ends with its test, and what it has received. */
import { onTestFinished } from "vitest";
import { type RawRequest, type RawServer, startRawServer } from "../support/raw-server";

export async function serve(...[script, options]: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(script, options);
  onTestFinished(() => server.close());
  return server;
}

/** A header of a request, in any case; undefined if it has none. */
export const headerOf = (request: Pick<RawRequest, "headers"> | undefined, wanted: string) =>
  request?.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
