import type { LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";

/** A server that does not take the connection within this time is not going to. */
const connectTimeoutMs = 10_000;

/**
 * Opens sockets to one origin, and only where the guard permits. The check sits here and not before the request,
 * because here the address that was checked is the one that is connected to: a name cannot change between the two.
 */
export function guardedConnector(origin: URL, guard: AddressGuard): buildConnector.connector {
  const port = Number(origin.port || (origin.protocol === "https:" ? 443 : 80));
  const lookup: LookupFunction = (hostname, options, callback) => {
    guard.lookup(hostname, port).then(
      (addresses) => {
        const first = addresses[0];
        if (options.all || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, []),
    );
  };
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs, autoSelectFamily: true, maxCachedSessions: 10 });

  return (options, callback) => {
    // An address in place of a name never reaches `lookup`.
    const refusal = refusedBy(() => guard.checkHost(options.hostname, port));
    if (refusal) return callback(refusal, null);
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      const late = refusedBy(() => guard.checkRemote(options.hostname, port, socket?.remoteAddress));
      if (late === undefined) return callback(null, socket as NonNullable<typeof socket>);
      socket?.destroy();
      callback(late, null);
    });
  };
}

function refusedBy(check: () => void): Error | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
