/** The gateway's samples of successful calls: one for each metric at the end of the call (spec 2.2). */
import type { Series } from "../telemetry/service";
import { applicationOf } from "./applications";
import type { Call } from "./calls";

export const service = "gateway";

const metrics: Readonly<Record<string, (call: Call) => number>> = {
  requestDuration: ({ start, end }) => (end - start) / 1000,
  totalTokens: ({ input, output }) => input + output,
  promptTokens: ({ input }) => input,
  completionTokens: ({ output }) => output,
  usageCost: ({ cost }) => cost,
};

/** @param calls in the order of their ends */
export function gatewaySeries(calls: readonly Call[], isSilent: (time: number) => boolean): Series[] {
  const series = new Map<string, Series>();
  for (const call of calls) {
    if (call.error || isSilent(call.end)) continue;
    const { name: applicationName, environment } = applicationOf(call.application);
    const { provider: platform, model } = call.model;
    const labels = { job: service, applicationName, environment, platform, model, endpoint: `${platform}.chat.completions` };
    for (const [metric, measured] of Object.entries(metrics)) {
      const key = [metric, applicationName, model].join("\t");
      const found: Series = series.get(key) ?? { labels: { __name__: `${service}_llm_${metric}`, ...labels }, samples: [] };
      series.set(key, found);
      // Two samples of a series in the same millisecond would be one.
      const time = Math.max(call.end, (found.samples.at(-1)?.[0] ?? 0) + 1);
      found.samples.push([time, measured(call)]);
    }
  }
  return [...series.values()];
}
