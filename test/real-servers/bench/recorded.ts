/** A benchmark with wrong recorded series would measure something else: comparisons with the rules' own queries, and with the direct panels. */
import type { DataSet } from "./data";
import { ask } from "./measure";

/** Values by labels, and by time for a graph. */
export type Values = Map<string, number>;

/**
 * Evaluates the rules at some minutes, as Prometheus does, and compares the results with the recorded samples of these minutes.
 *
 * @throws Error if one is different or missing
 */
export async function requireRecorded(server: string, { recorded }: DataSet): Promise<void> {
  for (const { name, query, labelled } of recorded?.rules.map((rule) => ({ ...rule, labelled: filterOf(rule.query) })) ?? []) {
    let compared = 0;
    for (const time of recorded?.minutes ?? []) {
      const at = { time: `${time / 1000}` };
      const expected = await ask(server, { path: "/api/v1/query", parameters: { query, ...at } });
      // A range instead of the last value: only samples of this very minute.
      const found = await ask(server, { path: "/api/v1/query", parameters: { query: `${name}{${labelled}}[1s]`, ...at } });
      requireSame(expected.values, found.values, `${name} at ${new Date(time).toISOString()}`);
      compared += expected.values.size;
    }
    if (compared === 0) throw new Error(`The rule ${name} has no result at any of the compared minutes`);
  }
}

/** The filter on the SDK in a rule's query. */
const filterOf = (query: string) => /telemetry_sdk_name="[^"]*"/.exec(query)?.[0] ?? "";

/** @throws Error if the values differ by more than rounding. A missing value is 0: only one way may know that nothing happened. */
export function requireSame(expected: Values, found: Values, what: string): void {
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [left, right] = [expected.get(key) ?? 0, found.get(key) ?? 0];
    if (Math.abs(left - right) > 1e-9 * Math.max(1, Math.abs(left)))
      throw new Error(`The recorded series of the benchmark are wrong: ${what}, ${key}: ${right} instead of ${left}`);
  }
}
