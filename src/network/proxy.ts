/**
 * Which proxy the environment has for an address: by the rules of Go's `golang.org/x/net/http/httpproxy`, which the Pulumi CLI and its plugins
 * follow. The differences are rare: names below `localhost` are this machine, too; a name of other than ASCII letters stands in NO_PROXY as DNS
 * has it, `xn--…`; an IPv4 address there is not written as an IPv6 one; and an IPv6 address may stand there in brackets, or with a zone.
 *
 * Also part of the dynamic provider's code (see `connection/exchange.ts`): of Node it uses what its globals give.
 */

/**
 * The value of a variable: that of its name in capitals, or in small letters, the first that is not empty; "" for none. So does Go 1.26, of which
 * the Pulumi CLI is made; `golang.org/x/net` 0.58 has the small letters first.
 */
export const environmentVariable = (name: string): string => process.env[name] || process.env[name.toLowerCase()] || "";

/**
 * The proxy that a variable names; "" for none. Its value is not shown: it may hold a password.
 *
 * @throws Error where that is no address
 */
export function proxyFromEnvironment(name: string): string {
  const value = environmentVariable(name);
  const address = !value || value.includes("://") ? value : `http://${value}`;
  if (address && !(URL.canParse(address) && /^(https?|socks5):\/\/[^/]/.test(address)))
    throw new Error(`${name} is not the address of a proxy`);
  return address;
}

/**
 * Whether no proxy is asked for a way to an address: to this machine, and to what the list names.
 *
 * @param list the value of NO_PROXY, with commas. `*` is everything; `example.com` that and all names below it, `.example.com` only these; an IP
 * address, or a network, `10.0.0.0/8`, is what an address names by its number, whatever names resolve to. A port may follow what is no network.
 */
export function isExcepted({ protocol, hostname, port }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const isThisMachine = /^(.+\.)?localhost$/.test(host) || isWithin(host, "127.0.0.0", 8) || isWithin(host, "::1");
  const entries = list.split(",").map((entry) => entry.trim().toLowerCase());
  return isThisMachine || entries.some((entry) => entry !== "" && names(entry, host, port || (protocol === "https:" ? "443" : "80")));
}

/** Whether an entry of the list names a host. */
function names(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  const [, network, bits] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  if (network) return isWithin(host, network, Number(bits));
  // An IPv6 address without brackets is all colons, and has no port.
  const [, bracketed, plain, ownPort] = /^(?:\[(.+)\]|([^:]+))(?::(\d*))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  if (ownPort && ownPort !== port) return false;
  if (familyOf(host)) return isWithin(host, name);
  const below = /^\*?\./.test(name) ? name.replace("*", "") : `.${name}`;
  return host === name || host.endsWith(below);
}

/** Whether a host is an IP address of a network; without a number of bits, the very address, however it is written. */
function isWithin(host: string, network: string, bits?: number): boolean {
  const [own, family] = [familyOf(host), familyOf(network)];
  const most = family === "ipv6" ? 128 : 32;
  if (!own || !family || (bits ?? most) > most) return false;
  // The reverse holds: an IPv4 address that is written as an IPv6 one belongs to IPv4 networks.
  if (own === "ipv4" && family === "ipv6") return false;
  const { BlockList } = process.getBuiltinModule("node:net");
  const addresses = new BlockList();
  addresses.addSubnet(network, bits ?? most, family);
  return addresses.check(host, own);
}

/** Undefined for what is no IP address. */
function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const { isIPv4, isIPv6 } = process.getBuiltinModule("node:net");
  if (isIPv4(address)) return "ipv4";
  return isIPv6(address) ? "ipv6" : undefined;
}
