/** The theme, the time zone and the range that all panels of a dashboard share. A page can have several dashboards: this is a context, not a global. */
import { createTheme, dateTime, type GrafanaTheme2, type TimeRange } from "@grafana/data";
import { createContext, useContext } from "react";
import type { Look } from "../reading/fields";
import type { Panel, Range } from "../reading/panel";

export type SharedLook = Required<Look>;

export const LookContext = createContext<SharedLook | undefined>(undefined);

/** @throws Error outside of a dashboard */
export function useLook(): SharedLook {
  const look = useContext(LookContext);
  if (!look) throw new Error("No dashboard around this panel");
  return look;
}

export function timeRangeOf({ from, to }: Range): TimeRange {
  const [start, end] = [dateTime(from), dateTime(to)];
  return { from: start, to: end, raw: { from: start, to: end } };
}

/** Dark, unless `light` is wanted, as in Grafana. */
export const themeOf = (mode: unknown): GrafanaTheme2 => createTheme({ colors: { mode: mode === "light" ? "light" : "dark" } });

export const optionsOf = <T>({ options }: Panel) => (options ?? {}) as T;
