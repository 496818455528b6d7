/** A stand-in for Grafana, part: the identity of a request. There is one organization. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { early, refuse } from "./http";
import { adminId, firstAccountId, type GrafanaState } from "./state";

export interface Credentials {
  /** The token of a service account with the role Admin. */
  token: string;
  /** The server's administrator. */
  basic?: { user: string; password: string };
}

export const sha256 = (secret: string) => createHash("sha256").update(secret).digest("hex");

/**
 * @returns undefined without credentials
 * @throws Refusal of wrong credentials
 */
export function identify(headers: IncomingHttpHeaders, { token, basic, state }: Credentials & { state: GrafanaState }) {
  const [, scheme, credential = ""] = /^(Bearer|Basic) (.*)$/.exec(headers.authorization ?? "") ?? [];
  if (!scheme) return undefined;
  if (scheme === "Basic") {
    const [, user, password] = /^([^:]*):(.*)$/.exec(Buffer.from(credential, "base64").toString("utf8")) ?? [];
    if (basic && user === basic.user && password === basic.password) return { id: adminId, role: "Admin" as const };
    return unauthorized("password-auth.failed", "Invalid username or password");
  }
  const account = state.accounts.find(({ id, tokens }) =>
    credential === token ? id === firstAccountId : tokens.some((own) => own.sha256 === sha256(credential)),
  );
  return account ? { id: account.id, role: account.role } : unauthorized("api-key.invalid", "Invalid API key");
}

export function unauthorized(messageId: string, message: string): never {
  return refuse(401, { extra: null, message, messageId, statusCode: 401, traceID: "" }, early);
}
