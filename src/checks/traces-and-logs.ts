/** Judges whether logs and spans arrive. */
import { type Finding, note, ok } from "./table";

/** @param types values of the label `type` of the streams in the last 24 hours */
export function classifyStreams(streams: string, types: readonly string[]): Finding {
  const missing = ["prompt", "response"].filter((type) => !types.includes(type));
  if (missing.length === 0) return ok("prompts and responses arrive");
  const found = types.length > 0 ? `, only ${types.map((type) => `"${type}"`).join(", ")}` : "";
  return note(`no data yet: no log streams ${streams} with type "${missing.join('" or "')}" in the last 24 hours${found}`);
}

/** A dashboard with spans. */
export interface SpansOfDashboard {
  title: string;
  /** Whether a span that it shows arrived in the last hour. */
  found: boolean;
  /** Whether its series arrive. */
  series: boolean;
}

/**
 * One dashboard without spans is normal if another one has them, unless its series arrive.
 *
 * @param pushesTraces whether applications have the permission to push spans (`otlpData`)
 */
export function classifySpans(dashboards: readonly SpansOfDashboard[], pushesTraces: boolean): Finding {
  const titlesOf = (some: readonly SpansOfDashboard[], or: string) => some.map(({ title }) => `"${title}"`).join(` ${or} `);
  const found = dashboards.filter((dashboard) => dashboard.found);
  const missing = dashboards.filter((dashboard) => !dashboard.found && (dashboard.series || found.length === 0));
  if (found.length === 0 && !pushesTraces) return ok("no spans are pushed: otlpData is metrics");
  if (found.length === 0) return note(`no data yet: no spans for ${titlesOf(missing, "or")} in the last hour`);
  const arrive = `arrive for ${titlesOf(found, "and")}`;
  return missing.length === 0
    ? ok(arrive)
    : note(`${arrive}, but not for ${titlesOf(missing, "or")} in the last hour, although its series arrive`);
}
