import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A local TCP server that calls `handle` with each connection; returns its port. Closed when the test ends. */
export async function openSocketServer(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    handle(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Pseudo-random integers below 2^23 for hostile answers, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 8;
  };
}

/** True if the server at this local port sends something by itself, as databases and mail servers do; else undefined. */
export async function isGreeting(port: number): Promise<true | undefined> {
  const socket = connect(port, "127.0.0.1");
  try {
    return await new Promise((resolve) => {
      socket
        .once("data", () => resolve(true))
        .once("error", () => resolve(undefined))
        .once("close", () => resolve(undefined));
    });
  } finally {
    socket.destroy();
  }
}
