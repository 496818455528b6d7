/** `npm run backtest`: what the alert rules of a stack would have done in the last days, also with other values of a setting. */
import { isDeepStrictEqual } from "node:util";
import { defineAlerts } from "../alerts/definitions";
import { openPast, type Past, withBudgets } from "../backtest/past";
import type { Labels, ReplayedRule } from "../backtest/replay";
import { firingTime, incidentsOf, inTime, lastDays, limit, listed, reasonOf } from "../backtest/words";
import { aligned } from "../checks/table";
import { problemText, type Settings } from "../settings";
import { budgetRules } from "../signals/costs";
import { shell, visible } from "../text/sanitize";
import { daysOf, endWith, readOptions, stackOption } from "./options";
import { readStack } from "./stack";

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
  const days = daysOf(values.days ?? "7");
  const [key, ...others] = positionals;
  if (!stack) throw new Error("Name the stack: npm run backtest -- --stack NAME");
  if (days === undefined) throw new Error("--days must be a whole number from 1 to 30.");
  if (key && others.length === 0) throw new Error(shell`Name values, too: npm run backtest -- --stack ${stack} ${key} VALUE ...`);
  const { settings, access, change } = readStack(stack);
  const changed = (value: string) => {
    const result = change({ [key ?? ""]: value });
    if ("settings" in result) return result.settings;
    // Without the commands, which would change the stack.
    const problems = result.problems.map((problem) => `  ${problemText(problem)}`).join("\n");
    throw new Error(`${visible(value)} is no value to compare. Nothing was changed.\n${problems}`);
  };
  const compared = key
    ? differing([{ value: "now", settings }, ...others.map((value) => ({ value, settings: changed(value) }))])
    : rulesOf(settings).map((rule) => ({ value: "", rule }));
  if (compared.length === 0)
    throw new Error(key ? shell`No alert rule changes with ${key}. ${choices}` : shell`Stack ${stack} has no alert rules.`);

  // Whoever chooses limits before switching alerts on will have them in Grafana, unless a ruler evaluates the recording rules.
  const ruler = settings.alerts.state === "on" || settings.dashboards.recordingRules !== "external" ? "grafana" : "prometheus";
  const past = openPast(access, settings.datasources.prometheus.uid, days, ruler);
  const rows = [["alert", ...(key ? [key] : []), "incidents", "alerts", "firing", "longest", "by application, notes"]];
  let failures = 0;
  for (const { value, rule } of compared) {
    console.error(`${rows.length} of ${compared.length}: ${rule.title}`);
    const cells = await past.replayed(rule).then(cellsOf, (error: Error) => {
      failures += 1;
      return ["not known", "", "", "", reasonOf(error)];
    });
    rows.push([rule.title, ...(key ? [value] : []), ...cells]);
  }
  console.log(aligned(rows).join("\n"));
  console.log(`
As ${ruler === "grafana" ? "Grafana" : "Prometheus or Mimir"} would have evaluated the rules in the last ${lastDays(days)}. An incident
lasts while an alert fires. Times are exact to one evaluation. ${past.used()}`);
  if (failures === compared.length) process.exitCode = 1;
}

/** Budgets of applications are recorded: those of the settings take their place. */
const rulesOf = (settings: Settings): ReplayedRule[] => {
  const [budgets] = budgetRules(settings.alerts.budgets ?? {});
  const { all } = defineAlerts({ ...settings, alerts: { ...settings.alerts, state: "on" } });
  return all.flatMap(({ rules }) => rules.map((rule) => withBudgets(rule, budgets?.query)));
};

/** The rules that are not the same for all values of a setting, one after the other for each of the values. */
function differing(variants: readonly { value: string; settings: Settings }[]) {
  const all = variants.flatMap(({ value, settings }) => rulesOf(settings).map((rule) => ({ value, rule })));
  return [...new Set(all.map(({ rule }) => rule.title))].flatMap((title) => {
    const own = all.filter(({ rule }) => rule.title === title);
    const isSame = own.length === variants.length && own.every(({ rule }) => isDeepStrictEqual(rule, own[0]?.rule));
    return isSame ? [] : own;
  });
}

function cellsOf(past: Past | undefined): string[] {
  if (!past) return ["no data", "", "", "", ""];
  const { alerts, notes } = past;
  const count = (own: Past["alerts"], name: string) => `${name} ${own.length}${own.at(-1)?.isOpen ? " (fires now)" : ""}`;
  const last = [listed(alerts, applicationOf, count), ...notes.map((note) => `(${note})`)].filter(Boolean).join(" ");
  if (alerts.length === 0) return ["0", "", "", "", last];
  const incidents = incidentsOf(alerts);
  return [`${incidents.length}`, `${alerts.length}`, firingTime(alerts), inTime(Math.max(...incidents)), last];
}

const applicationOf = ({ application, applicationName = application, provider }: Labels) =>
  applicationName ?? (provider ? `all of ${provider}` : "all");

main().catch(endWith(1));
