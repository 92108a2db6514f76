// Preloaded into a server: resolves names as the test needs. `rebind*` turn private after the
// first answer, `mixed*` have a public and a private address, all others resolve to this machine.
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";

const outer = "93.184.216.34";
const asked = new Map();

function addressesOf(name) {
  const times = (asked.get(name) ?? 0) + 1;
  asked.set(name, times);
  if (name.startsWith("rebind")) return times % 2 === 1 ? [outer] : ["127.0.0.1"];
  if (name.startsWith("mixed6")) return [outer, "::1"];
  if (name.startsWith("mixed")) return [outer, "127.0.0.1"];
  if (name.startsWith("mapped")) return ["::ffff:127.0.0.1"];
  return ["127.0.0.1"];
}

// No name is in DNS, so that each is looked up.
const gone = async (name) => {
  throw Object.assign(new Error(`${name} does not exist`), { code: "ENOTFOUND" });
};
Object.assign(dns.Resolver.prototype, { resolve4: gone, resolve6: gone });
dns.lookup = async (name) => addressesOf(name).map((address) => ({ address, family: isIP(address) }));
syncBuiltinESMExports();
