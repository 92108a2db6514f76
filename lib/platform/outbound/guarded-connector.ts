import { buildConnector } from "undici";
import { type AddressGuard, guardedLookup } from "./address-guard.ts";

/** How long a server may take to accept a connection. */
const connectTimeoutMs = 10_000;

/**
 * Opens sockets to one origin if the guard allows. Checking here, not before the request, makes the checked address the
 * one that is connected to: a name cannot change in between.
 */
export function guardedConnector(origin: URL, guard: AddressGuard): buildConnector.connector {
  const port = Number(origin.port || (origin.protocol === "https:" ? 443 : 80));
  const lookup = guardedLookup(guard, port);
  const connect = buildConnector({ lookup, timeout: connectTimeoutMs, autoSelectFamily: true, maxCachedSessions: 10 });

  return (options, callback) => {
    // `lookup` is never called for an IP address.
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
