import { isIP, type Socket, connect as tcpConnect } from "node:net";
import { buildConnector } from "undici";
import { type AddressGuard, guardedLookup } from "./address-guard.ts";
import type { Deadline } from "./deadline.ts";
import { translateError } from "./outbound-error.ts";

/** The target of a driver for another protocol. */
export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  /** Ports that belong to the driver's protocol, which are closed to requests. */
  readonly ports: ReadonlySet<number>;
}

/**
 * Opens a plain connection for another protocol than HTTP, with the same checks as a request (the host as written, its
 * addresses, the connected one). The driver upgrades it to TLS if needed. Throws OutboundError.
 */
export async function openSocket(guard: AddressGuard, target: SocketTarget, deadline: Deadline): Promise<Socket> {
  const { host, port, ports } = target;
  guard.checkHost(host, port, ports);
  const lookup = guardedLookup(guard, port);
  const socket = tcpConnect({ host: host.replace(/^\[|\]$/g, ""), port, lookup, autoSelectFamily: isIP(host) === 0 });
  try {
    await deadline.race(new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject)));
    guard.checkRemote(host, port, socket.remoteAddress);
    return socket;
  } catch (error) {
    // A later error of a socket that nobody reads would end the process.
    socket.on("error", () => {}).destroy();
    throw translateError(error, host);
  }
}

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
