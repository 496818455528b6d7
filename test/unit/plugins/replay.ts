/**
 * Plays recorded exchanges (`test/recorded/grafana`) to the stand-in for the Grafana plugin. Where the stand-in sends a request that was
 * recorded it gets the recorded answer; a test then compares the requests with the recording.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, vi } from "vitest";
import { clock } from "../../sandbox/plugins/grafana/client";
import { grafana } from "../../sandbox/plugins/grafana/provider";
import { Operations } from "../../sandbox/plugins/operations";
import type { Values } from "../../sandbox/plugins/values";
import { answer, type RawRequest, type RawServer, startRawServer } from "../../support/raw-server";
import { type Declared, Deployment, type Difference } from "./deployment";

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Values | null;
}

interface Exchange {
  request: Request;
  response: { status: number; body: unknown };
}

export interface PlayOptions {
  /** Selects exchanges to leave out: requests in the recording that the plugin did not send. */
  without?: (request: Request, index: number) => boolean;
}

const recorded = join(__dirname, "../../recorded");
const read = (file: string) => JSON.parse(readFileSync(join(recorded, file), "utf8"));

/** Paths of requests in the recordings that the plugin never sends. */
const byHand = /\/versions|\/builtInRoles\/|^\/api\/(ruler|org$|health$)/;

export const types = {
  folder: "grafana:oss/folder:Folder",
  permission: "grafana:oss/folderPermission:FolderPermission",
  dashboard: "grafana:oss/dashboard:Dashboard",
  dataSource: "grafana:oss/dataSource:DataSource",
  ruleGroup: "grafana:alerting/ruleGroup:RuleGroup",
} as const;

/** The server that plays recordings. One for each test file. */
export class Stage {
  /** The waits before retries, in seconds. */
  waits: number[] = [];
  sent: Request[] = [];
  /** The exchanges that are not played yet. */
  left: Exchange[] = [];
  server!: RawServer;

  constructor() {
    beforeAll(async () => {
      this.server = await startRawServer([(request) => this.reply(request)]);
      vi.spyOn(clock, "pause").mockImplementation(async (seconds) => void this.waits.push(seconds));
    });
    beforeEach(() => {
      this.sent = [];
      this.waits = [];
    });
    afterAll(() => this.server.close());
  }

  plugin(auth: string) {
    const plugin = new Operations(grafana, () => undefined);
    plugin.configure({ url: this.server.url, auth });
    return plugin;
  }

  /** A stack without resources. */
  deployment(auth = "token"): Deployment {
    return new Deployment(this.plugin(auth));
  }

  /** Answers as in the recording from now on. Returns the requests of the recording. */
  play(scenario: string, { without = () => false }: PlayOptions = {}): Request[] {
    const all: Exchange[] = read(`grafana/${scenario}.json`);
    this.left = all.filter(({ request }, index) => !byHand.test(request.path) && !without(request, index));
    return this.left.map(({ request }) => request);
  }

  expectSent(...recordings: Request[][]): void {
    expect(byObject(this.sent)).toEqual(byObject(recordings.flat()));
  }

  /** Compares the state of all resources with the recorded JSON of the engine. */
  expectState(deployment: Deployment, file: string): void {
    const recordedSteps = stepsOf(file).filter(({ op }) => op === "refresh");
    expect(recordedSteps.map(({ urn }) => nameOf(urn)).sort()).toEqual([...deployment.state.keys()].sort());
    for (const { urn, oldState } of recordedSteps) {
      const { id, inputs, outputs } = deployment.plain(nameOf(urn));
      const state = { id: oldState.id, inputs: this.comparable(oldState.inputs), outputs: this.comparable(oldState.outputs) };
      expect({ id, inputs: this.comparable(inputs), outputs: this.comparable(outputs) }).toEqual(state);
    }
  }

