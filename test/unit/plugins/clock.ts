/** A clock that runs on while the stand-in for the Grafana plugin waits, and only then. */
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { clock } from "../../sandbox/plugins/grafana/client";

/** The seconds that were waited in the test so far, one by one. The clock is still for all tests of a file. */
export function stillClock(): number[] {
  const waits: number[] = [];
  let now = 0;
  beforeAll(() => {
    vi.spyOn(clock, "now").mockImplementation(() => now);
    vi.spyOn(clock, "pause").mockImplementation(async (seconds) => {
      now += seconds;
      waits.push(seconds);
    });
  });
  beforeEach(() => {
    waits.length = 0;
  });
  afterAll(() => void vi.restoreAllMocks());
  return waits;
}
