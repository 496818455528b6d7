/** Differences of dashboards: complete, with one line for each edit. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeDashboard, describePanels, flatten } from "../../../src/report/describe-dashboard";
import { type Change, diff } from "../../../src/report/diff";
import { field, type Json, type JsonObject } from "../../../src/report/json";
import type { Panel } from "../../support/models";
import { changeQuery, copy, edited, insert, type Model, models, move, remove, reorder, retitle, withQueries } from "./edits";

const [a, b] = models as [Model, Model];
const titled = (model: Model) => (model.panels as unknown as Panel[]).flatMap(({ title }, place) => (title ? [place] : []));
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => copy(value) as Json);

/** The new value: all changes applied to the old one in their order. */
const apply = (value: Json, changes: readonly Change[]) => changes.reduce((current, change) => applyAt(current, change, 0) as Json, value);

function applyAt(value: Json | undefined, change: Change, depth: number): Json | undefined {
  const key = change.path[depth];
  if (key === undefined) {
    if (!("origins" in change)) return change.after;
    const added = [...change.added];
    return change.origins.map((from) => (from === undefined ? added.shift() : (value as Json[])[from]) as Json);
  }
  if (Array.isArray(value)) return value.map((element, index) => (index === key ? (applyAt(element, change, depth + 1) as Json) : element));
  const changed = applyAt(field(value, String(key)), change, depth + 1);
  const others = Object.entries(value as JsonObject).filter(([name]) => name !== key);
  return Object.fromEntries(changed === undefined ? others : [...others, [String(key), changed]]);
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
      const [old, current] = [flatten(before), flatten(after)];
      expect(apply(old, diff(old, current))).toEqual(current);
    }),
    { numRuns: 1_000 },
  );
});

it("a line has its panels, for pictures: changed, added, removed, moved, resized and repositioned ones", () => {
  const panelsOf = (before: Model, after: Model) =>
    describePanels(before, after).map(({ panels }) =>
      panels.map((panel) => [panel.before, panel.after].map((each) => field(each, "title"))),
    );
  const second = field(a.panels[1], "title");
  const position = (grid: object) => edited(a, ([, panel]) => Object.assign(panel?.gridPos ?? {}, grid));
  expect(panelsOf(a, insert(a, 3))).toEqual([[[undefined, "Errors"]]]);
  expect(panelsOf(insert(a, 3), a)).toEqual([[["Errors", undefined]]]);
  for (const after of [changeQuery(a, 1, "sum(other)"), move(a, 1, 5), position({ w: 9 }), position({ x: 9 })])
    expect(panelsOf(a, after)).toEqual([[[second, second]]]);
});

