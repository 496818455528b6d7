/** Results of checks and how a person reads them. Pure. */
import { visible } from "../shown";

/**
 * One line of the report. `ok` and `failed` are verdicts, `note` tells something that is nobody's fault, such as a platform without data.
 */
export interface CheckResult {
  what: string;
  verdict: "ok" | "failed" | "note";
  /** Why, and for a failure what to do. Never holds a secret. */
  detail: string;
}

/** The results as an aligned table, with a last line that counts them. */
export function formatReport(results: readonly CheckResult[]): string {
  const rows = [["check", "result", "detail"], ...results.map(({ what, verdict, detail }) => [what, verdict, visible(detail)])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const failed = results.filter(({ verdict }) => verdict === "failed").length;
  const passed = results.filter(({ verdict }) => verdict === "ok").length;
  return [...lines, `${passed} ok, ${failed} failed`].join("\n");
}
