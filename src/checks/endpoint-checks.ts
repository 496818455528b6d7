/** The checks of the OTLP endpoint and the service. */
import { isRefusal } from "../network/grafana";
import { exchange, isTimeout, type Request, reasonOf } from "../network/transport";
import { otlpHeaders } from "../otlp";
import { type Finding, failed, ok } from "./table";

/** Sends an empty export: in protobuf, an empty body is a message without content. */
export async function checkPush(address: string, authorization: string): Promise<Finding> {
  // What an exporter reads from the variable, if it reads a `+` as a blank, as some do.
  const read = Object.fromEntries(new URLSearchParams(otlpHeaders(authorization)));
  const headers = { ...read, "Content-Type": "application/x-protobuf" };
  const response = await probe(address, { method: "POST", headers });
  if ("error" in response) return failed(`${response.error}: check otlpEndpoint`);
  const { status, contentType } = response;
  if (isRefusal(status)) return failed(`refuses the credentials (${status}): check otlpInstanceId, the token and its scopes`, true);
  if (status < 200 || status >= 300) return failed(`returned ${status} to an empty export: check otlpEndpoint`);
  // OTLP endpoints return protobuf or JSON, and some gateways an empty body. A login page accepts any credentials.
  if (/^text\/html\b/i.test(contentType)) return failed(`returned ${status} with a page, text/html: check otlpEndpoint`);
  return ok("accepts the credentials");
}

/**
 * Accepts any status below 500: the registration has proved that the service accepts its API key.
 *
 * @param caCert the CA certificate of the service, in PEM format
 */
export async function checkService(url: string, caCert?: string): Promise<Finding> {
  const response = await probe(url, { caCert });
  if ("error" in response) return failed(`${response.error}: check serviceUrl`);
  if (response.status < 500) return ok(`responds (${response.status})`);
  return failed(`returned ${response.status}, an error of the service or of a proxy in front of it: check whether it runs, and serviceUrl`);
}

async function probe(address: string, request: Request): Promise<{ status: number; contentType: string } | { error: string }> {
  try {
    return await exchange(address, request, ({ statusCode: status = 0, headers }) => {
      return { status, contentType: headers["content-type"] ?? "" };
    });
  } catch (error) {
    return { error: `${new URL(address).host} ${isTimeout(error) ? "does not respond" : `cannot be reached (${reasonOf(error)})`}` };
  }
}
