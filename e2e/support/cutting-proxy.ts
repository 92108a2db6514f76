// A proxy between the service and its database that cuts the connection at a chosen statement: before the database sees
// it, or after it ran and before its answer is back. It can also hold a connection there, for a test that kills the
// service meanwhile.
import { createServer, connect as dial, type Socket } from "node:net";

export type CutSide = "before" | "after";

/**
 * A statement, recognized by its text or values; or, with `next`, the first one after it on the same connection that
 * contains `next`.
 */
export interface HeldStatement {
  readonly contains: readonly string[];
  readonly next?: string;
  readonly side: CutSide;
}

export interface CuttingProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** Counts statements from here on, and cuts at the nth, or at each from there on (`forGood`); 0 only counts. */
  arm(nth: number, side?: CutSide, options?: { readonly forGood?: boolean }): void;
  /** Stops cutting; returns how many statements there were. */
  disarm(): number;
  /** Holds the connection with the next such statement permanently; resolves once it does. */
  hold(statement: HeldStatement): Promise<void>;
  close(): Promise<void>;
}

const executes = new Set(["E", "Q"]);
/** The messages with a statement's name, text and values: Parse, Bind and Query. */
const statementParts = new Set(["P", "B", "Q"]);

interface Hold extends HeldStatement {
  readonly reached: () => void;
  /** The connection on which `next` is expected. */
  connection?: Socket;
}

export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  const state = { isArmed: false, nth: 0, side: "before" as CutSide, forGood: false, count: 0 };
  const holds = new Set<Hold>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(Number(target.port || 5432), target.hostname);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      // No delay (Nagle): messages are forwarded one by one and would each wait for an acknowledgement.
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    let isCutting = false;
    let held: Hold | undefined;
    let statement = "";
    // A connection's first message has no type.
    const requests = new Messages(false, (type, message) => {
      if ((isCutting && state.side === "before") || held?.side === "before") return;
      if (statementParts.has(type)) statement += message.toString("latin1");
      if (executes.has(type)) {
        held ??= findReachedHold(holds, client, statement);
        statement = "";
        if (held?.side === "before") {
          held.reached();
          return;
        }
      }
      if (state.isArmed && executes.has(type)) {
        state.count += 1;
        if (state.count === state.nth || (state.forGood && state.count > state.nth)) {
          isCutting = true;
          if (state.side === "before") {
            cut();
            return;
          }
        }
      }
      upstream.write(message);
    });
    const answers = new Messages(true, (type, message) => {
      if (held !== undefined) {
        if (type === "Z") held.reached();
      } else if (!isCutting) client.write(message);
      else if (type === "Z") cut();
    });
    client.on("data", (bytes) => requests.add(bytes));
    upstream.on("data", (bytes) => answers.add(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete("host"); // It names a socket.
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: url.href,
    arm: (nth, side = "before", { forGood = false } = {}) =>
      Object.assign(state, { isArmed: true, nth, side, forGood, count: 0 }),
    disarm: () => {
      state.isArmed = false;
      return state.count;
    },
    hold: (named) => new Promise((resolve) => holds.add({ ...named, reached: resolve })),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What to hold at this statement. */
function findReachedHold(holds: Set<Hold>, connection: Socket, statement: string): Hold | undefined {
  for (const hold of holds) {
    if (hold.connection === undefined && hold.contains.every((text) => statement.includes(text))) {
      hold.connection = connection;
      if (hold.next !== undefined) continue;
    } else if (hold.connection !== connection || !statement.includes(hold.next ?? "")) continue;
    holds.delete(hold);
    return hold;
  }
  return undefined;
}

/** PostgreSQL's protocol messages in a stream of bytes. */
class Messages {
  #bytes = Buffer.alloc(0);
  #isTyped: boolean;
  readonly #onMessage: (type: string, message: Buffer) => void;

  constructor(isTyped: boolean, onMessage: (type: string, message: Buffer) => void) {
    this.#isTyped = isTyped;
    this.#onMessage = onMessage;
  }

  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = this.#isTyped ? 1 : 0;
      if (this.#bytes.length < head + 4) return;
      const length = head + this.#bytes.readInt32BE(head);
      if (this.#bytes.length < length) return;
      const message = this.#bytes.subarray(0, length);
      this.#bytes = this.#bytes.subarray(length);
      const type = this.#isTyped ? message.toString("latin1", 0, 1) : "";
      this.#isTyped = true;
      this.#onMessage(type, message);
    }
  }
}
