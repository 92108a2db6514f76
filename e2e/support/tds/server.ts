// A fake SQL Server: speaks as much of its protocol (MS-TDS) as a client needs, and answers or fails as a test says.
// No SQL Server runs on the test machines.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { readCall, readLogin, type TdsLogin, type TdsStatement } from "./read.ts";
import { done, failure, loginAck } from "./tokens.ts";

/** An answer's bytes, or undefined if the test writes to the connection itself. */
export type TdsAnswer = (statement: TdsStatement, connection: TdsConnection) => Buffer | undefined;

interface TdsOptions {
  /** Handles statements that are called with `sp_executesql`. */
  readonly answer: TdsAnswer;
  /** The only account that may sign in; by default, any may. */
  readonly account?: TdsLogin;
  /** A certificate and its key, as PEM: requires TLS. */
  readonly secure?: { readonly cert: string; readonly key: string } | undefined;
  /** Replaces the answer to a sign-in. */
  readonly login?: (login: TdsLogin) => Buffer;
}

export interface TdsServer {
  readonly port: number;
  readonly logins: readonly TdsLogin[];
  readonly statements: readonly TdsStatement[];
  /** The open connections. */
  readonly connections: ReadonlySet<TdsConnection>;
  close(): void;
}

const packet = { batch: 1, call: 3, answer: 4, login: 16, prelogin: 18 } as const;
const bodyMax = 4_088;

export async function openTdsServer(options: TdsOptions): Promise<TdsServer> {
  const connections = new Set<TdsConnection>();
  const logins: TdsLogin[] = [];
  const statements: TdsStatement[] = [];
  const server = createServer((socket) => {
    const connection = new TdsConnection(socket, { ...options, logins, statements });
    connections.add(connection);
    socket.on("close", () => connections.delete(connection));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    for (const { socket } of connections) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, logins, statements, connections, close };
}

export class TdsConnection {
  readonly socket: Socket;
  /** How often a client reset its connection. */
  resets = 0;
  readonly #options: TdsOptions & { logins: TdsLogin[]; statements: TdsStatement[] };
  #stream: Duplex;
  #handshake: Handshake | undefined;
  #waiting: Buffer = Buffer.alloc(0);
  #message: Buffer[] = [];

  constructor(socket: Socket, options: TdsOptions & { logins: TdsLogin[]; statements: TdsStatement[] }) {
    this.#options = options;
    this.socket = socket;
    this.#stream = socket;
    socket.setNoDelay(true).on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      if (this.#handshake?.isDone) this.#handshake.push(chunk);
      else this.#read(chunk);
    });
  }

  /** Tokens as packets; the last of an answer ends it. */
  send(tokens: Buffer, isLast = true, type: number = packet.answer): boolean {
    let isTaken = true;
    for (let start = 0; start === 0 || start < tokens.length; start += bodyMax) {
      const body = tokens.subarray(start, start + bodyMax);
      const isEnd = isLast && start + bodyMax >= tokens.length;
      isTaken = this.#stream.write(Buffer.concat([header(type, body.length, isEnd), body]));
    }
    return isTaken;
  }

  /** Bytes as they are. */
  write(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  /** Calls `next` repeatedly, as fast as the client reads. */
  flood(next: () => Buffer): void {
    const stream = this.#stream;
    const go = () => {
      while (!stream.destroyed && this.send(next(), false));
      stream.once("drain", go);
    };
    go();
  }

  #read(chunk: Buffer): void {
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    while (this.#waiting.length >= 8 && this.#waiting.length >= this.#waiting.readUInt16BE(2)) {
      const [type = 0, status = 0] = this.#waiting;
      const length = this.#waiting.readUInt16BE(2);
      if (status & 8) this.resets += 1;
      this.#message.push(this.#waiting.subarray(8, length));
      this.#waiting = this.#waiting.subarray(length);
      if ((status & 1) === 0) continue;
      const message = Buffer.concat(this.#message);
      this.#message = [];
      this.#take(type, message);
    }
  }

  #take(type: number, message: Buffer): void {
    const { account, answer, login = accepted(account), logins, secure, statements } = this.#options;
    if (type === packet.prelogin) {
      if (this.#handshake) return void this.#handshake.push(message);
      this.send(preloginAnswer(secure !== undefined));
      if (secure) this.#secure(secure);
    } else if (type === packet.login) {
      const known = readLogin(message);
      logins.push(known);
      this.send(login(known));
    } else if (type === packet.batch) {
      this.send(done(0xfd));
    } else {
      const statement = readCall(message);
      statements.push(statement);
      const response = answer(statement, this);
      if (response) this.send(response);
    }
  }

  #secure(pair: { readonly cert: string; readonly key: string }): void {
    const handshake = new Handshake(this.socket, (bytes) => this.send(bytes, true, packet.prelogin));
    this.#handshake = handshake;
    const secure = new TLSSocket(handshake, { isServer: true, ...pair, maxVersion: "TLSv1.2" });
    secure.on("error", () => this.socket.destroy()).on("data", (chunk: Buffer) => this.#read(chunk));
    secure.once("secure", () => {
      handshake.isSecure = true;
    });
    handshake.onDone = () => {
      this.#stream = secure;
    };
  }
}

/** TLS in this protocol: the handshake is wrapped in packets, everything after it is plain TLS. */
class Handshake extends Duplex {
  isSecure = false;
  isDone = false;
  onDone: () => void = () => {};
  readonly #socket: Socket;
  readonly #send: (bytes: Buffer) => void;
  #waiting: Buffer[] = [];

  constructor(socket: Socket, send: (bytes: Buffer) => void) {
    super();
    this.#socket = socket.on("close", () => this.destroy());
    this.#send = send;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    if (this.isDone) return void this.#socket.write(chunk, taken);
    // One flight of the handshake is one message.
    if (this.#waiting.push(chunk) === 1) setImmediate(() => this.#flush());
    taken();
  }

  #flush(): void {
    const response = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#send(response);
    if (!this.isSecure) return;
    this.isDone = true;
    this.onDone();
  }
}

function header(type: number, length: number, isEnd: boolean): Buffer {
  const bytes = Buffer.from([type, isEnd ? 1 : 0, 0, 0, 0, 0, 1, 0]);
  bytes.writeUInt16BE(length + 8, 2);
  return bytes;
}

/** The server's version, and whether TLS is required from here on. */
function preloginAnswer(isSecure: boolean): Buffer {
  const options = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return Buffer.concat([options, Buffer.from([16, 0, 0x10, 0, 0, 0, isSecure ? 1 : 2])]);
}

function accepted(account: TdsLogin | undefined): (login: TdsLogin) => Buffer {
  return ({ username, password, database }) => {
    const refused = failure(18_456, `Login failed for user '${username}'.`, 14);
    if (account === undefined) return loginAck();
    if (username !== account.username || password !== account.password) return Buffer.concat([refused, done(0xfd, 2)]);
    if (database === account.database) return loginAck();
    const missing = `Cannot open database "${database}" requested by the login. The login failed.`;
    return Buffer.concat([failure(4_060, missing, 11), refused, done(0xfd, 2)]);
  };
}
