/** OTLP as JSON: what requests of metrics and of spans have in common. */
import type { Process } from "../world/world";
import type { Attributes } from "./instruments";
import { environments } from "./points";
import { sdks } from "./sdks";
import { sdkName } from "./spec-sdk";

export const scope = { name: "made.up" };

export const attributesIn = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || Number.isNaN(value) ? [] : [{ key, value: valueIn(value) }],
  );

function valueIn(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
}

/** The resource of all telemetry of a process. */
export const resourceOf = (process: Process) => ({
  attributes: attributesIn({
    "telemetry.sdk.name": sdks[process.sdk].labelled || sdks[process.sdk].spec ? sdkName : "opentelemetry",
    "telemetry.sdk.language": "python",
    "service.name": process.application,
    "service.version": process.version,
    "service.instance.id": process.instance,
    ...environments(sdks[process.sdk].environment, process),
  }),
});

export function inBatches<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, batch) => values.slice(batch * size, (batch + 1) * size));
}
