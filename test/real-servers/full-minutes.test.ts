/** What full minutes leave out: both ends of a time range count from the full minute before them. No query is involved. */
import { it } from "vitest";
import { expectTable } from "../support/readme";
import { SdkLedger, type Window } from "./ledger";
import { Random } from "./telemetry/random";
import { createWorld, hour, minute } from "./telemetry/world";

const ranges = { "5 minutes": 5 * minute, "1 hour": hour, "6 hours": 6 * hour, "24 hours": 24 * hour };

it("the README has their deviation from the exact increase, of many time ranges", async () => {
  const now = Math.floor(Date.now() / hour) * hour;
  const world = createWorld(now, 20);
  const requests = (ledger: SdkLedger) => (window: Window) =>
    ledger.increase("requests", window, { applications: [], environments: [] }).get("")?.value ?? 0;
  const [exact, shown] = [requests(new SdkLedger(world, (window) => window)), requests(new SdkLedger(world))];
  const random = new Random(9);
  const rows = Object.entries(ranges).map(([name, range]) => {
    const found = Array.from({ length: 2000 }, () => {
      const to = now - random.integer(0, 3 * hour);
      const window = { from: to - range, to };
      return { exact: exact(window), deviation: Math.abs(shown(window) / exact(window) - 1) };
    }).sort((left, right) => left.deviation - right.deviation);
    const mean = found.reduce((sum, { exact }) => sum + exact, 0) / found.length;
    const deviation = (share: number) => `${((found[Math.ceil(share * found.length) - 1]?.deviation ?? 0) * 100).toPrecision(2)} %`;
    return `| ${name} | ${Math.round(mean).toLocaleString("en-US")} | ${deviation(0.5)} | ${deviation(0.95)} | ${deviation(1)} |`;
  });
  const table = ["| Time range | Requests | Median | 95 of 100 | Largest |", "|---|---|---|---|---|", ...rows].join("\n");
  expectTable("full-minutes", table, "test:truth", "test/real-servers/README.md");
});
