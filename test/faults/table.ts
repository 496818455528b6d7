/** The tables of faults in the READMEs, from the results of the tests. */
import type { GrafanaFault } from "./grafana-faults";
import type { Point } from "./kill/points";
import type { Observed } from "./service/observe";
import type { Afterwards, ServiceFault } from "./service-faults";

const afterwardsWords: Record<Afterwards, string> = { registered: "registered", nothing: "not registered", unknown: "unknown" };

/** One line for each group of rows. The rows of a group must have the same cells. */
function lines(rows: [line: string, ...cells: (string | number)[]][]): string[] {
  const all = new Map<string, string>();
  for (const [line, ...cells] of rows) {
    const rest = cells.join(" | ");
    const other = all.get(line) ?? rest;
    if (other !== rest) throw new Error(`The rows of "${line}" differ:\n${other}\n${rest}`);
    all.set(line, rest);
  }
  return [...all].map(([line, rest]) => `| ${line} | ${rest} |`);
}

/** The behavior of the service, the requests, the message, and the state of the registration. */
export function serviceTable(faults: readonly ServiceFault[], seen: (what: string) => Observed): string {
  const rows = faults.map(({ line, what, afterwards }): [string, ...(string | number)[]] => {
    const { first, lines: announced } = seen(what);
    return [line, first.requests, shorten(first.error ?? announced[0] ?? ""), afterwardsWords[afterwards]];
  });
  return ["| Behavior of the service | Requests | Message | Connection |", "|---|---|---|---|", ...lines(rows)].join("\n");
}

/** The failure and the fix of a message, without addresses, reasons of the service, and other parts that differ within a line. */
function shorten(text: string): string {
  const [happened = "", ...others] = text.replace(/^Registering the connection with POST \S+ failed: /, "").split("\n");
  const advice = others.length > 1 ? others.at(-1) : "";
  return `${happened} ${advice}`
    .replace(/(https?:\/\/)?(127\.0\.0\.1:\d+|[\w-]+(\.[\w-]+)*\.test)[^\s,;]*/g, "…")
    .replace(/ \(([^()]|\([^()]*\))*\)/g, "")
    .replace(/^… returned \d+(: \[redacted\])?[.;] /, "")
    .replace(/returned \d+/g, "returned this status")
    .replace(/(retrying|start) in \S+ s\b,?/g, "$1")
    .trim();
}

/** The behavior of Grafana, and the message of the program or of the Grafana provider. */
export function grafanaTable(faults: readonly GrafanaFault[], messageOf: (what: string) => string): string {
  const rows = faults.map(({ line, what, says, reportedBy }): [string, string] => {
    if (reportedBy === "plugin") return [line, "Grafana's message, at the resource that was not saved"];
    const message = messageOf(what)
      .split("\n")
      .find((line) => says.every((part) => line.includes(part)));
    if (!message) throw new Error(`No message for "${what}"`);
    return [line, message.replace(/.*Grafana at \S+ /, "… ").replace(/returned .* for GET \S+/, "returned this status.")];
  });
  return ["| Behavior of Grafana | Message |", "|---|---|", ...lines(rows)].join("\n");
}

/** The killed process, the time, and the commands that recover. Points with the same commands share a line. */
export function killTable(points: readonly Point[]): string {
  const groups = new Map<string, string[]>();
  for (const [write, phase, killed, steps, registrations] of points) {
    const end = `${[...steps, "up"].join(", ")} | ${registrations}`;
    const key = `${killed} | ${end}`;
    groups.set(key, [...(groups.get(key) ?? []), `${write} ${phase}`]);
  }
  const rows = [...groups].sort().map(([key, when]) => {
    const [killed, ...end] = key.split(" | ");
    return `| ${[killed, when.join(", "), ...end].join(" | ")} |`;
  });
  return ["| Killed process | State of the request | Commands to recover | Registrations |", "|---|---|---|---|", ...rows].join("\n");
}
