/** The names of telemetry: the translation to Prometheus' names gives the results of the real translator, and the sets of names are what SDKs export. */
import { describe, expect, it } from "vitest";
import { conventions } from "../../../src/signals/names/conventions";
import { inference } from "../../../src/signals/names/inference";
import { spec } from "../../../src/signals/names/spec";
import { labelName, type Metric, type NameSet, namings, seriesName } from "../../../src/signals/names/translate";
import recorded from "../../recorded/otlp/openlit-python-1.10.0.json";
import table from "../../recorded/otlp-names.json";

const nameSets: Record<string, NameSet> = { spec, conventions, inference };
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

it("the spec's names are what OpenLIT 1.10.0 exported", () => {
  interface Points {
    dataPoints: { attributes: { key: string }[] }[];
    isMonotonic?: boolean;
  }
  type Exported = { name: string; unit: string; sum?: Points; histogram?: Points };
  const requests = recorded as unknown as { body: { resourceMetrics?: { scopeMetrics: { metrics: Exported[] }[] }[] } }[];
  const exported = requests.flatMap(({ body }) => body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics);
  const all = exported.flatMap(({ metrics }) => metrics);
  const kindOf = ({ sum, histogram }: Exported) => (sum?.isMonotonic ? "counter" : histogram ? "histogram" : "another kind");
  const found = all.map((metric) => ({ name: metric.name, unit: metric.unit, kind: kindOf(metric) }));
  for (const metric of Object.values(spec.metrics)) expect(found).toContainEqual(metric);
  const points = all.flatMap(({ sum, histogram }) => (sum ?? histogram)?.dataPoints ?? []);
  const keys = new Set(points.flatMap((point) => point.attributes.map(({ key }) => key)));
  for (const attribute of Object.values(spec.attributes)) expect(keys).toContain(attribute);
});

it.each(namings)("with the naming %s, each metric has a name of its own", (naming) => {
  const distinct = new Set(metrics.map((metric) => JSON.stringify(metric))).size;
  expect(new Set(metrics.map((metric) => seriesName(metric, naming))).size).toBe(distinct);
});
