/** Edits of a dashboard model, with the changes of layout that follow from them in `src/dashboards`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Json, JsonObject } from "../../../src/report/json";
import type { Panel } from "../../support/models";

export type Model = JsonObject & { panels: Json[] };

/** Two fixed dashboards (models.json): the report does not depend on the current ones. */
export const models = JSON.parse(readFileSync(join(__dirname, "models.json"), "utf8")) as Model[];

export const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A changed copy. */
export function edited(model: Model, change: (panels: Panel[], model: Record<string, never>) => void): Model {
  const next = copy(model);
  change(next.panels as unknown as Panel[], next as unknown as Record<string, never>);
  return next;
}

/** Numbers the ids in the order of the panels. */
const number = (panels: Panel[]) => {
  for (const [place, panel] of panels.entries()) panel.id = place + 1;
};

/** Inserts a panel with the full width. The panels after it move down and get other ids. */
export const insert = (model: Model, at: number) =>
  edited(model, (panels) => {
    const y = panels[at]?.gridPos.y ?? 0;
    for (const panel of panels) if (panel.gridPos.y >= y) panel.gridPos.y += 4;
    const targets = [{ refId: "A", expr: "sum(rate(new[$__range]))" }] as never;
    panels.splice(at, 0, { id: 0, type: "stat", title: "Errors", description: "Failures", gridPos: { x: 0, y, w: 24, h: 4 }, targets });
    number(panels);
  });

export const remove = (model: Model, at: number) =>
  edited(model, (panels) => {
    panels.splice(at, 1);
    number(panels);
  });

export const retitle = (model: Model, at: number, title: string) =>
  edited(model, (panels) => Object.assign(panels[at] as Panel, { title }));

/** Brings the panels into another order. The positions on the grid stay the same. */
export const reorder = (model: Model, order: readonly number[]) =>
  edited(model, (panels) => {
    const places = panels.map(({ gridPos: { x, y } }) => ({ x, y }));
    const ordered = order.map((place) => panels[place] as Panel);
    panels.splice(0, panels.length, ...ordered);
    for (const [place, panel] of panels.entries()) Object.assign(panel.gridPos, places[place]);
    number(panels);
  });

/** Moves a panel to another index. */
export function move(model: Model, from: number, to: number): Model {
  const order = [...model.panels.keys()].filter((place) => place !== from);
  order.splice(to, 0, from);
  return reorder(model, order);
}

/** Indexes of the panels with queries. */
export const withQueries = (model: Model) =>
  (model.panels as unknown as Panel[]).flatMap(({ targets }, place) => (targets?.length ? [place] : []));

export const changeQuery = (model: Model, at: number, text: string) =>
  edited(model, (panels) => {
    const target = panels[at]?.targets?.[0] as { expr?: string; query?: string } | undefined;
    if (target) target[target.expr === undefined ? "query" : "expr"] = text;
  });

/** Collapses a row: it contains the two panels that followed it. */
const collapse = (model: Model, at: number) =>
  edited(model, (panels) => Object.assign(panels[at] as Panel, { panels: panels.splice(at + 1, 2) }));

/** Sets the value with this number, counted from the innermost ones. The list of panels stays a list. */
function setAt(model: Model, place: number, value: Json): Model {
  let seen = 0;
  return JSON.parse(JSON.stringify(model), (key, part) => (seen++ === place && key !== "panels" && key !== "" ? value : part));
}

const edit = fc.record({ kind: fc.constantFrom(insert, remove, collapse, move), from: fc.nat(), to: fc.nat() });
const value = fc.record({ place: fc.nat(1_250), value: fc.jsonValue().map((value) => copy(value) as Json) });

/** Two models that differ by edits of the layout, and then by values without meaning. */
export const pairs: fc.Arbitrary<{ before: Model; after: Model }> = fc
  .record({ before: fc.constantFrom(...models), edits: fc.array(edit, { maxLength: 4 }), values: fc.array(value, { maxLength: 3 }) })
  .map(({ before, edits, values }) => {
    const arranged = edits.reduce((model, { kind, from, to }) => {
      const number = model.panels.length - 1;
      return kind(model, from % number, to % number);
    }, before);
    return { before, after: values.reduce((model, { place, value }) => setAt(model, place, value), arranged) };
  });
