/** Sends the requests of a recorded scenario to the stand-in for Grafana, and compares its answers, each as a whole. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGrafana } from "../../sandbox/grafana/server";
import { readState, writeGrafanaState } from "../../sandbox/grafana/state";

export interface Exchange {
  request: { method: string; path: string; headers: Record<string, string>; body: unknown };
  response: { status: number; contentType: string; body: unknown };
}
export type Json = Record<string, unknown>;
type Headers = Record<string, string>;

const recordings = join(__dirname, "../../recorded/grafana");
/** Those without the prefix are of Grafana 9.4, and only for the stand-in of the plugin. */
const all = readdirSync(recordings).flatMap((file) => /^(v12-.*)\.json$/.exec(file)?.[1] ?? []);
/** What only the stand-in of the plugin replays: permissions that Grafana remembers. */
const unused = /^v12-24[ef]-/;
const scenarios = all.filter((scenario) => !unused.test(scenario));
export const read = (scenario: string) => JSON.parse(readFileSync(join(recordings, `${scenario}.json`), "utf8")) as Exchange[];

/** Those of the first pattern, then those of the next one. */
const inOrder = (...patterns: RegExp[]) => patterns.flatMap((pattern) => scenarios.filter((name) => pattern.test(name)).sort());

/** The recorded scenarios of each Grafana, in their order. */
export const histories = {
  titles: inOrder(/^v12-23/, /^v12-24[-bcd]/, /^v12-21/, /^v12-22/, /^v12-20/, /^v12-19/, /^v12-15/),
  later: inOrder(/^v12-26[-bce]/, /^v12-25/, /^v12-28/, /^v12-33/, /^v12-24g/, /^v12-3[12]/),
  firstRules: inOrder(/^v12-29[-bcx]/),
  rules: [
    ...inOrder(/^v12-29y/, /^v12-29[d-h]/, /^v12-29i/, /^v12-29o/, /^v12-30/, /^v12-29s/, /^v12-29r-/, /^v12-29p/, /^v12-29r\d/),
    ...inOrder(/^v12-26f/),
  ],
};
export const allScenarios: readonly string[] = scenarios;

/** Requests by hand, which neither the program nor its tests send: the stand-in does not have them. */
const isByHand = ({ path }: Exchange["request"]) => /\/versions|\/builtInRoles\/|\/datasources\/name\//.test(path);

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
export const admin: Headers = { authorization: `Basic ${Buffer.from("admin:hunter2").toString("base64")}` };
const ownToken = "a-service-account-token";

/**
 * Plays scenarios as the history of one Grafana, each in a test of its own.
 *
 * @param before actions before a scenario, by hand or by a run that was not recorded
 */
export function playAll(replay: Replay, names: readonly string[], before: Record<string, () => Promise<unknown>>): void {
  beforeAll(() => replay.start());
  afterAll(() => replay.stop());

  it.each([...names])("%s", async (scenario) => {
    await before[scenario]?.();
    await replay.play(read(scenario));
  });

  it("prepares for nothing else", () => expect(names).toEqual(expect.arrayContaining(Object.keys(before))));
}

export class Replay {
  /** Of the recorded bearer, unless a scenario says otherwise. */
  token = bearer(ownToken);
  /** Uids that Grafana made up: those of the recording by ours. */
  private readonly uids = new Map<string, string>();
  private readonly folder = mkdtempSync(join(tmpdir(), "llm-observability-grafana-"));
  private readonly stateFile = join(this.folder, "grafana.json");
  private server: Server | undefined;
  private url = "";

  /** A second start forgets the contents of Grafana's memory. */
  async start(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    const options = { token: ownToken, basic: { user: "admin", password: "hunter2" } };
    const server = createGrafana({ ...options, stateFile: this.stateFile });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server?.close();
    rmSync(this.folder, { recursive: true });
  }

  private async send(method: string, path: string, headers: Headers, body?: unknown) {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === null || body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // The recorder wrote an empty body as null.
    const answer = { contentType: response.headers.get("content-type"), body: (text ? JSON.parse(text) : null) as unknown };
    return { status: response.status, ...answer };
  }

  /** Repeats the actions between two scenarios: by hand, or of a run that was not recorded. */
  async change(method: string, path: string, body?: unknown, headers: Headers = this.token): Promise<Json> {
    const { status, body: answer } = await this.send(method, this.named(path), headers, this.named(body ?? null));
    expect({ status, answer }).toMatchObject({ status: expect.toSatisfy((code: number) => code >= 200 && code < 300) });
    return answer as Json;
  }

