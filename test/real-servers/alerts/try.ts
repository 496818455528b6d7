import { startPrometheus } from "../servers";
import { pushTimeline, startFlags } from "./push";
import type { Rate } from "./stories";
import { setTimeout } from "node:timers/promises";
(async () => {
  const rate = Number(process.argv[2]) as Rate;
  const server = await startPrometheus(undefined, startFlags);
  console.log(server.prometheus);
  const start = Date.now();
  console.log(await pushTimeline(server.prometheus, 24, rate), "samples", (Date.now() - start) / 1000, "s", process.cpuUsage().user / 1e6);
  await setTimeout(3_600_000);
})();
