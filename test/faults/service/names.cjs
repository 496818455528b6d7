/**
 * Makes names fail to resolve in the same way on each machine, whose resolver may be slow, absent, or resolve every name. Names below
 * `enotfound.test` and `eai-again.test` fail with that code.
 */
const dns = require("node:dns");

const { lookup } = dns;

dns.lookup = (hostname, ...others) => {
  const [, end] = /\.(enotfound|eai-again)\.test$/.exec(hostname) ?? [];
  if (!end) return lookup(hostname, ...others);
  const code = end.toUpperCase().replace("-", "_");
  process.nextTick(others.at(-1), Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname, syscall: "getaddrinfo" }));
};
