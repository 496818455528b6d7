/** Bounds of histograms: buckets of SDKs with OpenTelemetry's default bounds and of those with the conventions' are added. */
import { describe, expect, it } from "vitest";
import { type Bounds, boundSteps, databaseBounds, firstTokenBounds, requestBounds, withoutDropped } from "../../../src/signals/bounds";

/** OpenTelemetry's default, which is made for milliseconds. */
const defaults = ["0", "5", "10", "25", "50", "75", "100", "250", "500", "750", "1000", "2500", "5000", "7500", "10000"];
/** The conventions' for durations of requests. */
const requests = Array.from({ length: 14 }, (_, index) => String(2 ** index / 100));
/** The conventions' for the first token, as OpenLIT has them, and for databases. */
const tokens = ["0.001", "0.005", "0.01", "0.02", "0.04", "0.06", "0.08", "0.1", "0.25", "0.5", "0.75", "1", "2.5", "5", "7.5", "10"];
const databases = ["0.001", "0.005", "0.01", "0.05", "0.1", "0.5", "1", "5", "10"];

/** The bounds of a histogram as a percentile reads them, by those of an SDK. */
function readBounds(bounds: Bounds, of: readonly string[], spelling = (bound: string) => bound): [from: number, to: number][] {
  const dropped = new RegExp(`^(?:${/^le!~"(.*)"$/.exec(withoutDropped(bounds))?.[1]})$`);
  const steps = boundSteps(bounds).map((step) => /^"bound", "(.*)", "le", "(.*)"$/.exec(step) as unknown as [string, string, string]);
  return of.flatMap((bound): [number, number][] => {
    const le = spelling(bound);
    if (dropped.test(le)) return [];
    const [to] = steps
      .flatMap(([, value, pattern]) => {
        const match = new RegExp(`^(?:${pattern})$`).exec(le);
        return match ? [value.replace("$1", match[1] ?? "")] : [];
      })
      .slice(-1);
    return [[Number(bound), Number(to)]];
  });
}

describe.each<[string, Bounds, string[][]]>([
  ["requests", requestBounds, [requests, defaults]],
  ["the first token", firstTokenBounds, [requests, tokens, defaults]],
  ["databases", databaseBounds, [databases, defaults]],
])("bounds of %s", (_name, bounds, layouts) => {
  it("never move down: no request seems to be faster than it was", () => {
    for (const layout of layouts) for (const [from, to] of readBounds(bounds, layout)) expect(to).toBeGreaterThanOrEqual(from);
  });

  it("are those of the first layout, to the highest one that all SDKs have: cumulative counts never decrease", () => {
    const [own = [], ...others] = layouts.map((layout) => readBounds(bounds, layout).map(([, to]) => to));
    const highest = Math.max(...own);
    for (const other of others) {
      for (const to of other) if (to !== 0) expect(own).toContain(to);
      const copied = (bounds.copied ?? []).map(([, to]) => Number(to));
      const all = [...other, ...copied];
      // Above the lowest bound of the other SDK that is not 0, it has each bound.
      const lowest = Math.min(...other.filter((to) => to > 0));
      expect(own.filter((to) => to >= lowest && to <= highest && !all.includes(to))).toEqual([]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it("are the same for 5 and 5.0, as Prometheus 3 writes it", () => {
    const spelled = (bound: string) => (bound.includes(".") ? bound : `${bound}.0`);
    for (const layout of layouts) expect(readBounds(bounds, layout, spelled)).toEqual(readBounds(bounds, layout));
  });
});
