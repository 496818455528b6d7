/** The stand-in for the Grafana plugin with a server that has a list of answers. */
import { onTestFinished } from "vitest";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { answer, type RawServer, startRawServer } from "../../support/raw-server";
import { Plugin } from "./plugin";

/** Answers by method and path. The last one is repeated. */
export type Answers = Record<string, [status: number, body: string, type?: string][]>;

/** Starts both until the test ends. The plugin has a token. */
export async function against(answers: Answers): Promise<{ plugin: Plugin; server: RawServer }> {
  const left = structuredClone(answers);
  const server = await startRawServer([
    ({ method, path }) => {
      const list = left[`${method} ${path}`] ?? [];
      const [status = 404, body = '{"message":"nothing here"}', type = "application/json"] =
        (list.length > 1 ? list.shift() : list[0]) ?? [];
      return answer(status, body, { "Content-Type": type });
    },
  ]);
  const plugin = await Plugin.start(grafana, { url: server.url, auth: "token" });
  onTestFinished(async () => {
    plugin.stop();
    await server.close();
  });
  return { plugin, server };
}
