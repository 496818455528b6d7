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
    const target = panels[at]?.targets?.[0] as { expr?: string; query?: string } | null;
    // A previous edit may have replaced the targets with a text.
    if (typeof target !== "object" || target === null) return;
    if (target.expr !== undefined) target.expr = text;
    else target.query = text;
  });

type Edit = (model: Model) => Model;

/** An edit at an index that is not the last one. */
const place = (change: (model: Model, at: number) => Model): fc.Arbitrary<Edit> =>
  fc.nat().map((at) => (model) => (model.panels.length < 2 ? model : change(model, at % (model.panels.length - 1))));

/** An edit of a model, some of them without meaning. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  place(insert),
  place(remove),
  // A collapsed row contains the panels that followed it.
  place((model, at) => edited(model, (panels) => Object.assign(panels[at] as Panel, { panels: panels.splice(at + 1, 2) }))),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([from, to]): Edit =>
      (model) =>
        move(model, from % model.panels.length, to % model.panels.length),
  ),
  fc.tuple(fc.nat(), fc.string()).map(
    ([at, title]): Edit =>
      (model) =>
        retitle(model, at % model.panels.length, title),
  ),
  fc.tuple(fc.nat(), fc.jsonValue()).map(
    ([seed, value]): Edit =>
      (model) =>
        setAnywhere(model, seed, copy(value) as Json),
  ),
);

/** Sets a value at a path that `seed` selects. The list of panels stays a list. */
function setAnywhere(model: Model, seed: number, value: Json): Model {
  const next = copy(model);
  const places = placesIn(next).filter(({ owner, key }) => owner !== next || key !== "panels");
  const { owner, key } = places[seed % places.length] as (typeof places)[number];
  Object.defineProperty(owner, key, { value, enumerable: true, writable: true, configurable: true });
  return next;
}

function placesIn(value: Json): { owner: object; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ owner: value, key }, ...placesIn(inner)]);
}

/** Two models that differ by up to five edits. */
export const pairs: fc.Arbitrary<{ before: Model; after: Model }> = fc
  .record({ before: fc.constantFrom(...models), edits: fc.array(edit, { maxLength: 5 }) })
  .map(({ before, edits }) => {
    const isSound = (model: Model) =>
      model.panels.every((panel) => typeof panel === "object" && panel !== null && "gridPos" in panel && panel.gridPos);
    return { before, after: edits.reduce((model, change) => (isSound(model) ? copy(change(model)) : model), before) };
  });
