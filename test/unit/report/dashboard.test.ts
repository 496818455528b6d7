/** Differences of dashboards: complete, with one line for each edit. */
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeDashboard, describePanels, flatten } from "../../../src/report/describe-dashboard";
import { diff } from "../../../src/report/diff";
import type { Json, JsonObject } from "../../../src/report/json";
import type { Panel } from "../../support/models";
import { apply, applyToModel, unflatten } from "./apply";
import { changeQuery, copy, edited, insert, type Model, models, move, pairs, remove, reorder, retitle, withQueries } from "./edits";

const [a, b] = models as [Model, Model];
const titled = (model: Model) => (model.panels as unknown as Panel[]).flatMap(({ title }, place) => (title ? [place] : []));
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => copy(value) as Json);

describe("all changes", () => {
  it("applied to the old model, return the new one", () => {
    fc.assert(
      fc.property(pairs, ({ before, after }) => {
        expect(applyToModel(before, after)).toEqual(after);
        expect(applyToModel(after, before)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  it("of any JSON values", () => {
    fc.assert(fc.property(json, json, (before, after) => void expect(apply(before, diff(before, after))).toEqual(after)));
    const model = fc.record({
      panels: fc.oneof(json, fc.array(fc.oneof(json, fc.record({ title: json, type: json, panels: json, targets: json })))),
    });
    fc.assert(
      fc.property(model, model, (before, after) => {
        expect(unflatten(flatten(copy(before) as JsonObject), copy(before) as JsonObject)).toEqual(copy(before));
        expect(applyToModel(copy(before) as JsonObject, copy(after) as JsonObject)).toEqual(copy(after));
      }),
    );
  });

  it("have no lines if and only if the models are equal", () => {
    fc.assert(
      fc.property(pairs, ({ before, after }) => {
        expect(describeDashboard(before, copy(before))).toEqual([]);
        expect(describeDashboard(before, after).length === 0).toBe(isDeepStrictEqual(before, after));
      }),
    );
  });
});

describe("the panels of a line, for pictures", () => {
  const panelsIn = (model: Model) => flatten(model).panels as Json[];
  const isIn = (model: Model, wanted: Json) => panelsIn(model).some((panel) => isDeepStrictEqual(panel, wanted));

  it("are in the models, and a line that begins with a panel has it", () => {
    fc.assert(
      fc.property(pairs, ({ before, after }) => {
        for (const { text, panels } of describePanels(before, after)) {
          for (const panel of panels) {
            if (panel.before !== undefined) expect(isIn(before, panel.before), text).toBe(true);
            if (panel.after !== undefined) expect(isIn(after, panel.after), text).toBe(true);
            expect(Object.values(panel).some((each) => each !== undefined)).toBe(true);
          }
          if (text.startsWith("**")) expect(panels, text).not.toEqual([]);
        }
      }),
    );
  });

  it("are a changed, an added, a removed and a moved one", () => {
    const [, second] = panelsIn(a);
    const idsOf = (before: Model, after: Model) =>
      describePanels(before, after)[0]?.panels.map((panel) =>
        [panel.before, panel.after].map((each) => (each as { title?: string })?.title),
      );
    const { title } = second as { title: string };
    expect(idsOf(a, changeQuery(a, 1, "sum(other)"))).toEqual([[title, title]]);
    expect(idsOf(a, insert(a, 3))).toEqual([[undefined, "Errors"]]);
    expect(idsOf(insert(a, 3), a)).toEqual([["Errors", undefined]]);
    expect(idsOf(a, move(a, 1, 5))).toEqual([[title, title]]);
  });
});

describe("one line for one edit", () => {
  const one = (before: Model, after: Model, pattern: RegExp) => {
    const lines = describeDashboard(before, after);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(pattern);
  };

  it("a panel inserted anywhere", () => {
    for (const model of models) {
      for (const at of model.panels.keys()) one(model, insert(model, at), /^panel added: \*\*`Errors`\*\* \(`stat`\), (after|at) .*$/);
    }
    expect(describeDashboard(a, insert(a, 6))).toEqual(["panel added: **`Errors`** (`stat`), after **`Total Requests overtime`**"]);
  });

  it("a panel removed anywhere", () => {
    for (const model of models) for (const at of model.panels.keys()) one(model, remove(model, at), /^panel removed: /);
  });

  it("a panel retitled", () => {
    for (const model of models)
      for (const at of titled(model)) one(model, retitle(model, at, "New name"), /^(row )?\*\*`New name`\*\*: title .*`New name`/);
  });

  it("a panel retitled below an inserted one", () => {
    const lines = describeDashboard(a, retitle(insert(a, 3), 9, "New name"));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe("**`New name`**: title `Usage cost by Application` → `New name`");
  });

  it("a panel with another type and query under the same title is the same panel", () => {
    const after = edited(changeQuery(a, 0, "sum(other)"), ([first]) =>
      Object.assign(first ?? {}, { type: "gauge", description: "Other", id: 99, options: {} }),
    );
    const lines = describeDashboard(a, after);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\*\*`Total Requests`\*\*: .*type `stat` → `gauge`/);
  });

  it("a query changed", () => {
    for (const model of models) {
      for (const at of withQueries(model))
        one(model, changeQuery(model, at, "sum(other)"), /: query \w .*`sum\(other\)`|: query \w .*\*\*`other`\*\*/);
    }
  });

  it("a word of a query changed", () => {
    const at = withQueries(a)[0] as number;
    const text = (a.panels as unknown as Panel[])[at]?.targets?.[0]?.expr ?? "";
    expect(describeDashboard(a, changeQuery(a, at, text.replace("[$__range]", "[5m]")))).toEqual([
      '**`Total Requests`**: query A `…nt=~"$Environment"}[` ~~`$__range`~~ **`5m`** `]))`',
    ]);
  });

  it("all panels reordered", () => {
    for (const model of models) {
      const places = [...model.panels.keys()];
      one(model, reorder(model, [...places].reverse()), /^(\d+ panels|.*`) moved/);
      fc.assert(
        fc.property(
          fc.shuffledSubarray(places, { minLength: places.length }),
          (order) => void expect(describeDashboard(model, reorder(model, order)).length).toBeLessThanOrEqual(3),
        ),
      );
    }
  });

  it("a panel moved anywhere", () => {
    for (const model of models) {
      const place = fc.nat(model.panels.length - 1);
      fc.assert(fc.property(place, place, (from, to) => from === to || one(model, move(model, from, to), / moved/)));
    }
  });

  it("a row collapsed", () => {
    const rows = (b.panels as unknown as Panel[]).flatMap(({ type }, place) => (type === "row" ? [place] : []));
    const at = rows.at(-1) as number;
    const after = edited(b, (panels) => Object.assign(panels[at] as Panel, { collapsed: true, panels: panels.splice(at + 1) }));
    expect(describeDashboard(b, after)).toEqual(["row **`VectorDB Requests`**: collapsed false → true"]);
  });

  const panelOf = (panels: Panel[], title: string) => panels.find((panel) => panel.title === title) as Panel;
  const cost = (change: (panel: Panel) => void) => edited(a, (panels) => change(panelOf(panels, "Avg Cost / Request")));
  const listOf = (model: Record<string, unknown>, name: string) => (model[name] as { list: object[] }).list;
  const cases: [string, Model, string][] = [
    [
      "threshold",
      cost(({ fieldConfig }) => Object.assign(fieldConfig?.defaults.thresholds?.steps[1] ?? {}, { value: 6 })),
      "**`Avg Cost / Request`**: `thresholds.steps[red].value` 5 → 6",
    ],
    [
      "color of a threshold",
      cost(({ fieldConfig }) => Object.assign(fieldConfig?.defaults.thresholds?.steps[1] ?? {}, { color: "orange" })),
      "**`Avg Cost / Request`**: `thresholds.steps[orange].color` `red` → `orange`",
    ],
    [
      "new threshold",
      cost(({ fieldConfig }) => fieldConfig?.defaults.thresholds?.steps.push({ color: "purple", value: 9 })),
      '**`Avg Cost / Request`**: `thresholds.steps` `{"color":"purple","value":9}` added',
    ],
    [
      "unit",
      cost(({ fieldConfig }) => Object.assign(fieldConfig?.defaults ?? {}, { unit: "currencyEUR" })),
      "**`Avg Cost / Request`**: unit `currencyUSD` → `currencyEUR`",
    ],
    [
      "decimals",
      cost(({ fieldConfig }) => Object.assign(fieldConfig?.defaults ?? {}, { decimals: 4 })),
      "**`Avg Cost / Request`**: decimals set to 4",
    ],
    [
      "option",
      cost(({ options }) => Object.assign(options ?? {}, { colorMode: "background" })),
      "**`Avg Cost / Request`**: `options.colorMode` `value` → `background`",
    ],
    [
      "description",
      cost((panel) => Object.assign(panel, { description: panel.description?.replace("Mean", "Average") })),
      "**`Avg Cost / Request`**: description ~~`Mean`~~ **`Average`** ` cost of a request.⏎…`",
    ],
    ["type", cost((panel) => Object.assign(panel, { type: "gauge" })), "**`Avg Cost / Request`**: type `stat` → `gauge`"],
    [
      "legend",
      cost(({ targets }) => Object.assign(targets?.[0] ?? {}, { legendFormat: "{{model}}" })),
      "**`Avg Cost / Request`**: legend A `Cost` → `{{model}}`",
    ],
    [
      "new query",
      cost(({ targets }) => targets?.push({ ...(targets[0] as object), refId: "B", expr: "sum(x)", legendFormat: "x" } as never)),
      "**`Avg Cost / Request`**: queries `sum(x)` added",
    ],
    [
      "datasource",
      cost((panel) => Object.assign(panel, { datasource: { type: "prometheus", uid: "other" } })),
      "**`Avg Cost / Request`**: datasource `prom` → `other`",
    ],
    [
      "override",
      cost(({ fieldConfig }) => fieldConfig?.overrides.push({ matcher: { id: "byName", options: "x" }, properties: [] })),
      '**`Avg Cost / Request`**: overrides `{"matcher":{"id":"byName","options":"x"},"properties":[]}` added',
    ],
    ["size", cost(({ gridPos }) => Object.assign(gridPos, { w: 3 })), "**`Avg Cost / Request`** resized 4×3 → 3×3"],
    ["title", edited(a, (_, model) => Object.assign(model, { title: "Other" })), "title `llmobs - LLM Monitoring` → `Other`"],
    ["tags", edited(a, (_, model) => (model.tags as unknown as string[]).splice(0, 1, "new")), "tags `llmobs` removed, `new` added"],
    ["time", edited(a, (_, model) => Object.assign(model, { time: { from: "now-6h", to: "now" } })), "`time.from` `now-24h` → `now-6h`"],
    ["refresh", edited(a, (_, model) => Object.assign(model, { refresh: "30s" })), "refresh (empty) → `30s`"],
    [
      "link",
      edited(a, (_, model) => Object.assign((model.links as unknown as object[])[0] ?? {}, { url: "https://x.example/" })),
      "`links[Documentation].url` `https://docs.example.com/` → `https://x.example/`",
    ],
    ["link removed", edited(a, (_, model) => (model.links as unknown as object[]).splice(1, 1)), "links `Community` removed"],
    [
      "link added",
      edited(a, (_, model) => (model.links as unknown as object[]).unshift({ title: "New", url: "https://x.example/" })),
      "links `New` added",
    ],
    [
      "variable",
      edited(a, (_, model) => Object.assign(listOf(model, "templating")[0] ?? {}, { query: "label_values(app)" })),
      "`variables[Application].query` `label_values(applicationName)` → `label_values(app)`",
    ],
    ["variable removed", edited(a, (_, model) => listOf(model, "templating").shift()), "variables `Application` removed"],
    [
      "annotation",
      edited(a, (_, model) => Object.assign(listOf(model, "annotations")[0] ?? {}, { hide: false })),
      "`annotations[Annotations & Alerts].hide` true → false",
    ],
    [
      "ids and version only",
      edited(a, ([first], model) => Object.assign(model, { version: 7 }) && Object.assign(first ?? {}, { id: 100 })),
      "only panel ids, query refIds, the version or the row of a panel changed",
    ],
  ];
  it.each(cases)("%s", (_name, after, line) => {
    expect(describeDashboard(a, after)).toEqual([line]);
  });

  it("an option with the name `nested`", () => {
    const nested = (deep: boolean) => cost(({ options }) => Object.assign(options ?? {}, { nested: deep }));
    one(nested(false), nested(true), /^\*\*`Avg Cost \/ Request`\*\*: `options.nested` false → true$/);
  });

  it("a panel removed, enlarged or added: those that move out of its way are not named", () => {
    const panel = (title: string, y: number, h = 4) => ({ title, type: "stat", targets: [{ expr: title }], gridPos: { x: 0, y, w: 6, h } });
    const model = (...panels: object[]) => ({ title: "T", panels }) as unknown as JsonObject;
    const [first, second, third] = [panel("A", 0), panel("B", 4), panel("C", 8)];
    expect(describeDashboard(model(first, second, third), model(panel("B", 0), panel("C", 4)))).toEqual([
      "panel removed: **`A`** (`stat`)",
    ]);
    expect(describeDashboard(model(first, second, third), model(panel("A", 0, 8), panel("B", 8), panel("C", 12)))).toEqual([
      "**`A`** resized 6×4 → 6×8",
    ]);
    expect(describeDashboard(model(first, second, third), model(second, third, first))).toEqual(["**`A`** moved, now after **`C`**"]);
    expect(describeDashboard(model(first, second, third), model(second, third, panel("A", 8, 8)))).toEqual([
      "**`A`** moved, now after **`C`**",
      "**`A`** resized 6×4 → 6×8",
    ]);
    expect(describeDashboard(model(first, second), model(first, panel("B", 5)))).toEqual(["**`B`** repositioned"]);
    expect(describeDashboard(model(first), model(second, panel("A", 8)))).toEqual(["panel added: **`B`** (`stat`), at the top"]);
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

  it("a panel without a position gets one", () => {
    const model = (more: object) => ({ panels: [{ title: "A", type: "stat", ...more }] }) as unknown as JsonObject;
    expect(describeDashboard(model({}), model({ gridPos: { x: 0, y: 0, w: 6, h: 4 } }))).toEqual(["**`A`** resized 0×0 → 6×4"]);
  });

  it("a query replaced as a whole: both, from their first difference on", () => {
    const common = `sum(${"a_total or ".repeat(20)}`;
    const [old, form] = [`${common}${"b[1m] ".repeat(30)})`, `${common}${"c ".repeat(99)})`];
    expect(describeDashboard(changeQuery(a, 0, old), changeQuery(a, 0, form)).join("\n")).toMatch(
      /^\*\*`Total Requests`\*\*: query A `…[a-z_ ]{20}b\[1m\][^`]+…` → `…[a-z_ ]{20}c c[^`]+…`$/,
    );
  });

  it("the same change of several panels", () => {
    expect(describeDashboard(a, JSON.parse(JSON.stringify(a).replaceAll('"uid":"prom"', '"uid":"other"')) as Model)).toEqual([
      "`variables[Application].datasource.uid` `prom` → `other`",
      "`variables[Environment].datasource.uid` `prom` → `other`",
      "15 panels: datasource `prom` → `other`",
    ]);
  });
});
