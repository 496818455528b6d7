/** Runs all checks of a deployed platform at once. Each gives one line of the table and never throws. */
import type { GrafanaAccess } from "../network/grafana";
import { judgeLive, judgeRecording, judgeResets, judgeSpans, judgeStreams } from "./arrival";
import { checkCoverage } from "./coverage";
import { checkConnection, checkPush, checkService } from "./endpoint-checks";
import { askFacts, askLive, askRecording, askResets, askStreams } from "./facts";
import { checkDashboard, checkDatasource, checkFolder } from "./grafana-checks";
import { type CheckSecrets, type CheckTargets, retrySecondsVariable } from "./input";
import { checkNumbers } from "./numbers";
import { judgeSeries } from "./series";
import { askSpans } from "./spans";
import { type CheckResult, type Finding, failed, note } from "./table";

/** How long to repeat a check whose credentials were refused, and the pause between two attempts; milliseconds. */
export type Retry = Record<"timeout" | "interval", number>;

const usualRetry = (): Retry => ({ timeout: 1_000 * Number(process.env[retrySecondsVariable] ?? 30), interval: 3_000 });

/** @returns the results in the order of the table */
export async function runChecks(targets: CheckTargets, secrets: CheckSecrets, retry = usualRetry()): Promise<CheckResult[]> {
  const access: GrafanaAccess = { ...targets.grafana, auth: secrets.grafanaAuth, secrets: secretTexts(secrets) };
  const { datasources, folder, dashboards, otlp, verifyConnection } = targets;
  const { otlpAuthorization, connection } = secrets;
  const checks: [name: string, attempt: () => Promise<Finding>][] = [];
  for (const datasource of datasources) checks.push([`datasource ${datasource.uid}`, () => checkDatasource(access, datasource)]);
  if (folder) checks.push([`folder ${folder.uid}`, () => checkFolder(access, folder)]);
  for (const dashboard of dashboards) checks.push([`dashboard "${dashboard.title}"`, () => checkDashboard(access, dashboard)]);
  for (const signal of otlp.data) checks.push([`OTLP ${signal}`, () => checkPush(`${otlp.endpoint}/v1/${signal}`, otlpAuthorization)]);
  checks.push(["service", () => checkService(targets)]);
  if (verifyConnection && connection) checks.push(["connection", () => checkConnection(targets, connection)]);
  const results = await Promise.all(checks.map(async ([name, attempt]) => ({ name, ...(await withRetry(attempt, retry)) })));
  return [...results, ...(await checkArrival(access, targets))];
}

/** Checks whether logs, spans and series arrive. What cannot be asked is a note, never a failure. */
export async function checkArrival(access: GrafanaAccess, targets: CheckTargets): Promise<CheckResult[]> {
  const { dashboards, sdk, recording, streams } = targets;
  if (dashboards.length === 0) return [];
  const spans = askSpans(access, targets);
  const facts = askFacts(access, targets, spans);
  const checks: [name: string, finding: Promise<Finding>][] = [["numbers", checkNumbers(access, targets)]];
  for (const dashboard of dashboards) {
    checks.push([`series of "${dashboard.title}"`, facts.then((known) => judgeSeries(dashboard, known, targets))]);
  }
  if (sdk) checks.push(["counters", askResets(access, targets, sdk).then(judgeResets)]);
  if (sdk?.readsSamples) checks.push(["live series", askLive(access, targets).then(judgeLive)]);
  if (recording)
    checks.push(["recording rules", askRecording(access, targets, recording).then((found) => judgeRecording(recording, found))]);
  if (sdk?.gateways) checks.push(["gateways", checkCoverage(access, targets, sdk.gateways)]);
  if (streams) checks.push(["log streams", askStreams(access, targets, streams).then((types) => judgeStreams(streams, types))]);
  if (sdk) checks.push(["spans", spans.then((found) => judgeSpans(found, targets))]);
  return Promise.all(
    checks.map(async ([name, finding]) => ({ name, ...(await finding.catch((error: Error) => note(`unknown: ${error.message}`))) })),
  );
}

/** The secrets, in addition to its own credentials, that Grafana's messages may contain, since it passes on messages of its stores. */
function secretTexts({ otlpAuthorization, connection, datasourceSecrets = [] }: CheckSecrets): string[] {
  const push = Buffer.from(otlpAuthorization.replace(/^Basic /, ""), "base64").toString("utf8");
  const token = push.slice(push.indexOf(":") + 1);
  return [token, ...(connection ? [connection.serviceApiKey, connection.body.ApiKey] : []), ...datasourceSecrets];
}

async function withRetry(attempt: () => Promise<Finding>, { timeout, interval }: Retry): Promise<Omit<CheckResult, "name">> {
  for (const end = Date.now() + timeout; ; ) {
    const { refused, ...finding } = await attempt().catch((error: Error) => failed(error.message));
    if (!refused || Date.now() + interval > end) return finding;
    await new Promise((resume) => setTimeout(resume, interval));
  }
}
