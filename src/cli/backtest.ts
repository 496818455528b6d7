/** `npm run backtest`: what the alert rules of a stack would have done in the last days, also with other values of a setting. */
import { isDeepStrictEqual } from "node:util";
import { defineAlerts } from "../alerts/definitions";
import { limit, openPast, type Past, withBudgets } from "../backtest/past";
import type { Labels, ReplayedRule } from "../backtest/replay";
import { firingTime, incidentsOf, inTime, lastDays, listed, reasonOf } from "../backtest/words";
import type { Settings } from "../settings";
import { budgetRules } from "../signals/costs";
import { shell, visible } from "../text/sanitize";
import { readOptions, stackOption } from "./options";
import { endWith, readStack } from "./stack";

const choices = "Settings with limits: alertErrorRate, alertLatency, alertBudget, alertBudgets.";

const usage = `Usage: npm run backtest -- --stack NAME [--days NUMBER] [SETTING VALUE ...]

Prints the alerts that the rules of a stack would have sent in the last days: with its settings, or with other values of one setting,
such as "alertErrorRate 0.5 2" or "alertBudgets '{"shop":50}'". ${choices}
Reads Prometheus or Mimir through Grafana, with ${limit.text}, and changes nothing.

  -s, --stack NAME the stack
  --days NUMBER    1 to 30, by default 7. Above 7, each rule is evaluated every five minutes or less often.

Exit codes: 0 printed, 1 failed, or no rule could be replayed.`;

async function main(): Promise<void> {
  const { values, positionals } = readOptions(usage, { ...stackOption, days: { type: "string" } }, { positionals: 20 });
  const { stack } = values;
  const days = Number(values.days ?? 7);
  const [key, ...others] = positionals;
  if (!stack) throw new Error("Name the stack: npm run backtest -- --stack NAME");
  if (!(Number.isInteger(days) && days > 0 && days <= 30)) throw new Error("--days must be a whole number from 1 to 30.");
  if (key && others.length === 0) throw new Error(shell`Name values, too: npm run backtest -- --stack ${stack} ${key} VALUE ...`);
  const { settings, access, change } = readStack(stack);
  const changed = (value: string) => {
    try {
      return change({ [key ?? ""]: value });
    } catch (error) {
      // Without the commands, which would change the stack.
      const problems = String(error)
        .split("\n")
        .filter((line) => /^ {2}\S/.test(line));
      throw new Error(`${visible(value)} is no value to compare. Nothing was changed.\n${problems.join("\n")}`);
    }
  };
  const variants = [["now", settings] as const, ...others.map((value) => [value, changed(value)] as const)];
  const all = variants.flatMap(([value, own]) => rulesOf(own).map((rule) => ({ value, rule })));
  const isCommon = (rule: ReplayedRule) => all.filter((other) => isDeepStrictEqual(other.rule, rule)).length === variants.length;
  const place = (title: string) => all.findIndex(({ rule }) => rule.title === title);
  const compared = all.filter(({ rule }) => !key || !isCommon(rule)).sort((a, b) => place(a.rule.title) - place(b.rule.title));
  if (compared.length === 0)
    throw new Error(key ? shell`No alert rule changes with ${key}. ${choices}` : shell`Stack ${stack} has no alert rules.`);

  // Whoever chooses limits before switching alerts on will have them in Grafana, unless a ruler evaluates the recording rules.
  const ruler = settings.alerts.state === "on" || settings.dashboards.recordingRules !== "external" ? "grafana" : "prometheus";
  const past = openPast(access, settings.datasources.prometheus.uid, days, ruler);
  const rows = [["alert", ...(key ? [key] : []), "incidents a week", "alerts", "firing", "longest", "alerts by application"]];
  let failures = 0;
  for (const { value, rule } of compared) {
    console.error(`${rows.length} of ${compared.length}: ${rule.title}`);
    const cells = await past.of(rule).then(cellsOf, (error: Error) => {
      failures += 1;
      return ["not known", "", "", "", visible(reasonOf(error))];
    });
    rows.push([rule.title, ...(key ? [visible(value)] : []), ...cells]);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const padded = row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0));
    console.log(padded.join("  ").trimEnd());
  }
  console.log(`
As ${ruler === "grafana" ? "Grafana" : "Prometheus or Mimir"} would have evaluated the rules in the last ${lastDays(days)}. An incident
lasts while an alert fires. Times are exact to one evaluation. ${past.used()}`);
  if (failures === compared.length) process.exitCode = 1;

  function cellsOf({ alerts, seconds, notes }: Past): string[] {
    if (seconds === 0) return ["no data", "", "", "", ""];
    const incidents = incidentsOf(alerts);
    const count = (own: Past["alerts"], name: string) => `${visible(name)} ${own.length}${own.at(-1)?.isOpen ? " (fires now)" : ""}`;
    const last = [listed(alerts, applicationOf, count), ...notes.map((note) => `(${note})`)].filter(Boolean).join(" ");
    if (alerts.length === 0) return ["0", "", "", "", last];
    const aWeek = Number(((incidents.length * 7 * 86_400) / seconds).toFixed(1));
    return [`${aWeek}`, `${alerts.length}`, firingTime(alerts), inTime(Math.max(...incidents)), last];
  }
}

const applicationOf = ({ application, applicationName = application, provider }: Labels) =>
  applicationName ?? (provider ? `all of ${provider}` : "all");

/** Budgets of applications are recorded: those of the settings take their place. */
const rulesOf = (settings: Settings): ReplayedRule[] => {
  const [budgets] = budgetRules(settings.alerts.budgets ?? {});
  const { all } = defineAlerts({ ...settings, alerts: { ...settings.alerts, state: "on" } });
  return all.flatMap(({ rules }) => rules.map((rule) => withBudgets(rule, budgets?.query)));
};

main().catch(endWith(1));