  /** As the recorder's Grafana had used the ids before these by then. */
  async nextIds(next: Partial<Record<"dashboard" | "datasource" | "rule", number>>): Promise<void> {
    const state = readState(this.stateFile);
    for (const [kind, id] of Object.entries(next)) state.ids[kind as "rule"] = id - 1;
    writeGrafanaState(this.stateFile, state);
    await this.start();
  }

  remove(path: string, headers?: Headers): Promise<Json> {
    return this.change("DELETE", path, undefined, headers);
  }

  /** The token of a new service account. */
  async account(name: string, role: string, orgId = "1"): Promise<Headers> {
    const headers = { ...admin, "x-grafana-org-id": orgId };
    const { id } = await this.change("POST", "/api/serviceaccounts", { name, role }, headers);
    const { key } = await this.change("POST", `/api/serviceaccounts/${id}/tokens`, { name }, headers);
    return bearer(String(key));
  }

  async play(exchanges: readonly Exchange[]): Promise<void> {
    for (const { request, response } of exchanges) {
      if (isByHand(request)) continue;
      const { method, path, headers } = request;
      const credential = this.credentialOf(headers.authorization, response.body);
      const answer = await this.send(method, this.named(path), { ...headers, ...credential }, this.named(request.body));
      if (path.startsWith("/api/v1/provisioning/")) this.learn(response.body, answer.body);
      // Grafana repeats the rules.
      if (method === "PUT" && path.includes("/rule-groups/") && response.status === 200) delete (response.body as Json).rules;
      // The recorded settings of the page are only its build.
      if (path === "/api/frontend/settings" && answer.status === 200) answer.body = { buildInfo: (answer.body as Json).buildInfo };
      expect({ method, path, ...answer, body: settled(answer.body) }).toEqual({
        method,
        path,
        ...response,
        body: settled(this.named(response.body)),
      });
    }
  }

  /** The recorder kept only the scheme. A request that was refused for a wrong token had one. */
  private credentialOf(authorization: string | undefined, answered: unknown): Headers {
    if (!authorization) return {};
    if (authorization.startsWith("Basic")) return admin;
    return /^invalid API key$/i.test(String((answered as Json | null)?.message)) ? bearer("a-wrong-token") : this.token;
  }

  /** A recorded uid and ours are the same from the first time that one stands in the other's place. */
  private learn(recorded: unknown, ours: unknown): void {
    if (typeof recorded !== "object" || recorded === null || typeof ours !== "object" || ours === null) return;
    for (const [key, value] of Object.entries(recorded)) {
      const own = (ours as Json)[key];
      const made = key === "uid" && typeof value === "string" && typeof own === "string" && value !== "" && own !== "";
      if (made && !this.uids.has(value) && ![...this.uids.values()].includes(own)) this.uids.set(value, own);
      this.learn(value, own);
    }
  }

  private named<T>(recorded: T): T {
    let text = JSON.stringify(recorded).replaceAll("12.3.0", "12.4.3");
    for (const [theirs, own] of this.uids) text = text.replaceAll(theirs, own);
    return JSON.parse(text) as T;
  }
}

/** Fields for Grafana's own page: neither the program, its plugins, the tests nor the view read them. The stand-in does not have them. */
const ofThePage = new Set([
  ...["hasAcl", "canSave", "canEdit", "canAdmin", "canDelete", "canStar", "canAdd", "annotationsPermissions", "isFolder", "expires"],
  ...["created", "createdBy", "updated", "updatedBy", "provisioned", "provisionedExternalId", "slug", "folderId", "uri", "isStarred"],
  ...["typeLogoUrl", "typeName", "sortMeta", "isDeleted", "roleName", "isServiceAccount", "actions", "userLogin", "userAvatarUrl"],
  "userUid",
]);

/** Values that differ between two Grafanas: ids of errors, build dates. */
const differing: Record<string, RegExp> = { accessErrorId: /^ACE\d{10}$/, buildstamp: /^\d+$/ };

/** The contact point of a new organization, which 12.4 does not have, goes. Permissions get an order, and lose their ids, which count other rows of Grafana, too. */
function settled(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value))
    return value
      .filter((item) => item?.name !== "email receiver")
      .map(settled)
      .sort(byPermission);
  const isPermission = "isManaged" in value;
  const kept = Object.entries(value).filter(([key]) => !ofThePage.has(key) && !(isPermission && key === "id"));
  return Object.fromEntries(kept.map(([key, item]) => [key, differing[key]?.test(String(item)) ? `(${key})` : settled(item)]));
}

function byPermission(one: unknown, other: unknown): number {
  const [name, otherName] = [one, other].map((permission) => {
    const { isManaged, builtInRole, userId } = (permission ?? {}) as Json;
    return isManaged === undefined ? "" : `${isManaged} ${builtInRole} ${userId}`;
  });
  return String(name).localeCompare(String(otherName));
}
