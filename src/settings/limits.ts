/** The limits at which alerts fire, and at which panels show a number in red. */
import type { Settings } from "../settings";

export type Limits = ReturnType<typeof limitsOf>;

/**
 * The limits in shares of requests and in seconds. The setting `alertErrorRate` is the objective of a month. At 15 times the objective
 * (`outage`), two days use up the failures of a month. Twice the objective is too much if it lasts. Histograms of first tokens end at 10 s.
 */
export const limitsOf = ({ errorRate, latency }: Pick<Settings["alerts"], "errorRate" | "latency">) => ({
  errorRate: (2 * errorRate) / 100,
  outage: (15 * errorRate) / 100,
  latency,
  firstToken: Math.min(9.9, latency / 3),
});
