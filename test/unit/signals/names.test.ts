/** The names of telemetry: the translation to Prometheus' names gives the results of the real translator, and the sets of names are what SDKs export. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { conventions } from "../../../src/signals/names/conventions";
import { inference } from "../../../src/signals/names/inference";
import { spec } from "../../../src/signals/names/spec";
import { spring } from "../../../src/signals/names/spring";
import { labelName, type Metric, type NameSet, namings, seriesName } from "../../../src/signals/names/translate";
import releases from "../../recorded/conventions.json";
import recorded from "../../recorded/otlp/openlit-python-1.10.0.json";
import table from "../../recorded/otlp-names.json";

const nameSets: Record<string, NameSet> = { spec, conventions, inference, spring };
const metrics = Object.values(nameSets).flatMap((nameSet) => Object.values(nameSet.metrics));
const attributes = Object.values(nameSets).flatMap((nameSet) => Object.values(nameSet.attributes ?? {}));

describe("the real translator's results", () => {
  it("are those of the namings, and of one that is not supported", () => {
    expect(table.columns).toEqual(["UnderscoreEscapingWithSuffixes", "UnderscoreEscapingWithoutSuffixes", "NoTranslation"]);
    expect(namings).toEqual(["prometheus", "no-suffixes"]);
  });

  it.each(table.metrics)("$kind $name in $unit", ({ names, ...metric }) => {
    expect(namings.map((naming) => seriesName(metric as Metric, naming))).toEqual(names.slice(0, 2));
  });

  it.each(table.attributes)("attribute $name", ({ name, labels }) => {
    expect(namings.map(() => labelName(name))).toEqual(labels.slice(0, 2));
  });

  it("contain all sets of names", () => {
    const known = table.metrics.map(({ name, unit, kind }) => ({ name, unit, kind }));
    for (const metric of metrics) expect(known).toContainEqual(metric);
    expect(table.attributes.map(({ name }) => name)).toEqual(expect.arrayContaining(attributes));
  });
});

type Points = { dataPoints: { attributes?: { key: string }[] }[]; isMonotonic?: boolean };
type Exported = { name: string; unit?: string } & Partial<Record<"sum" | "histogram" | "exponentialHistogram", Points>>;

/** All metrics in the exports of a recording, in any depth. */
function exportedBy(value: unknown): Exported[] {
  if (typeof value !== "object" || value === null) return [];
  const { metrics = [] } = value as { metrics?: Exported[] };
  return [...metrics, ...Object.values(value).flatMap(exportedBy)];
}

const pointsOf = ({ sum, histogram, exponentialHistogram }: Exported) => sum ?? histogram ?? exponentialHistogram;
const named = ({ name, unit = "", sum }: Exported) => ({ name, unit, kind: sum?.isMonotonic ? "counter" : "histogram" });
const attributesOf = (metrics: readonly Exported[]) =>
  metrics.flatMap((metric) => pointsOf(metric)?.dataPoints ?? []).flatMap(({ attributes = [] }) => attributes.map(({ key }) => key));

it("the spec's names are what OpenLIT 1.10.0 exported", () => {
  const exported = exportedBy(recorded);
  for (const metric of Object.values(spec.metrics)) expect(exported.map(named)).toContainEqual(metric);
  expect(attributesOf(exported)).toEqual(expect.arrayContaining(Object.values(spec.attributes)));
});

describe("each name of today", () => {
  const folder = join(__dirname, "../../recorded/otlp");
  const exported = readdirSync(folder).flatMap((file) => exportedBy(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  const released = releases.releases.flatMap(({ metrics }) =>
    Object.entries(metrics).map(([name, [kind, unit]]) => ({ name, unit, kind })),
  );

  // Those of Spring AI that are scraped are in no export by OTLP.
  const { operations, tokens } = spring.metrics;
  it.each([...Object.values(conventions.metrics), ...Object.values(inference.metrics), operations, tokens])(
    "$name is released or recorded",
    (metric) => {
      expect([...released, ...exported.map(named)]).toContainEqual(metric);
    },
  );

  it.each([...Object.values(conventions.attributes), spring.attributes.error])("%s is released or recorded", (attribute) => {
    expect([...releases.releases.flatMap(({ attributes }) => attributes), ...attributesOf(exported)]).toContain(attribute);
  });
});

it.each(namings)("with the naming %s, each metric has a name of its own, apart from its unit", (naming) => {
  // Spring AI's tokens are a counter of a name that others have for a histogram.
  const own = metrics.filter((metric) => metric.unit !== "tokens" && !Object.values<Metric>(spring.metrics).includes(metric));
  expect(new Set(own.map((metric) => seriesName(metric, naming))).size).toBe(new Set(own.map((metric) => JSON.stringify(metric))).size);
});
