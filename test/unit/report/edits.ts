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

export const newPanel = (title: string, y: number): Panel => ({
  id: 0,
  type: "stat",
  title,
  description: `The meaning of ${title}`,
  gridPos: { x: 0, y, w: 24, h: 4 },
  targets: [{ refId: "A", expr: `sum(rate(new_${title.length}[$__range]))` }] as never,
});

/** Inserts a panel with the full width. The panels after it move down and get other ids. */
export const insert = (model: Model, at: number, title = "Errors") =>
  edited(model, (panels) => {
    const y = panels[at]?.gridPos.y ?? 0;
    for (const panel of panels) if (panel.gridPos.y >= y) panel.gridPos.y += 4;
    panels.splice(at, 0, newPanel(title, y));
    number(panels);
  });

export const remove = (model: Model, at: number) =>
  edited(model, (panels) => {
    panels.splice(at, 1);
    number(panels);
  });

/** Moves a panel to another index. The positions on the grid stay the same. */
export const move = (model: Model, from: number, to: number) =>
  edited(model, (panels) => {
    const places = panels.map(({ gridPos: { x, y } }) => ({ x, y }));
    panels.splice(to, 0, ...panels.splice(from, 1));
    for (const [place, panel] of panels.entries()) Object.assign(panel.gridPos, places[place]);
    number(panels);
  });

export const retitle = (model: Model, at: number, title: string) =>
  edited(model, (panels) => Object.assign(panels[at] as Panel, { title }));

export const reorder = (model: Model, order: readonly number[]) =>
  edited(model, (panels) => {
    const places = panels.map(({ gridPos: { x, y } }) => ({ x, y }));
    const ordered = order.map((place) => panels[place] as Panel);
    panels.splice(0, panels.length, ...ordered);
    for (const [place, panel] of panels.entries()) Object.assign(panel.gridPos, places[place]);
    number(panels);
  });

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

/** An edit of a model, some of them without meaning. */
const edit: fc.Arbitrary<(model: Model) => Model> = fc.oneof(
  place((at, model) => insert(model, at)),
  place((at, model) => remove(model, at)),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([from, to]) =>
      (model: Model) =>
        move(model, from % model.panels.length, to % model.panels.length),
  ),
  fc.tuple(fc.nat(), fc.string()).map(
    ([at, title]) =>
      (model: Model) =>
        retitle(model, at % model.panels.length, title),
  ),
  fc.nat().map(
    (seed) => (model: Model) =>
      reorder(
        model,
        [...model.panels.keys()].sort((a, b) => ((a * 7 + seed) % 13) - ((b * 7 + seed) % 13)),
      ),
  ),
  fc.tuple(fc.nat(), fc.string()).map(([at, text]) => (model: Model) => {
    const places = withQueries(model);
    return places.length === 0 ? model : changeQuery(model, places[at % places.length] as number, text);
  }),
  place((at, model) =>
    // A collapsed row contains the panels that followed it.
    edited(model, (panels) => Object.assign(panels[at] as Panel, { panels: panels.splice(at + 1, 2) })),
  ),
  fc.tuple(fc.nat(), fc.jsonValue()).map(
    ([seed, value]) =>
      (model: Model) =>
        setAnywhere(model, seed, JSON.parse(JSON.stringify(value)) as Json),
  ),
);

function place(change: (at: number, model: Model) => Model): fc.Arbitrary<(model: Model) => Model> {
  return fc.nat().map((at) => (model: Model) => (model.panels.length < 2 ? model : change(at % (model.panels.length - 1), model)));
}

/** Sets a value at a path that `seed` selects. The list of panels stays a list. */
function setAnywhere(model: Model, seed: number, value: Json): Model {
  const next = copy(model);
  const places = placesIn(next).filter(({ owner, key }) => owner !== next || key !== "panels");
  const { owner, key } = places[seed % places.length] as Place;
  Object.defineProperty(owner, key, { value, enumerable: true, writable: true, configurable: true });
  return next;
}

interface Place {
  owner: object;
  key: string;
}

function placesIn(value: Json): Place[] {
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
