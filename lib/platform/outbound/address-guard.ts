import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { type AllowList, plainHost } from "./allow-list.ts";
import { OutboundError } from "./outbound-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** Resolves a name to all its addresses. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Ports of non-HTTP services, which might read a forged request as commands. */
const portsWithoutHttp = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 3306, 3389,
  3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
]);

const noPorts: ReadonlySet<number> = new Set();

/** Decides where requests may go: the only place that checks the given, the resolved and the connected address. */
export interface AddressGuard {
  /** Throws if the host as written may not be reached: a private address, or a non-HTTP port that is not in `ports`. */
  checkHost(hostname: string, port: number, ports?: ReadonlySet<number>): void;
  /** The addresses of a name; throws if any of them may not be reached, because a later connection may choose it. */
  lookup(hostname: string, port: number): Promise<LookupAddress[]>;
  /** Throws if a socket's remote address may not be reached. */
  checkRemote(hostname: string, port: number, address: string | undefined): void;
}

export function createAddressGuard(allow: AllowList, resolve: ResolveHost): AddressGuard {
  const mayReach = (host: string, port: number, address: string) =>
    isPublicAddress(address) || allow.opensHost(host, port) || allow.opensAddress(address, port);

  return {
    checkHost(hostname, port, ports = noPorts) {
      const host = plainHost(hostname);
      const isForeign = portsWithoutHttp.has(port) && !ports.has(port);
      if (isForeign && !allow.opensPort(host, port)) throw blockedPort(host, port);
      if (isIP(host) !== 0 && !mayReach(host, port, host)) throw blockedAddress(host);
    },
    async lookup(hostname, port) {
      const host = plainHost(hostname);
      const addresses = isIP(host) === 0 ? await resolveOrFail(resolve, host) : [host];
      if (!addresses.every((address) => mayReach(host, port, address))) throw blockedAddress(host);
      return addresses.map((address) => ({ address, family: isIP(address) }));
    },
    checkRemote(hostname, port, address) {
      const host = plainHost(hostname);
      if (address === undefined || !mayReach(host, port, address)) throw blockedAddress(host);
    },
  };
}

/** The guard's lookup for one port, in the form of `net.connect`: sockets reach only addresses that it has checked. */
export function guardedLookup(guard: AddressGuard, port: number): LookupFunction {
  return (hostname, options, callback) => {
    guard.lookup(hostname, port).then(
      (addresses) => {
        const first = addresses[0];
        if (options.all || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
}

async function resolveOrFail(resolve: ResolveHost, host: string): Promise<readonly string[]> {
  const failed = `The name ${host} could not be resolved`;
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new OutboundError("DNS_FAILED", failed, { cause });
  });
  if (addresses.length === 0) throw new OutboundError("DNS_FAILED", failed);
  return addresses;
}

/** Reveals nothing about the addresses behind a name, which belong to the operator's network. */
function blockedAddress(host: string): OutboundError {
  const reason = isIP(host) === 0 ? `${host} does not lead to a public address` : `${host} is not a public address`;
  return new OutboundError(
    "BLOCKED_ADDRESS",
    `Blocked address: ${reason}. The operator of this service can allow it by adding it to OUTBOUND_ALLOW.`,
  );
}

function blockedPort(host: string, port: number): OutboundError {
  return new OutboundError(
    "BLOCKED_ADDRESS",
    `Blocked address: port ${port} is not used for HTTP. The operator of this service can allow it by adding ${host.includes(":") ? `[${host}]` : host}:${port} to OUTBOUND_ALLOW.`,
  );
}
