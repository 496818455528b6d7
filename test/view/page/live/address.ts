/** The address of a page, as in Grafana: `/d/<uid>/<slug>?from=now-24h&to=now&var-Application=shop&theme=light&timezone=utc&kiosk`. Pure. */
import { grafana } from "../../reading/library";
import type { Range } from "../../reading/panel";

export type Page =
  /** A dashboard with its data in a file. */
  | { kind: "file"; file: string }
  /** A dashboard before and after a change, with its data in a file. */
  | { kind: "comparison"; file: string }
  | { kind: "dashboard"; uid: string }
  | { kind: "folder"; uid: string }
  | { kind: "unknown" };

export function pageOf({ pathname, searchParams }: URL): Page {
  for (const [name, kind] of [
    ["data", "file"],
    ["comparison", "comparison"],
  ] as const) {
    const file = searchParams.get(name);
    if (file) return { kind, file };
  }
  const [, kind, uid = ""] = /\/(d|dashboards\/f)\/([^/]+)/.exec(pathname) ?? [];
  if (!kind) return { kind: "unknown" };
  return { kind: kind === "d" ? "dashboard" : "folder", uid: decodeURIComponent(uid) };
}

/** A range as in the address: relative such as `now-24h`, milliseconds, or a time as text. */
export interface Raw {
  from: string;
  to: string;
}

export function rawOf({ searchParams }: URL, model: Record<string, unknown>): Raw {
  const time = model.time as Partial<Raw> | undefined;
  return {
    from: searchParams.get("from") ?? time?.from ?? "now-6h",
    to: searchParams.get("to") ?? time?.to ?? "now",
  };
}

/** `browser`, `utc` or a name. */
export const timeZoneOf = ({ searchParams }: URL, model: Record<string, unknown>): string =>
  searchParams.get("timezone") || (model.timezone as string | undefined) || "browser";

/**
 * The range in milliseconds.
 *
 * @param now milliseconds; one for both ends, so that `now-24h` is a day ago exactly
 * @throws Error if an end is no time, or the end is not after the start
 */
export function rangeOf({ from, to }: Raw, timeZone: string, now: number): Range {
  const range = { from: timeOf(from, false, timeZone, now), to: timeOf(to, true, timeZone, now) };
  if (range.from >= range.to) throw new Error(`The time range from ${from} to ${to} is empty`);
  return range;
}

function timeOf(text: string, roundUp: boolean, timeZone: string, now: number): number {
  const time = /^\d+$/.test(text) ? Number(text) : grafana.dateMath.toDateTime(text, { roundUp, timezone: timeZone, now })?.valueOf();
  if (time === undefined || Number.isNaN(time)) throw new Error(`Not a time: ${text}`);
  return time;
}

/** The value that stands for "All". */
export const all = "$__all";

/** The values of variables in the address, by name. "All" is an empty list. */
export function selectedOf({ searchParams }: URL): Record<string, string[]> {
  const names = [...searchParams.keys()].filter((key) => key.startsWith("var-"));
  return Object.fromEntries(
    names.map((key) => [key.slice(4), searchParams.getAll(key).filter((value) => value !== all && value !== "All")]),
  );
}

/** The address with these values of a variable. */
export function withSelected(url: URL, name: string, values: readonly string[]): URL {
  const changed = new URL(url);
  changed.searchParams.delete(`var-${name}`);
  for (const value of values.length > 0 ? values : [all]) changed.searchParams.append(`var-${name}`, value);
  return changed;
}

/** The address with this range. */
export function withRaw(url: URL, { from, to }: Raw): URL {
  const changed = new URL(url);
  changed.searchParams.set("from", from);
  changed.searchParams.set("to", to);
  return changed;
}
