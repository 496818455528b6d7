/** The questions that are asked of the live platform. Each gives one line of the report and never throws. */
import type { RequestInit } from "undici";
import { readRegisteredConnection } from "../connection/registered-connection";
import {
  type GrafanaAccess,
  type GrafanaResponse,
  grafanaUrlHint,
  isGrafanaResponse,
  isRefusal,
  messageOf,
  requestGrafana,
  secretsOf,
} from "../network/grafana";
import { isTimeout, reasonOf, withTransport } from "../network/transport";
import { holdsSecret, redacted, redactText } from "../text/redact";
import { classifyArrival, relatedNames } from "./arrival";
import type { CheckSecrets, CheckTargets } from "./input";
import type { CheckResult } from "./report";

/** How long a refusal of new credentials is taken for a delay, and the pause between two questions; milliseconds. */
export interface Patience {
  total: number;
  pause: number;
}

const answerLimit = 15_000;

/** Asks everything, in the order of the report. */
export async function runChecks(targets: CheckTargets, secrets: CheckSecrets, patience: Patience): Promise<CheckResult[]> {
  const access: GrafanaAccess = { ...targets.grafana, auth: secrets.grafanaAuth, secrets: textsOf(secrets) };
  const questions = [
    ...targets.datasources.map((datasource) => ({ what: `datasource ${datasource.uid}`, ask: () => checkDatasource(access, datasource) })),
    ...(targets.folder ? [{ what: `folder ${targets.folder.uid}`, ask: checkFolder(access, targets.folder) }] : []),
    ...targets.dashboards.map((dashboard) => ({ what: `dashboard "${dashboard.title}"`, ask: () => checkDashboard(access, dashboard) })),
    ...targets.otlp.data.map((kind) => ({
      what: `OTLP ${kind}`,
      ask: () => checkPush(`${targets.otlp.endpoint}/v1/${kind}`, secrets.otlpAuthorization),
    })),
    { what: "service", ask: () => checkService(targets) },
    ...(targets.verifyConnection && secrets.connection ? [{ what: "connection", ask: checkConnection(targets, secrets.connection) }] : []),
  ];
  const verdicts = await Promise.all(questions.map(async ({ what, ask }) => ({ what, ...(await withRetry(ask, patience)) })));
  return [...verdicts, ...(await checkArrival(access, targets))];
}

/** What Grafana may hand back, beside its own credentials: it passes on what its stores say. */
function textsOf({ otlpAuthorization, connection, datasourceSecrets = [] }: CheckSecrets): string[] {
  const push = Buffer.from(otlpAuthorization.replace(/^Basic /, ""), "base64").toString("utf8");
  const token = push.slice(push.indexOf(":") + 1);
  return [token, ...(connection ? [connection.serviceApiKey, connection.body.ApiKey] : []), ...datasourceSecrets];
}

/** What a question found. `refused`: credentials were not accepted, which may pass when they are new. */
type Finding = Omit<CheckResult, "what"> & { refused?: boolean };