  /** Compares what a preview would change with the recorded JSON of the engine. */
  expectDifferences(deployment: Deployment, program: readonly Declared[], file: string): void {
    const changed = stepsOf(file).filter(({ op }) => op !== "refresh" && op !== "same");
    const theirs = changed.map(({ urn, op, detailedDiff, diffReasons }) => [nameOf(urn), { op, detailedDiff, diffReasons }]);
    expect(deployment.differences(program)).toEqual(Object.fromEntries(theirs));
  }

  /** Values with the address of the recorded server, and without those that a later run, the engine or the bridge adds. */
  private comparable(values: Values): Values {
    const kept = Object.entries(values).filter(([name, value]) => !isHidden.test(name) && value !== null);
    return JSON.parse(JSON.stringify(Object.fromEntries(kept)).replaceAll(this.server.url, "http://127.0.0.1:3321"));
  }

  private reply(raw: RawRequest): string {
    const request = toRequest(raw);
    this.sent.push(request);
    const matches = (one: Exchange) => one.request.method === request.method && objectOf(one.request) === objectOf(request);
    const index = this.left.findIndex(matches);
    const exchange = this.left[index];
    if (!exchange) return answer(404, `{"message":"not recorded: ${request.method} ${objectOf(request)}"}`);
    this.left.splice(index, 1);
    const { status, body } = exchange.response;
    return answer(status, body === null ? "" : JSON.stringify(body));
  }
}

/** Secret in the JSON of the engine, of another run, or the bridge's own. */
const isHidden = /^(httpHeaders|secureJsonDataEncoded|dashboardId|version|__(meta|pulumi).*)$/;

type RecordedStep = Difference & { urn: string; oldState: { id: string; inputs: Values; outputs: Values } };

const stepsOf = (file: string): RecordedStep[] =>
  read(`pulumi/${file}.json`).steps.filter(({ urn }: RecordedStep) => urn.includes("::grafana:"));

const nameOf = (urn: string) => urn.split("::").at(-1) ?? "";

/** The recorded program: the inputs in the state, without those that the engine made of defaults. Secrets are cut. */
export function programOf(file: string): Declared[] {
  const steps = stepsOf(file).filter(({ op }) => op === "refresh");
  const program = steps.map(({ urn, oldState }): Declared => {
    const type = urn.split("::")[2] ?? "";
    const isFirst = type === types.folder || type === types.dataSource;
    return { type, name: nameOf(urn), inputs: given(oldState.inputs) as Values, ...(isFirst ? {} : { needs: "f" }) };
  });
  return [...program.filter(({ needs }) => !needs), ...program.filter(({ needs }) => needs)];
}

function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== "object" || value === null) return value;
  const { __defaults: defaults = [], ...rest } = value as Values & { __defaults?: string[] };
  return Object.fromEntries(Object.entries(rest).flatMap(([name, inner]) => (defaults.includes(name) ? [] : [[name, given(inner)]])));
}

/** The program with other values: texts by texts. */
export const edited = (program: readonly Declared[], edits: Record<string, string>): Declared[] =>
  JSON.parse(Object.entries(edits).reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(program)));

/** The object that a request concerns: its path, and the uid of one that is to be written. */
function objectOf({ path, body }: Request): string {
  const uid = body?.uid ?? (body?.dashboard as Values | undefined)?.uid;
  return uid === undefined ? path : `${path} ${uid}`;
}

function toRequest({ method, path, headers, body }: RawRequest): Request {
  const compared = ["authorization", "content-type", "accept", "x-grafana-org-id", "x-disable-provenance"];
  const named = headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]).filter(([name]) => compared.includes(name));
  return { method, path, headers: Object.fromEntries(named), body: body === "" ? null : JSON.parse(body) };
}

/** The requests of each object in their order; which of two objects came first is left to chance. Credentials are cut. */
function byObject(requests: readonly Request[]): Record<string, Request[]> {
  const objects: Record<string, Request[]> = {};
  for (const request of requests) {
    const { authorization = "", ...headers } = request.headers;
    const cut = { ...request, headers: { ...headers, authorization: authorization.replace(/ .*/, " …") } };
    objects[objectOf(request)] = [...(objects[objectOf(request)] ?? []), cut];
  }
  return objects;
}
