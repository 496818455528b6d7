/**
 * Required by a process in which names must fail to resolve the same way on each machine: the resolver of one that runs tests may be slow,
 * absent, or know every name. Names below `enotfound.test` and `eai-again.test` fail with that code.
 */
const dns = require("node:dns");

const { lookup } = dns;

dns.lookup = (hostname, ...others) => {
  const [, end] = /\.(enotfound|eai-again)\.test$/.exec(hostname) ?? [];
  if (!end) return lookup(hostname, ...others);
  const code = end.toUpperCase().replace("-", "_");
  process.nextTick(others.at(-1), Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname, syscall: "getaddrinfo" }));
};
