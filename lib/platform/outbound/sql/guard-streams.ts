import type { Duplex } from "node:stream";

/**
 * Keeps what a server sends from ending the process: drivers read it in listeners of their stream, and throw there what they
 * do not understand. Such a connection is closed instead, and its statement fails. `owner` is the driver's own connection,
 * whose `stream` is another one once it is secure.
 */
export function guardStreams(owner: object): void {
  const holder = owner as { stream: Duplex };
  let current = guarded(holder.stream);
  Object.defineProperty(holder, "stream", {
    configurable: true,
    enumerable: true,
    get: () => current,
    set: (stream: Duplex) => {
      current = guarded(stream);
    },
  });
}

function guarded(stream: Duplex): Duplex {
  const emit = stream.emit.bind(stream);
  stream.emit = (event: string | symbol, ...given: unknown[]) => {
    try {
      return emit(event, ...given);
    } catch {
      stream.destroy();
      return true;
    }
  };
  return stream;
}
