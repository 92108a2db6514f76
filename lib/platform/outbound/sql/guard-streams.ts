import type { Duplex } from "node:stream";

/**
 * Keeps invalid data from a server from ending the process: drivers parse it in stream listeners and throw there.
 * Closes the connection instead, which fails its statement. `owner`: the driver's connection, whose `stream` is
 * replaced on the upgrade to TLS.
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
