/** The README's tables of faults, from what the tests saw. */
import type { GrafanaFault } from "./grafana-faults";
import type { Point } from "./kill/points";
import type { Observed } from "./service/observe";
import type { Afterwards, ServiceFault } from "./service-faults";

const afterwardsWords: Record<Afterwards, string> = { registered: "registered", nothing: "nothing registered", unknown: "not known" };

/** A line for each group of rows, which must not differ in it. */
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

/** What a service does, what it costs, what is read and what is so afterwards. */
export function serviceTable(faults: readonly ServiceFault[], seen: (what: string) => Observed): string {
  const rows = faults.map(({ line, what, afterwards }): [string, ...(string | number)[]] => {
    const { first, lines: announced } = seen(what);
    return [line, first.requests, shorten(first.error ?? announced[0] ?? ""), afterwardsWords[afterwards]];
  });
  return ["| The service | Requests | What the user reads | Afterwards |", "|---|---|---|---|", ...lines(rows)].join("\n");
}

/** What happened and what to do, without addresses, the service's own words, and what differs from one fault of a line to the next. */
function shorten(text: string): string {
  const [happened = "", ...others] = text.replace(/^Registering the connection by POST \S+ failed: /, "").split("\n");
  const advice = others.length > 1 ? others.at(-1) : "";
  return `${happened} ${advice}`
    .replace(/(https?:\/\/)?(127\.0\.0\.1:\d+|[\w-]+(\.[\w-]+)*\.test)[^\s,;]*/g, "…")
    .replace(/ \(([^()]|\([^()]*\))*\)/g, "")
    .replace(/^… answered \d+: \[redacted\][.;] /, "")
    .replace(/answered \d+/g, "answered that")
    .replace(/(trying again|due) in \S+ s\b/g, "$1")
    .trim();
}

/** What Grafana does, and what is read: the program's own words, or those of whoever saves. */
export function grafanaTable(faults: readonly GrafanaFault[], said: (what: string) => string): string {
  const rows = faults.map(({ line, what, says, voice }): [string, string] => {
    if (voice === "the plugin's") return [line, "Grafana's own words, at the resource that is not saved"];
    const read = said(what)
      .split("\n")
      .find((line) => says.every((part) => line.includes(part)));
    if (!read) throw new Error(`Nothing was read of "${what}"`);
    return [line, read.replace(/.*Grafana at \S+ /, "… ").replace(/answered .* to GET \S+/, "answered that.")];
  });
  return ["| Grafana | What the user reads |", "|---|---|", ...lines(rows)].join("\n");
}

/** Who was killed when, and what led on. Points that need the same stand in one line. */
export function killTable(points: readonly Point[]): string {
  const groups = new Map<string, string[]>();
  for (const [write, phase, victim, steps, registrations] of points) {
    const end = `${[...steps, "up"].join(", ")} | ${registrations}`;
    const key = `${victim} | ${end}`;
    groups.set(key, [...(groups.get(key) ?? []), `${write} ${phase}`]);
  }
  const rows = [...groups].sort().map(([key, when]) => {
    const [victim, ...end] = key.split(" | ");
    return `| ${[victim, when.join(", "), ...end].join(" | ")} |`;
  });
  return ["| Killed | While the request was | What led on | Registrations |", "|---|---|---|---|", ...rows].join("\n");
}
