/** Telemetry of the service for the benchmark. */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Labels } from "../telemetry/service";
import { batch, type DataSet, day, environments, models, numbered, type Size } from "./data";

/** Applications, each with two environments and five models: with five metrics, 300 series. */
const serviceApplications = 6;
/** Samples per day at full density: one for each request and metric. */
const serviceSamplesPerDay = 1_000_000;
const serviceMetrics = ["requestDuration", "totalTokens", "promptTokens", "completionTokens", "usageCost"];

/** Telemetry of the service, for "LLM Monitoring": one sample for each request and metric. */
export function serviceData(service: string, now: number, { days, density }: Size): DataSet {
  const labels = numbered(serviceApplications, "app").flatMap((applicationName) =>
    environments.flatMap((environment) =>
      models.map(([model, platform, endpoint]): Labels => ({ job: service, applicationName, environment, model, platform, endpoint })),
    ),
  );
  const requests = Math.round((serviceSamplesPerDay * density * days) / serviceMetrics.length);
  const from = now - days * day;
  return {
    series: labels.length * serviceMetrics.length,
    from,
    rules: [],
    *batches() {
      const random = xoroshiro128plus(1);
      const distance = (now - from) / requests;
      let number = 0;
      for (let start = from; start < now; start += batch) {
        const samples = labels.map((): [number, number][][] => serviceMetrics.map(() => []));
        for (; number < requests && from + number * distance < start + batch; number += 1) {
          // The series take turns in slightly random order; none has two samples at one time.
          const time = Math.floor(from + (number + 1) * distance);
          const which = (number + (uniformInt(random, 0, 3) === 0 ? 7 : 0)) % labels.length;
          const tokens = uniformInt(random, 50, 2000);
          const values = [tokens / 400, tokens * 1.5, tokens, tokens / 2, tokens / 1e5];
          for (const [metric, value] of values.entries()) samples[which]?.[metric]?.push([time, value]);
        }
        yield labels.flatMap((each, which) =>
          serviceMetrics.flatMap((metric, index) => {
            const found = samples[which]?.[index] as [number, number][];
            return found.length > 0 ? [{ labels: { __name__: `${service}_llm_${metric}`, ...each }, samples: found }] : [];
          }),
        );
      }
      return undefined;
    },
  };
}
