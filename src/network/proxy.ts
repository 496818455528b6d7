/**
 * The proxy of the environment, by the rules of Go's `golang.org/x/net/http/httpproxy`, which the Pulumi CLI and its plugins use. Differences:
 * names below `localhost` are this machine; NO_PROXY contains names with other than ASCII letters in their DNS form (`xn--…`) and IPv4
 * addresses not as IPv6 ones; it may contain IPv6 addresses in brackets or with a zone.
 *
 * Part of the dynamic provider's code (see `connection/exchange.ts`).
 */

/** The value of a variable, in capital or small letters; the first that is not empty. "" if none. As in Go 1.26, in which Pulumi is built. */
export const environmentVariable = (name: string): string => process.env[name] || process.env[name.toLowerCase()] || "";

/**
 * The proxy in a variable; "" if none.
 *
 * @throws Error if the value is no address. It does not contain the value, which may contain a password.
 */
export function proxyFromEnvironment(name: string): string {
  const value = environmentVariable(name);
  const address = !value || value.includes("://") ? value : `http://${value}`;
  if (address && !(URL.canParse(address) && /^(https?|socks5):\/\/[^/]/.test(address))) {
    throw new Error(`${name} is not a valid proxy address`);
  }
  return address;
}

/**
 * Whether requests to an address do not use the proxy: requests to this machine, and to the entries of the list.
 *
 * @param list the value of NO_PROXY, separated by commas. `*` is everything; `example.com` this name and all names below it, `.example.com` only
 *   those below; an IP address, or a network (`10.0.0.0/8`), matches addresses with an IP address as host. Names and addresses may have a port.
 */
export function bypassesProxy({ protocol, hostname, port }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (/^(.+\.)?localhost$/.test(host) || isInNetwork(host, "127.0.0.0", 8) || isInNetwork(host, "::1")) return true;
  const entries = list.split(",").map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== "" && entryMatches(entry, host, port || (protocol === "https:" ? "443" : "80")));
}

function entryMatches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, network, bits] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  if (network) return isInNetwork(host, network, Number(bits));
  // An IPv6 address without brackets consists of colons and has no port.
  const [, bracketed, plain, entryPort] = /^(?:\[(.+)\]|([^:]+))(?::(\d*))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  if (entryPort && entryPort !== port) return false;
  if (ipFamily(host)) return isInNetwork(host, name);
  return host === name || host.endsWith(/^\*?\./.test(name) ? name.replace("*", "") : `.${name}`);
}

/** Whether a host is an IP address in a network. Without `bits`, the network is a single address. */
function isInNetwork(host: string, network: string, bits?: number): boolean {
  const [hostFamily, family] = [ipFamily(host), ipFamily(network)];
  const maxBits = family === "ipv6" ? 128 : 32;
  if (!hostFamily || !family || (bits ?? maxBits) > maxBits) return false;
  // BlockList also finds an IPv4 address in IPv6 networks; Go does not.
  if (hostFamily === "ipv4" && family === "ipv6") return false;
  const { BlockList } = process.getBuiltinModule("node:net");
  const addresses = new BlockList();
  addresses.addSubnet(network, bits ?? maxBits, family);
  return addresses.check(host, hostFamily);
}

function ipFamily(address: string): "ipv4" | "ipv6" | undefined {
  const version = process.getBuiltinModule("node:net").isIP(address);
  return version === 0 ? undefined : `ipv${version as 4 | 6}`;
}
