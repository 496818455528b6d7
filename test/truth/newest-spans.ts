/** Which spans Tempo returns, without any query. */
import type { Window } from "./ledger";
import type { Call } from "./world/world";

/**
 * The wanted spans of the newest traces that have any, newest first. A trace is in the window with all of its spans if any part of it is. Tempo's windows
 * have full seconds.
 */
export function newestSpans(calls: readonly Call[], isWanted: (call: Call) => boolean, { from, to }: Window, limit: number): Call[] {
  const arrived = calls.filter((call) => call.arrived);
  const traces = new Map<string, { start: number; end: number }>();
  for (const { traceId, start, end } of arrived) {
    const trace = traces.get(traceId) ?? { start, end };
    traces.set(traceId, { start: Math.min(start, trace.start), end: Math.max(end, trace.end) });
  }
  const traceOf = ({ traceId }: Call) => traces.get(traceId) as { start: number; end: number };
  const isInWindow = ({ start, end }: { start: number; end: number }) => start <= to && end >= from;
  const found = arrived.filter((span) => isWanted(span) && isInWindow(traceOf(span)));
  const newest = new Set(
    [...new Set(found.sort((left, right) => traceOf(right).start - traceOf(left).start).map(({ traceId }) => traceId))].slice(0, limit),
  );
  return found
    .filter(({ traceId }) => newest.has(traceId))
    .sort((left, right) => right.start - left.start)
    .slice(0, limit);
}
