/** The classification of a failed registration: whether the service may have registered the connection, and the fix. */
import { describe, expect, it } from "vitest";
import { classifyError, classifyRedirect, classifyStatus } from "../../../src/connection/outcome";
import type { Registration } from "../../../src/connection/registration";

const registration: Registration = {
  endpoint: "https://service.test/api/connections",
  serviceApiKey: "canary-service",
  keyCommand: "npx pulumi config set --secret x:serviceApiKey",
  body: { Platform: "p", MetricsUrl: "m", MetricsUsername: "1", LogsUrl: "l", LogsUsername: "2", ApiKey: "canary-platform" },
};
const log = "Check the service's log, then run `pulumi up` again.";
const proxyAdvice = "Check the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and the rules of the proxy.";

const fields = "platformName, metricsUrl, metricsUsername, logsUrl, logsUsername, platformApiKey";
const base = "the service's base address, including a path prefix";
it.each([
  [[300, 304, 500, 501, 502, 503, 504], "maybe", log],
  [[400, 422], "no", `The service rejected a field of the connection. Check ${fields}.`],
  [[401, 403], "no", "The service rejected its API key. Set a valid key: npx pulumi config set --secret x:serviceApiKey"],
  [[404, 405], "no", `This address has no registration endpoint. Set serviceUrl to ${base}.`],
  [[409], "no", "The service has a conflicting connection. Check its connections: another stack may have registered one."],
  [[413, 499], "no", "The service rejected the request. See its documentation for this status."],
  [[429], "no", "The service limits requests. Wait, then run `pulumi up` again."],
])("a status of %j: registered %s", (statuses, registered, advice) => {
  for (const status of statuses) {
    const cause = `https://service.test returned ${status}`;
    expect(classifyStatus(status, "", registration)).toEqual({ cause, registered, advice });
    expect(classifyStatus(status, "no", registration).cause).toBe(`${cause}: no`);
  }
});

// `exchange.test.ts` has the other redirects.
it.each([
  ["https://login.test/canary-service?key=canary-platform", "https://login.test/[redacted]"],
  ["https://canary-platform.test/login", "[redacted]/login"],
])("a redirect to %s shows no key", (target, shown) => {
  const { cause } = classifyRedirect(302, target, registration);
  expect(cause).toContain(`a redirect to ${shown},`);
});

describe("an error", () => {
  const nodeError = (error: object) => Object.assign(new Error(), error);
  const classify = (error: object, address = "https://service.test/path") =>
    classifyError(nodeError(error), 15_000, { ...registration, endpoint: address });

  it.each<[error: object, cause: string, advice: string]>([
    [{ code: "ECONNREFUSED" }, "service.test refused the connection (ECONNREFUSED)", "Check whether the service runs"],
    [{ errors: [{ code: "ECONNREFUSED" }, { code: "EPIPE" }] }, "service.test refused the connection (ECONNREFUSED)", "runs"],
    [{ code: "ENOTFOUND" }, "service.test cannot be resolved (ENOTFOUND)", "Check serviceUrl and the DNS configuration"],
    [{ code: "EAI_AGAIN" }, "service.test cannot be resolved: DNS failed (EAI_AGAIN)", "Check the DNS configuration"],
    [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "does not use the protocol of serviceUrl", "must begin with http:// or https://"],
    [{ code: "EPROTO" }, "does not use the protocol of serviceUrl (EPROTO)", "must begin with http:// or https://"],
    [{ code: "CERT_HAS_EXPIRED" }, "has an untrusted TLS certificate", "npx pulumi config set serviceCaCert --stack STACK < ca.pem"],
    [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "has an untrusted TLS certificate", "Fix the certificate"],
    [{ code: "HOSTNAME_MISMATCH" }, "has an untrusted TLS certificate", "Fix the certificate"],
    [{ message: "HTTPS_PROXY is not a valid proxy address" }, "did not receive the request", "or unset it."],
    [{ message: "Proxy response (407) to POST" }, "cannot be reached: the configured proxy refused the request", proxyAdvice],
    [{ code: "CONNECT_TIMEOUT" }, "service.test cannot be reached (CONNECT_TIMEOUT)", "Check serviceUrl and the network"],
    [{ code: "EHOSTUNREACH" }, "service.test cannot be reached (EHOSTUNREACH)", "Check serviceUrl and the network"],
    [{ code: "ECONNREFUSED", address: "10.0.0.1", port: 3128 }, "the proxy 10.0.0.1:3128 refused the connection", proxyAdvice],
    [{ code: "ENOTFOUND", hostname: "service.test" }, "service.test cannot be resolved", "Check serviceUrl"],
    [{ code: "ENOTFOUND", hostname: "proxy.test" }, "the proxy proxy.test cannot be resolved", proxyAdvice],
  ])("%j: the request never reached the service", (error, cause, advice) => {
    const failure = classify(error);
    expect(failure).toMatchObject({ registered: "no" });
    expect([failure.cause, failure.advice]).toEqual([expect.stringContaining(cause), expect.stringContaining(advice)]);
  });

  it.each([
    [{ code: "ECONNRESET" }, "(ECONNRESET)"],
    [{ message: "no CERT for HOSTNAME" }, "(no CERT for HOSTNAME)"],
    [{ message: "odd canary-service" }, "(odd [redacted])"],
  ])("%j: the service may have registered the connection", (error, detail) => {
    const cause = `the connection to service.test ended without a valid response ${detail}`;
    expect(classify(error)).toEqual({ cause, registered: "maybe", advice: log });
  });

  it("without TLS can be that of a service that requires it", () => {
    const advice = `${log} If the service requires TLS, serviceUrl must begin with https://.`;
    expect(classify({ code: "ECONNRESET" }, "http://service.test").advice).toBe(advice);
    const refused = classify({ code: "ECONNREFUSED", address: "10.0.0.1", port: 80 }, "http://service.test");
    expect(refused.cause).toContain("service.test refused");
  });

  it("after the time limit may have registered", () => {
    expect(classify({ cause: { name: "TimeoutError" } }, "https://service.test:8443/path")).toMatchObject({
      cause: "service.test:8443 did not respond within 15 s",
      registered: "maybe",
      advice: "Check whether the service is overloaded, then run `pulumi up` again.",
    });
  });
});
