/** Where pictures are drawn: servers with the telemetry of the made-up company, the built page and a browser. */
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Browser, drawPage, findChromium, startChromium } from "../../view/browser";
import { buildView } from "../../view/build";
import type { DashboardFile } from "../../view/reading/file";
import { startServers } from "../servers";
import { pushWorld } from "../telemetry/push";
import { companyWorld } from "../world/company";
import { readDashboard, telemetryTime } from "./data";

/** Pixels: of a dashboard, or of two at half their size. */
const width = 1600;

export interface Studio {
  /** The data of a dashboard's panels. Each model has its own: a changed query is sent as it is. */
  read(model: DashboardModel): Promise<DashboardFile>;
  /** @param data the data of the page: see `main.tsx` of the view */
  draw(data: Record<string, unknown>): Promise<Buffer>;
}

/** Starts the servers and the browser, and stops both after `work`. */
export async function inStudio<T>(work: (studio: Studio) => Promise<T>): Promise<T> {
  // Before anything takes time.
  findChromium();
  const folder = await buildView();
  progress("starting Prometheus, Loki and Tempo");
  const servers = await startServers();
  let browser: Browser | undefined;
  try {
    const until = telemetryTime(Date.now());
    progress("sending a day of telemetry");
    await pushWorld(companyWorld(until), servers);
    browser = await startChromium();
    const opened = browser;
    return await work({
      read: (model) => readDashboard(model, until, servers),
      draw: (data) => drawPage(opened, folder, data, width),
    });
  } finally {
    await browser?.close();
    await servers.stop();
  }
}

export const progress = (text: string) => console.log(`pictures: ${text} …`);
