/** The forms of a series' name: what it is called in other namings. */
import { conventions } from "../signals/names/conventions";
import { inference } from "../signals/names/inference";
import { spec } from "../signals/names/spec";
import { type HistogramPart, type Metric, type NameSet, type Naming, namings, seriesName } from "../signals/names/translate";

/** From the oldest to the newest. */
export const nameSets: Readonly<Record<string, NameSet>> = { spec, conventions, inference };

const formsIn = (metric: Metric, part?: HistogramPart) =>
  Object.fromEntries(namings.map((naming) => [naming, seriesName(metric, naming, part)])) as Record<Naming, string>;

const all = Object.values(nameSets)
  .flatMap(({ metrics }) => Object.values(metrics))
  .flatMap((metric) =>
    (metric.kind === "histogram" ? (["bucket", "sum", "count"] as const) : [undefined]).map((part) => formsIn(metric, part)),
  );

/** The name of a series in each naming, from any of them; undefined if no set has the name. */
export const formsOf = (series: string): Readonly<Record<Naming, string>> | undefined =>
  all.find((forms) => Object.values(forms).includes(series));
