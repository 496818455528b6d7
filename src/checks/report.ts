/** Results of checks and how a person reads them. Pure. */
import { visible } from "../text/sanitize";

/**
 * One line of the report. `ok` and `failed` are verdicts, `note` tells something that is nobody's fault, such as a platform without data.
 */
export interface CheckResult {
  what: string;
  verdict: "ok" | "failed" | "note";
  /** Why, and for a failure what to do. Never holds a secret. */
  detail: string;
}

/** The results as an aligned table, with a last line that counts them and names those that are not ok. */
export function formatReport(results: readonly CheckResult[]): string {
  const rows = [["check", "result", "detail"], ...results.map(({ what, verdict, detail }) => [visible(what), verdict, visible(detail)])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const named = (verdict: CheckResult["verdict"]) => results.flatMap((each) => (each.verdict === verdict ? [visible(each.what)] : []));
  const [failed, notes] = [named("failed"), named("note")];
  const counts = [
    `${named("ok").length} ok`,
    `${failed.length} failed${inBrackets(failed)}`,
    `${notes.length} ${notes.length === 1 ? "note" : "notes"}${inBrackets(notes)}`,
  ];
  return [...lines, counts.join(", ")].join("\n");
}

const inBrackets = (names: readonly string[]) => (names.length > 0 ? ` (${names.join(", ")})` : "");

/** The line that counts the results, of all that the checks printed; empty where there is none. */
export function summaryOf(printed: string): string {
  return printed.split("\n").findLast((line) => /^\d+ ok, \d+ failed/.test(line)) ?? "";
}
