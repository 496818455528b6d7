/** What readers choose at a dashboard: time ranges and values of variables. */
import type { Selection, Window } from "./ledger";
import type { DashboardName } from "./truths";
import { hour } from "./world/world";

const hms = (hours: number, minutes: number, seconds: number) => ((hours * 60 + minutes) * 60 + seconds) * 1000;

/** All of them for all applications, for one, and for two in one environment; other choices for one time range. */
const everywhere: Record<string, Selection> = {
  All: {},
  "one application": { application: ["shop"] },
  "two applications, one environment": { application: ["assistant", "batch"], environment: ["production"] },
};
const names: Record<string, Selection> = {
  "a name with signs of regular expressions": { application: ["docs+search.v2", "help+desk"] },
  "an unknown application": { application: ["unknown"] },
};
const ofSpec: Record<string, Selection> = {
  ...names,
  "an application without costs": { application: ["help+desk"] },
  "one environment": { environment: ["development"] },
  "a backslash": { application: ["back\\slash"] },
};
const ofOtel: Record<string, Selection> = {
  ...names,
  "no environment": { environment: ["(none)"] },
  "one provider, two models": { provider: ["openai"], model: ["gpt-4o", "gpt-4o-2024-08-06"] },
  "by provider": { by: ["provider"] },
  "by application, slow from 5 s": { by: ["application"], slow: ["5s"] },
  "by environment": { by: ["environment"] },
};

/** @param now the end of the telemetry */
export function viewsOf(name: DashboardName, now: number): { name: string; window: Window; selected: Selection }[] {
  const day = { from: now - 24 * hour, to: now };
  const ranges: Record<string, Window> = {
    "last 24 h": day,
    "last 1 h": { from: now - hour, to: now },
    // Both ends are within a minute.
    "08:36:19 to 02:42:48 ago": { from: now - hms(8, 36, 19), to: now - hms(2, 42, 48) },
  };
  const others = name.endsWith("(OpenTelemetry)") ? ofOtel : ofSpec;
  return [
    ...Object.entries(everywhere).flatMap(([selection, selected]) =>
      Object.entries(ranges).map(([range, window]) => ({ name: `${selection}, ${range}`, window, selected })),
    ),
    ...Object.entries(others).map(([selection, selected]) => ({ name: selection, window: day, selected })),
  ];
}
