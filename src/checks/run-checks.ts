/** Runs all checks of a deployed platform at once. Each gives one line of the table and never throws. */
import type { GrafanaAccess } from "../network/grafana";
import { readSeries } from "../signals/opentelemetry-rules";
import { checkBudgets, checkCoverage, checkLiveSeries, checkNumbers, checkResets, checkStreams } from "./arrival";
import { checkDashboard, checkDatasource, checkPush, checkRules, checkService } from "./deployed";
import { retrySecondsVariable } from "./input";
import type { Stores } from "./query";
import { checkRecording } from "./recording";
import { askTelemetry } from "./senders";
import { judgeSeries } from "./series";
import { findSpans, judgeSpans } from "./spans";
import { type CheckResult, type Finding, failed, note } from "./table";
import type { CheckSecrets, CheckTargets } from "./targets";

/** How long to repeat a check whose credentials were refused, and the pause between two attempts; milliseconds. */
export type Retry = Record<"timeout" | "interval", number>;

const usualRetry = (): Retry => ({ timeout: 1_000 * Number(process.env[retrySecondsVariable] ?? 30), interval: 3_000 });

/** @returns the results in the order of the table */
export async function runChecks(targets: CheckTargets, secrets: CheckSecrets, retry = usualRetry()): Promise<CheckResult[]> {
  const access: GrafanaAccess = { ...targets.grafana, auth: secrets.grafanaAuth, secrets: secretTexts(secrets) };
  const { datasources, dashboards, rules, otlp } = targets;
  const checks: [name: string, attempt: () => Promise<Finding>][] = [];
  for (const datasource of datasources) checks.push([`datasource ${datasource.uid}`, () => checkDatasource(access, datasource)]);
  for (const dashboard of dashboards) checks.push([`dashboard "${dashboard.title}"`, () => checkDashboard(access, dashboard)]);
  if (rules) checks.push(["rules in Grafana", () => checkRules(access, rules)]);
  for (const data of otlp.data) checks.push([`OTLP ${data}`, () => checkPush(`${otlp.endpoint}/v1/${data}`, secrets.otlpAuthorization)]);
  checks.push(["service", () => checkService(targets)]);
  const results = await Promise.all(checks.map(async ([name, attempt]) => ({ name, ...(await withRetry(attempt, retry)) })));
  return [...results, ...(await checkArrival(access, targets))];
}

/** Checks whether logs, spans and series arrive. What cannot be asked is a note, never a failure. */
export async function checkArrival(access: GrafanaAccess, targets: CheckTargets): Promise<CheckResult[]> {
  const { datasources, dashboards, sdk, recording, streams, otlp } = targets;
  if (dashboards.length === 0) return [];
  const stores: Stores = { ...access, datasources };
  const spans = findSpans(stores, dashboards);
  const names = new Set([...dashboards.flatMap(({ series }) => series), ...(sdk ? readSeries(sdk.naming) : [])]);
  const telemetry = askTelemetry(stores, dashboards, spans, names);
  const checks: [name: string, finding: Promise<Finding>][] = [["numbers", checkNumbers(stores, names)]];
  for (const dashboard of dashboards) {
    checks.push([`series of "${dashboard.title}"`, telemetry.then((arrived) => judgeSeries(dashboard, arrived, targets))]);
  }
  if (sdk) checks.push(["counters", checkResets(stores, sdk.counters)]);
  if (sdk?.readsSamples) {
    const names = dashboards.flatMap((dashboard) => (dashboard.sdk?.telemetry === "spec" ? dashboard.series : []));
    checks.push(["live series", checkLiveSeries(stores, names)]);
  }
  if (recording) checks.push(["recording rules", checkRecording(stores, recording)]);
  if (sdk?.budgets) checks.push(["budgets", checkBudgets(stores, sdk.budgets)]);
  if (sdk?.gateways) checks.push(["gateways", checkCoverage(stores, sdk.gateways)]);
  if (streams) checks.push(["log streams", checkStreams(stores, streams)]);
  if (sdk) checks.push(["spans", spans.then((found) => judgeSpans(found, dashboards, otlp.data.includes("traces"), sdk.gateways?.names))]);
  return Promise.all(
    checks.map(async ([name, finding]) => ({ name, ...(await finding.catch((error: Error) => note(`unknown: ${error.message}`))) })),
  );
}

/** The secrets that Grafana's messages may contain, besides its own credentials: it passes on messages of its stores. */
function secretTexts({ otlpAuthorization, datasourceSecrets }: CheckSecrets): string[] {
  const push = Buffer.from(otlpAuthorization.replace(/^Basic /, ""), "base64").toString("utf8");
  return [push.slice(push.indexOf(":") + 1), ...datasourceSecrets];
}

async function withRetry(attempt: () => Promise<Finding>, { timeout, interval }: Retry): Promise<Omit<CheckResult, "name">> {
  for (const end = Date.now() + timeout; ; ) {
    const { refused, ...finding } = await attempt().catch((error: Error) => failed(error.message));
    if (!refused || Date.now() + interval > end) return finding;
    await new Promise((resume) => setTimeout(resume, interval));
  }
}
