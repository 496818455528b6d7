/** Before the stories: prints which Grafana and which provider plugins they use. */
import { chosenPlugins } from "../sandbox/plugin-environment";
import { askAsAdmin, genuineUrl, isGenuine } from "./genuine";

export default async function setup(): Promise<void> {
  const grafana = isGenuine ? `Grafana ${(await askAsAdmin("/api/health")).body.version} at ${genuineUrl()}` : "the stand-in for Grafana";
  console.log(`stories: on ${grafana}, with ${chosenPlugins === "genuine" ? "the genuine plugins" : "the stand-ins for the plugins"}`);
}