describe("one line for one edit", () => {
  const one = (before: Model, after: Model, pattern: RegExp) => {
    const lines = describeDashboard(before, after);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(pattern);
  };

  const all = (model: Model) => [...model.panels.keys()];
  it.each<[string, (model: Model) => number[], (model: Model, at: number) => Model, RegExp]>([
    ["inserted", all, insert, /^panel added: \*\*`Errors`\*\* \(`stat`\), (after|at) .*$/],
    ["removed", all, remove, /^panel removed: /],
    ["retitled", titled, (model, at) => retitle(model, at, "New name"), /^(row )?\*\*`New name`\*\*: title .*`New name`/],
    [
      "with another query",
      withQueries,
      (model, at) => changeQuery(model, at, "sum(other)"),
      /: query \w .*`sum\(other\)`|: query \w .*\*\*`other`\*\*/,
    ],
    ["moved", all, (model, at) => move(model, at, (at + 5) % model.panels.length), / moved/],
    ["moved, as all others", () => [0], (model) => reorder(model, all(model).reverse()), /^\d+ panels moved/],
  ])("a panel %s, anywhere", (_what, placesIn, edit, pattern) => {
    for (const model of models) for (const at of placesIn(model)) one(model, edit(model, at), pattern);
  });

  it("a panel with another type and query under the same title is the same panel", () => {
    const after = edited(changeQuery(a, 0, "sum(other)"), ([first]) =>
      Object.assign(first ?? {}, { type: "gauge", description: "Other", id: 99, options: {} }),
    );
    one(a, after, /^\*\*`Total Requests`\*\*: .*type `stat` → `gauge`/);
  });

  it("a row collapsed", () => {
    const rows = (b.panels as unknown as Panel[]).flatMap(({ type }, place) => (type === "row" ? [place] : []));
    const at = rows.at(-1) as number;
    const after = edited(b, (panels) => Object.assign(panels[at] as Panel, { collapsed: true, panels: panels.splice(at + 1) }));
    expect(describeDashboard(b, after)).toEqual(["row **`VectorDB Requests`**: collapsed false → true"]);
    expect(flatten(after).panels).toEqual(
      b.panels.map((panel, place) => (place === at ? { ...Object(panel), collapsed: true, panels: [] } : panel)),
    );
  });

  /** The first model with another value at a path. */
  const set = (path: string, value: Json) =>
    edited(a, (_, model) => {
      const keys = path.split("/");
      const owner = keys.slice(0, -1).reduce((inner, key) => inner[key] as JsonObject, model as JsonObject);
      owner[keys.at(-1) ?? ""] = value;
    });

  it.each<[path: string, value: Json, line: string]>([
    ["fieldConfig/defaults/thresholds/steps/1/value", 6, "`thresholds.steps[red].value` 5 → 6"],
    ["fieldConfig/defaults/thresholds/steps/1/color", "orange", "`thresholds.steps[orange].color` `red` → `orange`"],
    ["fieldConfig/defaults/thresholds/steps/2", { color: "purple" }, '`thresholds.steps` `{"color":"purple"}` added'],
    ["fieldConfig/defaults/decimals", 4, "decimals set to 4"],
    ["fieldConfig/overrides/0", { matcher: { id: "byName" } }, 'overrides `{"matcher":{"id":"byName"}}` added'],
    ["options/colorMode", "background", "`options.colorMode` `value` → `background`"],
    [
      "description",
      String(field(a.panels[3], "description")).replace("Mean", "Average"),
      "description ~~`Mean`~~ **`Average`** ` cost of a request.⏎…`",
    ],
    ["targets/0/legendFormat", "{{model}}", "legend A `Cost` → `{{model}}`"],
    ["targets/1", { refId: "B", expr: "sum(x)" }, "queries `sum(x)` added"],
    ["datasource", { type: "prometheus", uid: "other" }, "datasource `prom` → `other`"],
  ])("%s of a panel", (path, value, line) => {
    expect(describeDashboard(a, set(`panels/3/${path}`, value))).toEqual([`**\`Avg Cost / Request\`**: ${line}`]);
  });

  it.each<[path: string, value: Json, line: string]>([
    ["panels/3/gridPos/w", 3, "**`Avg Cost / Request`** resized 4×3 → 3×3"],
    ["tags/0", "new", "tags `llmobs` removed, `new` added"],
    ["refresh", "30s", "refresh (empty) → `30s`"],
    ["links/0/url", "https://x.example/", "`links[Documentation].url` `https://docs.example.com/` → `https://x.example/`"],
    ["links", (a.links as Json[]).slice(1), "links `Documentation` removed"],
    [
      "templating/list/0/query",
      "label_values(app)",
      "`variables[Application].query` `label_values(applicationName)` → `label_values(app)`",
    ],
    ["templating/list", (a.templating as { list: Json[] }).list.slice(1), "variables `Application` removed"],
    ["annotations/list/0/hide", false, "`annotations[Annotations & Alerts].hide` true → false"],
    ["version", 7, "only panel ids, query refIds, the version or the row of a panel changed"],
    ["panels/0/id", 100, "only panel ids, query refIds, the version or the row of a panel changed"],
  ])("%s of the model", (path, value, line) => {
    expect(describeDashboard(a, set(path, value))).toEqual([line]);
  });

  const panel = (title: string, y: number, h = 4) => ({ title, type: "stat", targets: [{ expr: title }], gridPos: { x: 0, y, w: 6, h } });
  const [first, second, third] = [panel("A", 0), panel("B", 4), panel("C", 8)];
  const moved = "**`A`** moved, now after **`C`**";

  // Panels that move out of the way are not named.
  it.each<[what: string, before: object[], after: object[], lines: string[]]>([
    ["removed", [first, second, third], [panel("B", 0), panel("C", 4)], ["panel removed: **`A`** (`stat`)"]],
    ["enlarged", [first, second, third], [panel("A", 0, 8), panel("B", 8), panel("C", 12)], ["**`A`** resized 6×4 → 6×8"]],
    ["moved", [first, second, third], [second, third, first], [moved]],
    ["moved and enlarged", [first, second, third], [second, third, panel("A", 8, 8)], [moved, "**`A`** resized 6×4 → 6×8"]],
    ["with a gap above it", [first, second], [first, panel("B", 5)], ["**`B`** repositioned"]],
    ["added", [first], [second, panel("A", 8)], ["panel added: **`B`** (`stat`), at the top"]],
    ["that gets a position", [{ ...first, gridPos: undefined }], [first], ["**`A`** resized 0×0 → 6×4"]],
  ])("a panel %s", (_what, before, after, lines) => {
    expect(describeDashboard(copy({ panels: before }) as JsonObject, copy({ panels: after }) as JsonObject)).toEqual(lines);
  });

  it("a panel replaced by one with other queries is removed and added", () => {
    for (const model of models) {
      const places = withQueries(model);
      for (const [index, at] of places.slice(1).entries()) {
        const lines = describeDashboard(remove(model, at), remove(model, places[index] as number));
        expect(lines.filter((line) => line.startsWith("panel removed: "))).toHaveLength(1);
        expect(lines.filter((line) => line.startsWith("panel added: "))).toHaveLength(1);
        expect(lines.join()).not.toContain("title `");
      }
    }
  });

  it("a query replaced as a whole: both, from their first difference on", () => {
    const common = `sum(${"a_total or ".repeat(20)}`;
    const [old, form] = [`${common}${"b[1m] ".repeat(30)})`, `${common}${"c ".repeat(99)})`];
    expect(describeDashboard(changeQuery(a, 0, old), changeQuery(a, 0, form)).join("\n")).toMatch(
      /^\*\*`Total Requests`\*\*: query A `…[a-z_ ]{20}b\[1m\][^`]+…` → `…[a-z_ ]{20}c c[^`]+…`$/,
    );
  });

  it("the same change of three panels is one line, four resized ones are one line", () => {
    const first = (number: number, change: (panel: Panel) => void) =>
      describeDashboard(
        a,
        edited(a, (panels) => panels.slice(0, number).forEach(change)),
      );
    const fade = (panel: Panel) => void Object.assign(panel, { transparent: true });
    const resize = ({ gridPos }: Panel) => void Object.assign(gridPos, { h: 20 });
    expect([2, 3].map((number) => first(number, fade).length)).toEqual([2, 1]);
    expect([3, 4].map((number) => first(number, resize).length)).toEqual([3, 1]);
  });

  it("the same change of several panels", () => {
    expect(describeDashboard(a, JSON.parse(JSON.stringify(a).replaceAll('"uid":"prom"', '"uid":"other"')) as Model)).toEqual([
      "`variables[Application].datasource.uid` `prom` → `other`",
      "`variables[Environment].datasource.uid` `prom` → `other`",
      "15 panels: datasource `prom` → `other`",
    ]);
  });
});
