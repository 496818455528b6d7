/** Differences of dashboards: complete, with one line for each edit. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asSaved } from "../../../src/dashboards/saved";
import { describePanels, flatPanels } from "../../../src/report/describe-dashboard";
import { type Change, diff } from "../../../src/report/diff";
import { field, type Json, type JsonObject, valueAt } from "../../../src/report/json";
import type { Panel } from "../../support/models";

const describeDashboard = (...models: Parameters<typeof describePanels>) => describePanels(...models).map(({ text }) => text);

type Model = JsonObject & { panels: Json[] };

/** Two fixed dashboards: the report does not depend on the current ones. */
const models = JSON.parse(readFileSync(join(__dirname, "models.json"), "utf8")) as [Model, Model];
const [a, b] = models;

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A changed copy. */
function edited(model: Model, change: (panels: Panel[], model: Record<string, never>) => void): Model {
  const next = copy(model);
  change(next.panels as unknown as Panel[], next as unknown as Record<string, never>);
  return next;
}

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => copy(value) as Json);

/** The value after all changes in their order. */
function apply(value: Json, changes: readonly Change[]): Json {
  const root: JsonObject = { value: copy(value) };
  for (const change of changes) {
    const path = ["value", ...change.path];
    const [owner, old, key] = [valueAt(root, path.slice(0, -1)) as object, valueAt(root, path) as Json[], path.at(-1) as string];
    const added = "origins" in change ? [...change.added] : [];
    const value = "origins" in change ? change.origins.map((from) => (from === undefined ? added.shift() : old[from])) : change.after;
    if (value === undefined) Reflect.deleteProperty(owner, key);
    else Object.defineProperty(owner, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return root.value as Json;
}

it("all changes, applied to the old model, return the new one", () => {
  // Few values, so that elements have the same titles, names and queries in both models, and move.
  const few = fc.oneof(fc.constantFrom<Json>("", "a", "b", "c"), fc.constantFrom<Json>([], ["a"], [{ refId: "A", expr: "a" }]), json);
  const panel = fc.dictionary(fc.constantFrom("id", "title", "type", "targets", "panels", "name", "refId", "__proto__"), few);
  const model = fc
    .record({ panels: fc.oneof(json, fc.array(fc.oneof(few, panel))), tags: fc.array(few), links: fc.array(panel) }, { requiredKeys: [] })
    .map((value) => copy(value) as JsonObject);
  fc.assert(
    fc.property(model, model, (before, after) => {
      expect(apply(before, diff(before, after))).toEqual(after);
    }),
    { numRuns: 1_000 },
  );
});

/** The model with these panels, each below the one before. */
function withPanels(model: Model, panels: readonly Panel[]): Model {
  let bottom = 0;
  const placed = panels.map((panel) => {
    const y = bottom;
    bottom += panel.gridPos.h;
    return { ...panel, gridPos: { ...panel.gridPos, x: 0, y } };
  });
  return { ...model, panels: copy(placed) as unknown as Json[] };
}

const onlyUnnamed = "only query refIds, the version, the order or the row of panels, or what Grafana's page writes by itself changed";

describe.each([
  ["llm-monitoring", "Total Requests"],
  ["genai-observability", "Total Successful GenAI Requests"],
  ["genai-observability-otel", "Requests"],
])("%s, saved in the page of Grafana 12.4", (name, title) => {
  const recording = readFileSync(join(__dirname, `../../recorded/grafana-page/v12.4-${name}.json`), "utf8");
  const { deployed, saved } = JSON.parse(recording) as { deployed: Model; saved: Model };
  const at = saved.panels.findIndex((panel) => field(panel, "title") === "Changed in the page");

  it("after a title was changed, is one change", () => {
    expect(describeDashboard(deployed, saved)).toEqual([`**\`Changed in the page\`**: title \`${title}\` → \`Changed in the page\``]);
    expect(describeDashboard(deployed, { ...saved, panels: saved.panels.with(at, deployed.panels[at] as Json) })).toEqual([onlyUnnamed]);
  });

  it("differs from what is deployed now by that change and the releases, so that Grafana's own list of changes is as short", () => {
    const changes = diff(asSaved(deployed) as Json, asSaved(saved) as Json);
    const paths = changes.map(({ path }) => path.join("/")).filter((path) => path !== "timezone" || deployed.timezone !== "");
    expect(paths.sort()).toEqual([`panels/${at}/pluginVersion`, `panels/${at}/title`, "schemaVersion"]);
    // What the page has stays as it is, except what the spec names.
    const others = diff({ ...saved, panels: [] }, { ...(asSaved(saved) as Model), panels: [] }).map(({ path }) => path.at(-1));
    expect(others.filter((field) => field !== "multi")).toEqual([]);
  });
});

it("columns in another order are one change, and panels without a title have their ids", () => {
  const table = (id: number, indexByName: Json) => ({
    id,
    type: "table",
    title: "",
    transformations: [{ id: "organize", options: { indexByName } }],
  });
  const of = (order: Json) => ({ panels: [table(4, order), table(7, { a: 0 })] });
  expect(describeDashboard(of({ a: 0, b: 1, c: 2 }), of({ a: 2, b: 0, c: 1 }))).toEqual([
    "`table` without a title, id 4: order of columns changed",
  ]);
});

describe("one line for one edit", () => {
  const added = { type: "stat", title: "Errors", gridPos: { w: 6, h: 4 }, targets: [{ refId: "A", expr: "sum(x)" }] } as Panel;
  const all = () => true;
  const withoutOne = (panels: Panel[], at: number) => panels.toSpliced(at, 1);
  const narrower = (panels: Panel[], at: number, { gridPos, ...panel }: Panel) =>
    panels.with(at, { ...panel, gridPos: { ...gridPos, w: Number(gridPos?.w) - 1 } } as Panel);
  const retitled = (panels: Panel[], at: number, panel: Panel) => panels.with(at, { ...panel, title: "New name" });
  const queried = (panels: Panel[], at: number, panel: Panel) => {
    const [first, ...others] = panel.targets ?? [];
    return panels.with(at, {
      ...panel,
      targets: [{ ...first, expr: "sum(other)", query: "sum(other)" }, ...others] as typeof panel.targets & object,
    });
  };

  it.each<[string, (panel: Panel) => boolean, (panels: Panel[], at: number, panel: Panel) => Panel[], RegExp]>([
    ["inserted", all, (panels, at) => panels.toSpliced(at, 0, added), /^panel added: \*\*`Errors`\*\* \(`stat`\), (after|at) .*$/],
    ["removed", all, withoutOne, /^panel removed: /],
    ["retitled", ({ title }) => title !== "", retitled, /^(row )?\*\*`New name`\*\*: title .*`New name`/],
    ["with another query", ({ targets = [] }) => targets.length > 0, queried, /: query \w .*(`sum\(other\)`|\*\*`other`\*\*)/],
    ["narrower", ({ type }) => type !== "row", narrower, / moved or resized$/],
  ])("a panel %s, anywhere", (_what, isEdited, edit, pattern) => {
    for (const model of models) {
      const panels = copy(model.panels) as unknown as Panel[];
      for (const [at, panel] of panels.entries()) {
        if (!isEdited(panel)) continue;
        const lines = describeDashboard(withPanels(model, panels), withPanels(model, edit(panels, at, panel)));
        expect(lines).toEqual([expect.stringMatching(pattern)]);
      }
    }
  });

  it("a row collapsed", () => {
    const at = (b.panels as unknown as Panel[]).findLastIndex(({ type }) => type === "row");
    const after = edited(b, (panels) => Object.assign(panels[at] as Panel, { collapsed: true, panels: panels.splice(at + 1) }));
    expect(describeDashboard(b, after)).toEqual(["row **`VectorDB Requests`**: collapsed false → true"]);
    expect(flatPanels(after)).toEqual(
      b.panels.map((panel, place) => (place === at ? { ...Object(panel), collapsed: true, panels: [] } : panel)),
    );
  });

  const mean = String(field(a.panels[3], "description"));

  /** The first model with another value at a path. */
  const set = (path: string, value: Json) =>
    edited(a, (_, model) => {
      const keys = path.split("/");
      (valueAt(model, keys.slice(0, -1)) as JsonObject)[keys.at(-1) ?? ""] = value;
    });

  it.each<[path: string, value: Json, line: string]>([
    ["fieldConfig/defaults/thresholds/steps/1/value", 6, "`thresholds.steps[red].value` 5 → 6"],
    ["fieldConfig/defaults/thresholds/steps/1/color", "orange", "`thresholds.steps[orange].color` `red` → `orange`"],
    ["fieldConfig/defaults/decimals", 4, "decimals set to 4"],
    ["fieldConfig/overrides/0", { matcher: { id: "byName" } }, 'overrides `{"matcher":{"id":"byName"}}` added'],
    ["options/colorMode", 5, "`options.colorMode` `value` → 5"],
    ["fieldConfig/overrides/0", { matcher: { id: "byName", options: "Value #B" } }, "overrides `Value #B` added"],
    ["description", mean.replace("Mean", "Average"), "description ~~`Mean`~~ **`Average`** ` cost of a request.`"],
    ["targets/0/legendFormat", "{{model}}", "legend A `Cost` → `{{model}}`"],
    ["targets/1", { refId: "B", expr: "sum(x)" }, "queries `sum(x)` added"],
    ["datasource", { type: "prometheus", uid: "other" }, "datasource `prom` → `other`"],
  ])("%s of a panel", (path, value, line) => {
    expect(describeDashboard(a, set(`panels/3/${path}`, value))).toEqual([`**\`Avg Cost / Request\`**: ${line}`]);
  });

  it.each<[path: string, value: Json, line: string]>([
    ["panels/3/gridPos/w", 3, "**`Avg Cost / Request`** moved or resized"],
    ["tags/0", "new", "tags `llmobs` removed, `new` added"],
    ["refresh", "30s", "refresh (empty) → `30s`"],
    ["links/0/url", "https://docs.example.com/a/page", "`links[Documentation].url` `https://docs.example.com/` **`a/page`**"],
    ["templating/list/0/query", "values(app)", "`variables[Application].query` `label_values(applicationName)` → `values(app)`"],
    ["templating/list", (a.templating as { list: Json[] }).list.slice(1), "variables `Application` removed"],
    ["templating/list/0", { name: "model" }, "variables `Application` removed, `model` added"],
    ["annotations/list/0/hide", false, "`annotations[Annotations & Alerts].hide` true → false"],
    ["version", 7, onlyUnnamed],
    ["panels/3/id", 100, "other panel ids: links to a panel end"],
  ])("%s of the model", (path, value, line) => {
    expect(describeDashboard(a, set(path, value))).toEqual([line]);
  });

  const panel = (title: string, y: number, h = 4) => ({ title, type: "stat", targets: [{ expr: title }], gridPos: { x: 0, y, w: 6, h } });
  const [first, second, third] = [panel("A", 0), panel("B", 4), panel("C", 8)];
  const numbered = (id: number) => ({ ...[{ type: "row", title: "R" }, first, second][id % 5], id });
  const column = (value: number) => ({ ...first, fieldConfig: { overrides: [{ matcher: { id: "byName", options: "Value #B" }, value }] } });
  const other = { ...first, type: "gauge", targets: [{ expr: "X" }], id: 99, options: { a: 1 } };

  it.each<[what: string, before: object[], after: object[], lines: string[]]>([
    ["removed", [first, second, third], [panel("B", 0), panel("C", 4)], ["panel removed: **`A`** (`stat`)"]],
    ["enlarged, so that another one moves", [first, second], [panel("A", 0, 8), panel("B", 8)], ["**`A`**, **`B`** moved or resized"]],
    ["with another place in the list", [first, second], [second, first], [onlyUnnamed]],
    ["added", [first], [second, panel("A", 8)], ["panel added: **`B`** (`stat`), at the top"]],
    ["that gets a position", [{ ...first, gridPos: undefined }], [first], ["**`A`** moved or resized"]],
    ["with another column", [column(1)], [column(2)], ["**`A`**: `overrides[Value #B].value` 1 → 2"]],
    ["and others with other ids", [0, 1, 2].map(numbered), [5, 6, 7].map(numbered), ["other panel ids: links to 2 panels end"]],
    [
      "without a title, replaced",
      [{ ...first, title: "" }],
      [{ ...second, title: "" }],
      ["panel removed: `stat` without a title (`stat`)", "panel added: `stat` without a title (`stat`), at the top"],
    ],
    ["with all but its title changed", [first], [other], ['**`A`**: type `stat` → `gauge`; `query 1` `A` → `X`; options set to `{"a":1}`']],
  ])("a panel %s", (_what, before, after, lines) => {
    expect(describeDashboard(copy({ panels: before }) as JsonObject, copy({ panels: after }) as JsonObject)).toEqual(lines);
  });

  it("a line has its panels, for pictures", () => {
    const panelsOf = (before: object[], after: object[]) =>
      describePanels({ panels: before as Json[] }, { panels: after as Json[] }).map(({ panels }) => panels);
    expect(panelsOf([first], [first, second])).toEqual([[{ after: second }]]);
    expect(panelsOf([first, second], [first])).toEqual([[{ before: second }]]);
    for (const after of [other, panel("A", 0, 8), panel("A", 8)])
      expect(panelsOf([first], [after])).toMatchObject([[{ before: first, after }]]);
  });

  it("the same change of three panels is one line, four resized ones are counted", () => {
    const edit = (number: number, change: (panel: Panel) => void) => edited(a, (panels) => panels.slice(0, number).forEach(change));
    const first = (number: number, change: (panel: Panel) => void) => describeDashboard(a, edit(number, change));
    const fade = (panel: Panel) => void Object.assign(panel, { transparent: true });
    const resize = ({ gridPos }: Panel) => void Object.assign(gridPos, { h: 20 });
    expect(first(2, fade)).toHaveLength(2);
    expect(first(3, fade)).toEqual(["3 panels: transparent set to true"]);
    expect(first(4, resize)).toEqual(["4 panels moved or resized"]);
  });
});
