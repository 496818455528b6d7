/** The data of a dashboard's panels, from its datasources. */
import { dateTimeForTimeZone } from "@grafana/data";
import { useEffect, useMemo, useState } from "react";
import type { DashboardModel } from "../../../../src/dashboards/normalize";
import { allPanelsOf, type BaseOf, type Range, type Variable, variablesOf } from "../../reading/panel";
import { queryPanel } from "../../reading/query";
import { edge } from "../Dashboard";
import type { PanelData } from "../DrawnPanel";
import { placeOf } from "../grid";
import { valuesOf } from "./variables";

type Data = Readonly<Record<string, PanelData>>;

/** Queries all panels whenever the range, a variable or the width changes. A panel keeps its data until the new one arrives. */
export function usePanelData(
  model: DashboardModel,
  range: Range,
  selected: Readonly<Record<string, string[]>>,
  baseOf: BaseOf,
  width: number,
  timeZone: string,
  isRelative: boolean,
): Data {
  const [data, setData] = useState<Data>({});
  useEffect(() => {
    let current = true;
    const utcOffset = dateTimeForTimeZone(timeZone, range.to).utcOffset() * 60_000;
    const view = { ...range, isRelative, selected: querySelection(model, selected), utcOffset };
    const panels = allPanelsOf(model).filter(({ type }) => type !== "row");
    setData((before) => Object.fromEntries(panels.map(({ id }) => [id, { ...before[id], loading: true }])));
    for (const panel of panels) {
      const set = (result: PanelData) => current && setData((before) => ({ ...before, [panel.id]: result }));
      queryPanel(panel, model, view, baseOf, placeOf(panel.gridPos, width - 2 * edge).width).then(
        (frames) => set({ frames }),
        (error: Error) => set({ error: error.message }),
      );
    }
    return () => {
      current = false;
    };
  }, [model, range, selected, baseOf, width, timeZone, isRelative]);
  return data;
}

const querySelection = (model: DashboardModel, selected: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(variablesOf(model).flatMap(({ name, type }) => (type === "datasource" ? [] : [[name, selected[name] ?? []]])));

const queryVariables = (model: DashboardModel): Variable[] => variablesOf(model).filter(({ type }) => type === "query");

export interface Choices {
  values: Readonly<Record<string, string[]>>;
  /** Why there are none. */
  errors: readonly string[];
}

/** The values of the query variables in a time range, as far as what is selected in others allows. */
export function useChoices(model: DashboardModel, range: Range, selected: Readonly<Record<string, string[]>>, baseOf: BaseOf): Choices {
  const [choices, setChoices] = useState<Choices>({ values: {}, errors: [] });
  const variables = useMemo(() => queryVariables(model), [model]);
  useEffect(() => {
    let current = true;
    const view = { ...range, selected: querySelection(model, selected) };
    const read = async (variable: Variable) => [variable.name, await valuesOf(variable, model, view, baseOf)] as const;
    Promise.allSettled(variables.map(read)).then((results) => {
      if (!current) return;
      const values = Object.fromEntries(results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
      const errors = results.flatMap((result) => (result.status === "rejected" ? [String((result.reason as Error).message)] : []));
      setChoices({ values, errors });
    });
    return () => {
      current = false;
    };
  }, [variables, model, range, selected, baseOf]);
  return choices;
}
