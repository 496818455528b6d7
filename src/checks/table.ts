/** The results of the checks as a table. */
import { shell, visible } from "../text/sanitize";

/** The result of one check. A `note` is no failure, for example a platform that has no data yet. */
export interface CheckResult {
  name: string;
  status: "ok" | "failed" | "note";
  /** The reason, and for a failure the fix, with `--stack STACK` in commands. Never contains a secret. */
  detail: string;
}

/** The result of one attempt. `refused`: the credentials were not accepted, which may change if they are new. */
export type Finding = Omit<CheckResult, "name"> & { refused?: boolean };

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const note = (detail: string): Finding => ({ status: "note", detail });
export const failed = (detail: string, refused = false): Finding => ({ status: "failed", detail, refused });

/** The first of some names, and how many others there are. */
export const firstOf = (names: readonly string[], count = 1) =>
  `${names.slice(0, count).join(", ")}${names.length > count ? ` and ${names.length - count} more` : ""}`;

export const applicationsOf = (senders: readonly { application: string }[]) =>
  firstOf([...new Set(senders.map(({ application }) => application || "an application"))].sort());

/** The lines of a table with aligned columns. */
export function aligned([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows].map((row) => row.map(visible));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const padded = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return padded.map((row) => row.join("  ").trimEnd());
}

/** The results as a table, with commands for the stack. Its last line counts them and names those that are not ok. */
export function formatTable(results: readonly CheckResult[], stack: string): string {
  const forStack = (detail: string) => detail.replaceAll("--stack STACK", shell`--stack ${stack}`);
  const lines = aligned([["check", "result", "detail"], ...results.map(({ name, status, detail }) => [name, status, forStack(detail)])]);
  const namesOf = (status: CheckResult["status"]) => results.filter((result) => result.status === status).map(({ name }) => visible(name));
  const [failures, notes] = [namesOf("failed"), namesOf("note")];
  const list = (names: readonly string[]) => (names.length > 0 ? ` (${names.join(", ")})` : "");
  const noteCount = `${notes.length} ${notes.length === 1 ? "note" : "notes"}${list(notes)}`;
  return [...lines, `${namesOf("ok").length} ok, ${failures.length} failed${list(failures)}, ${noteCount}`].join("\n");
}

/** The last line of the table in the output of the checks; empty without a table. */
export function summaryOf(output: string): string {
  return output.split("\n").findLast((line) => /^\d+ ok, \d+ failed/.test(line)) ?? "";
}
