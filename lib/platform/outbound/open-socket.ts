import { isIP, type Socket, connect as tcpConnect } from "node:net";
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
