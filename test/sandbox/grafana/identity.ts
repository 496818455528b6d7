/** A stand-in for Grafana, part: the identity of a request and its organization. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { early, type Identity, refuse } from "./http";
import { adminId, emptyOrg, firstAccountId, type GrafanaState, type Org, type Role } from "./state";

export interface Credentials {
  /** The token of a service account with the role Admin in the main organization. */
  token: string;
  /** The server's administrator. */
  basic?: { user: string; password: string };
}

interface IdentifyOptions extends Credentials {
  state: GrafanaState;
}

export const sha256 = (secret: string) => createHash("sha256").update(secret).digest("hex");

/**
 * @returns undefined without credentials
 * @throws Refusal of wrong credentials
 */
export function identify(headers: IncomingHttpHeaders, options: IdentifyOptions): { who: Identity; org: Org } | undefined {
  const [, scheme, credential = ""] = /^(Bearer|Basic) (.*)$/.exec(headers.authorization ?? "") ?? [];
  if (!scheme) return undefined;
  const [, user, password] = scheme === "Basic" ? (/^([^:]*):(.*)$/.exec(Buffer.from(credential, "base64").toString("utf8")) ?? []) : [];
  const header = headers["x-grafana-org-id"];
  const orgId = header === undefined ? undefined : Number(header);
  if (scheme === "Bearer") return serviceAccount(credential, orgId, options);
  const { basic, state } = options;
  if (!basic || user !== basic.user || password !== basic.password) {
    return unauthorized("password-auth.failed", "Invalid username or password");
  }
  const org = state.orgs.find(({ id }) => id === (orgId ?? 1));
  return { who: { id: adminId, role: org && "Admin", serverAdmin: true }, org: org ?? emptyOrg(0, "") };
}

/** A token belongs to one organization: Grafana refuses another one in the header. */
function serviceAccount(secret: string, orgId: number | undefined, { token, state }: IdentifyOptions): { who: Identity; org: Org } {
  const account = state.accounts.find(({ id, tokens }) =>
    secret === token ? id === firstAccountId : tokens.some((own) => own.sha256 === sha256(secret)),
  );
  const org = state.orgs.find(({ id }) => id === account?.orgId);
  if (!account || !org) return unauthorized("api-key.invalid", "Invalid API key");
  if (orgId !== undefined && orgId !== org.id) {
    return unauthorized("api-key.organization-mismatch", "API key does not belong to the requested organization");
  }
  return { who: { id: account.id, role: account.role, serverAdmin: false }, org };
}

/** The sender of requests without credentials, if the server permits them. */
export function anonymousSender({ anonymous, state }: { anonymous?: Role; state: GrafanaState }): { who: Identity; org: Org } | undefined {
  const org = state.orgs.find(({ id }) => id === 1);
  if (!anonymous || !org) return undefined;
  return { who: { id: 0, role: anonymous, serverAdmin: false }, org };
}

export function unauthorized(messageId: string, message: string): never {
  return refuse(401, { extra: null, message, messageId, statusCode: 401, traceID: "" }, early);
}