async function withRetry(ask: () => Promise<Finding>, { total, pause }: Patience): Promise<Omit<CheckResult, "what">> {
  for (const end = Date.now() + total; ; ) {
    const { refused, ...finding } = await ask().catch((error: Error): Finding => ({ verdict: "failed", detail: error.message }));
    if (!refused || Date.now() + pause > end) return finding;
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

/** @throws Error, beside what `askGrafana` throws, where the answer is none of Grafana's: a login page, or another server, answers 200 with HTML */
async function answerOf(access: GrafanaAccess, path: string, body?: unknown): Promise<GrafanaResponse> {
  const answer = await requestGrafana(access, path, body);
  if (answer.status !== 200 || isGrafanaResponse(answer)) return answer;
  throw new Error(`${access.url} answered 200 without JSON: check ${grafanaUrlHint}`);
}

async function checkDatasource(access: GrafanaAccess, { type, uid }: CheckTargets["datasources"][number]): Promise<Finding> {
  const found = await answerOf(access, `/api/datasources/uid/${uid}`);
  if (found.status !== 200) {
    return { verdict: "failed", detail: `Grafana answered ${messageOf(found, access)} for this uid`, refused: isRefusal(found.status) };
  }
  const health = await answerOf(access, `/api/datasources/uid/${uid}/health`);
  if (health.status === 200) return { verdict: "ok", detail: `${type} answers` };
  if (health.status !== 404)
    return {
      verdict: "failed",
      detail: `${type} does not answer Grafana (${messageOf(health, access)}): check its address and credentials`,
    };
  // Older Grafana has no health check for these types.
  if (type !== "prometheus") return { verdict: "note", detail: `exists; this Grafana cannot ask ${type} for its health` };
  const answer = await queryPrometheus(access, uid, "vector(1)");
  return "error" in answer
    ? { verdict: "failed", detail: `${type} does not answer Grafana (${answer.error}): check its address and credentials` }
    : { verdict: "ok", detail: `${type} answers` };
}

/** A Grafana without nested folders creates the folder at the top, and refuses to move it from there in the next deployment. */
const checkFolder = (access: GrafanaAccess, folder: NonNullable<CheckTargets["folder"]>) => async (): Promise<Finding> => {
  const { uid, parentUid } = folder;
  const answer = await answerOf(access, `/api/folders/${uid}`);
  if (answer.status !== 200)
    return { verdict: "failed", detail: `Grafana answered ${messageOf(answer, access)}`, refused: isRefusal(answer.status) };
  const { parentUid: place } = answer.body as { parentUid?: string };
  if (place === parentUid) return { verdict: "ok", detail: `is in the folder ${parentUid}` };
  const cause = place
    ? "pulumi up --refresh moves it"
    : "nested folders are off in this Grafana: turn them on, or remove the setting folderParentUid";
  return {
    verdict: "failed",
    detail: `is ${place ? `in the folder ${shownUid(place, access)}` : "at the top"}, not in ${parentUid}: ${cause}`,
  };
};

/** A uid that Grafana answers. It is no text of words, so it is shown as it is unless it holds a secret. */
const shownUid = (uid: unknown, access: GrafanaAccess) => (holdsSecret(String(uid), secretsOf(access)) ? redacted : String(uid));

async function checkDashboard(access: GrafanaAccess, { uid, folderUid }: CheckTargets["dashboards"][number]): Promise<Finding> {
  const answer = await answerOf(access, `/api/dashboards/uid/${uid}`);
  if (answer.status !== 200) {
    return {
      verdict: "failed",
      detail: `Grafana answered ${messageOf(answer, access)} for the uid ${uid}`,
      refused: isRefusal(answer.status),
    };
  }
  const place = (answer.body as { meta?: { folderUid?: string } }).meta?.folderUid;
  if (place !== folderUid) {
    const shown = place ? shownUid(place, access) : "at the top";
    return { verdict: "failed", detail: `is in the folder ${shown}, not in ${folderUid}: pulumi up --refresh` };
  }
  return { verdict: "ok", detail: `readable, uid ${uid}` };
}

/** An empty export: an empty body is a message without content in protobuf. */
async function checkPush(address: string, authorization: string): Promise<Finding> {
  const answer = await probe(address, {
    method: "POST",
    headers: { Authorization: authorization, "Content-Type": "application/x-protobuf" },
    body: new Uint8Array(),
  });
  if ("error" in answer) return { verdict: "failed", detail: `${answer.error}: check otlpEndpoint` };
  if (answer.status >= 200 && answer.status < 300) {
    // Genuine ones answer in protobuf or JSON, and some gateways with nothing at all. A login page takes any credentials.
    return /^text\/html\b/i.test(answer.contentType)
      ? { verdict: "failed", detail: `answered ${answer.status} with a page, text/html: check otlpEndpoint` }
      : { verdict: "ok", detail: "accepts the credentials" };
  }
  const detail = isRefusal(answer.status)
    ? `refuses the credentials (${answer.status}): check otlpInstanceId, the token and its scopes`
    : `answered ${answer.status} to an empty export: check otlpEndpoint`;
  return { verdict: "failed", detail, refused: isRefusal(answer.status) };
}

/** Any answer below 500 will do: that the service takes the key was proven by the registration. */
async function checkService({ serviceUrl, serviceCaCert }: CheckTargets): Promise<Finding> {
  const answer = await probe(serviceUrl, {}, serviceCaCert);
  if ("error" in answer) return { verdict: "failed", detail: `${answer.error}: check serviceUrl` };
  const advice = "an error of the service or of a proxy in front of it: check whether it runs, and serviceUrl";
  if (answer.status >= 500) return { verdict: "failed", detail: `answered ${answer.status}, ${advice}` };
  return { verdict: "ok", detail: `answers (${answer.status})` };
}

const checkConnection = (targets: CheckTargets, connection: NonNullable<CheckSecrets["connection"]>) => async (): Promise<Finding> => {
  const { serviceUrl, serviceCaCert: caCert } = targets;
  switch (await readRegisteredConnection({ endpoint: `${serviceUrl}/api/connections`, caCert, ...connection })) {
    case "current":
      return { verdict: "ok", detail: "this stack's is in place" };
    case "other":
      return { verdict: "failed", detail: "somebody else's is in place: pulumi up --refresh registers this stack's again" };
    case "none":
      return { verdict: "failed", detail: "the service has none: pulumi up --refresh registers it again" };
    case "unknown":
      return { verdict: "note", detail: "the service does not tell which one is in place (GET /api/connections)" };
  }
};

/** What came for an answer; "" for no content type. */
type ProbeResult = { status: number; contentType: string } | { error: string };

async function probe(address: string, init: RequestInit, caCert?: string): Promise<ProbeResult> {
  const signal = AbortSignal.timeout(answerLimit);
  try {
    return await withTransport(caCert, async (transport) => {
      const { status, headers } = await transport.fetch(address, { ...init, redirect: "manual", signal });
      return { status, contentType: headers.get("content-type") ?? "" };
    });
  } catch (error) {
    return { error: `${new URL(address).host} ${isTimeout(error) ? "does not answer" : `cannot be reached (${reasonOf(error)})`}` };
  }
}

async function checkArrival(access: GrafanaAccess, { datasources, dashboards }: CheckTargets): Promise<CheckResult[]> {
  const uid = datasources.find(({ type }) => type === "prometheus")?.uid ?? "";
  const query = `count by (__name__) (last_over_time({__name__=~"${relatedNames}"}[24h]))`;
  const answer = await queryPrometheus(access, uid, query).catch((error: Error) => ({ error: error.message }));
  return dashboards.map(({ title, series }) => {
    if ("error" in answer) return { what: `series of "${title}"`, verdict: "note", detail: `not known: ${answer.error}` };
    // The names that are wanted are no secrets, whatever they are called.
    const names = answer.names.filter((name) => series.includes(name) || !holdsSecret(name, secretsOf(access)));
    return classifyArrival(title, series, names);
  });
}

/** The names of the series in the result of an instant query. */
async function queryPrometheus(access: GrafanaAccess, uid: string, expr: string): Promise<{ names: string[] } | { error: string }> {
  const query = {
    refId: "A",
    datasource: { type: "prometheus", uid },
    expr,
    instant: true,
    range: false,
    intervalMs: 60_000,
    maxDataPoints: 1,
  };
  const answer = await answerOf(access, "/api/ds/query", { queries: [query], from: "now-5m", to: "now" });
  const result = (
    answer.body as {
      results?: { A?: { error?: string; frames?: { schema?: { fields?: { labels?: Record<string, string> }[] } }[] } };
    } | null
  )?.results?.A;
  if (answer.status !== 200 || !result || result.error) {
    return { error: result?.error ? redactText(String(result.error), secretsOf(access)) : messageOf(answer, access) };
  }
  const labels = (result.frames ?? []).flatMap((frame) => frame.schema?.fields?.map((field) => field.labels?.__name__) ?? []);
  return { names: labels.filter((name): name is string => typeof name === "string") };
}
