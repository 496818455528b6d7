/** A clock for tests of the stand-in for the Grafana plugin: only its waits advance the time. */
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { clock } from "../../sandbox/plugins/grafana/client";

/** Replaces the clock for all tests of a file. Returns the waits of the current test, in seconds. */
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
