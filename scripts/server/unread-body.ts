// The answers of the server: they close connections whose request was answered before all of its body was read, and leave
// in as few packets as they can.
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Time for a client to read the answer and stop sending. */
const lingerMs = 2_000;

/**
 * An answer sent while the body is still arriving says `Connection: close`: the rest would be taken for the next
 * request, or have to be read for as long as the client sends.
 */
export class ClosingResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  readonly #request: Request;
  readonly #socket: Socket;

  constructor(request: Request) {
    super(request);
    this.#request = request;
    // A request whose reader cancels, as a web stream does, is detached from its socket.
    this.#socket = request.socket;
  }

  override writeHead(...given: [number, ...never[]]): this {
    if (!this.#request.complete && hasBody(this.#request)) {
      this.setHeader("connection", "close");
      lingerBeforeClose(this.#socket);
    }
    return super.writeHead(...given);
  }

  /**
   * Next flushes the head before it writes the body. What follows in the same turn of the event loop leaves together with
   * the head: an answer takes one packet and one system call, not three.
   */
  override flushHeaders(): void {
    const socket = this.headersSent ? null : this.socket;
    socket?.cork();
    super.flushHeaders();
    if (socket) process.nextTick(() => socket.uncork());
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": coding } = headers;
  return coding !== undefined || (length !== undefined && Number(length) !== 0);
}

/**
 * Closes in two steps (RFC 9112, section 9.6): to close at once, with bytes unread, would reset the connection, and the
 * client would lose the answer. Bytes that still arrive are dropped unparsed, so that no further request is read from
 * them.
 */
function lingerBeforeClose(socket: Socket): void {
  socket.destroySoon = () => {
    destroyLater(socket);
    socket.removeAllListeners("data");
    socket.on("data", () => {});
    socket.once("end", () => socket.destroy());
    socket.end();
    socket.resume();
  };
}

/** For a connection whose end was sent: a client that never sends its own would keep it open for ever. */
export function destroyLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
