/** The SDKs of today: their resources, and the points of metrics that they record of a call. */
import type { Attributes, Point } from "./instruments";
import {
  conventionsModel,
  duration,
  environment,
  inferenceModel,
  openlitModel,
  openlitOperation,
  openllmetryModel,
  tokens,
} from "./points";
import type { Call, ModelCall, Process } from "./world";

export type SdkName = "openlit" | "openlit-node" | "contrib" | "openllmetry" | "inference" | "both" | "agento11y";

export interface Sdk {
  /** Attributes of the resource in addition to those of all. */
  resource(process: Process): Attributes;
  points(call: Call): Point[];
  /** Whether its histograms have the SDK's default bounds. */
  defaultBounds?: true;
}

/** Calls other than those to models, by the conventions. */
const others = (call: Call, ofModel: (call: ModelCall) => Point[]) => (call.kind === "model" ? ofModel(call) : [duration(call)]);
const provider = ({ model }: ModelCall) => ({ "gen_ai.provider.name": model.provider });

export const sdks: Record<SdkName, Sdk> = {
  openlit: {
    resource: (process) => ({
      "telemetry.sdk.name": "openlit",
      ...environment("deployment.environment", process),
      ...environment("deployment.environment.name", process),
    }),
    points: (call) => (call.kind === "model" ? openlitModel(call) : openlitOperation(call)),
  },
  /** Failed calls are spans only. */
  "openlit-node": {
    resource: (process) => ({ "telemetry.sdk.name": "openlit", ...environment("deployment.environment", process) }),
    points: (call) => {
      if (call.kind !== "model" || call.error) return [];
      const points = openlitModel(call);
      return call.firstToken === undefined ? points.filter(({ metric }) => metric !== "gen_ai.server.time_to_first_token") : points;
    },
  },
  /** OpenTelemetry's own: the provider's old name, no tokens of streamed calls. */
  contrib: {
    resource: (process) => environment("deployment.environment.name", process),
    points: (call) =>
      others(call, (made) =>
        conventionsModel(made, { "gen_ai.system": made.model.provider }, made.firstToken === undefined ? tokens(made) : []),
      ),
  },
  openllmetry: {
    resource: (process) => environment("deployment.environment", process),
    points: (call) => others(call, openllmetryModel),
    defaultBounds: true,
  },
  inference: { resource: (process) => environment("deployment.environment.name", process), points: (call) => others(call, inferenceModel) },
  both: {
    resource: (process) => environment("deployment.environment.name", process),
    points: (call) =>
      others(call, (made) => {
        // No series has the same labels by both names.
        const points = conventionsModel(made, { "gen_ai.system": made.model.provider });
        const [{ attributes } = { attributes: {} }] = points;
        const first = made.firstToken === undefined ? [] : [made.firstToken];
        const chunks = first.map((value): Point => ({ metric: "gen_ai.client.operation.time_to_first_chunk", value, attributes }));
        return [...points, ...chunks, ...inferenceModel(made)];
      }),
  },
  /** Grafana's. Cached and reasoning tokens are types of their own, and parts of the others. */
  agento11y: {
    resource: (process) => environment("deployment.environment.name", process),
    points: (call) =>
      others(call, (made) => {
        const parts: [string, number][] = [
          ["cache_read", made.cachedTokens],
          ["reasoning", Math.floor((made.outputTokens ?? 0) / 3)],
        ];
        const points = conventionsModel(made, provider(made), [...tokens(made), ...(made.error ? [] : parts)]);
        const [{ attributes } = { attributes: {} }] = points;
        const first = made.firstToken === undefined ? [] : [made.firstToken];
        return [...points, ...first.map((value): Point => ({ metric: "gen_ai.server.time_to_first_token", value, attributes }))];
      }),
  },
};
