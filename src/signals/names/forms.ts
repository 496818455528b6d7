/** The forms of a series' name: what it is called in other namings. */
import { conventions } from "./conventions";
import type { Generation } from "./generation";
import { inference } from "./inference";
import { spec } from "./spec";
import { type HistogramPart, type Metric, type Naming, namings, seriesName } from "./translate";

/** From the oldest to the newest. */
export const generations: Readonly<Record<string, Generation>> = { spec, conventions, inference };

/** The name of a series in each naming. */
export type Forms = Readonly<Record<Naming, string>>;

const parts: readonly HistogramPart[] = ["bucket", "sum", "count"];

const formsIn = (metric: Metric, part?: HistogramPart) =>
  Object.fromEntries(namings.map((naming) => [naming, seriesName(metric, naming, part)])) as Forms;

const all = Object.values(generations)
  .flatMap(({ metrics }) => Object.values(metrics))
  .flatMap((metric) => (metric.kind === "histogram" ? parts.map((part) => formsIn(metric, part)) : [formsIn(metric)]));

/** The forms of a name, from any of them; undefined if no generation has the name. */
export const formsOf = (series: string): Forms | undefined => all.find((forms) => namings.some((naming) => forms[naming] === series));
