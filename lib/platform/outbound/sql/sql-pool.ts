import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { type Deadline, endedBySignal, startDeadline } from "../deadline.ts";
import type { SocketTarget } from "../open-socket.ts";
import { OutboundError } from "../outbound-error.ts";
import { connectMssql } from "./mssql/mssql.ts";
import { connectMysql } from "./mysql.ts";
import { connectPostgres } from "./postgres.ts";
import {
  RowCollector,
  type SqlAnswer,
  type SqlConnection,
  type SqlLimits,
  SqlRefused,
  type SqlServer,
  type SqlStatement,
  tooLarge,
} from "./sql-server.ts";

/** Connections of a process per server and account, in use for one workspace, and in total. */
const connectionsMax = { ofServer: 4, ofWorkspace: 16, inAll: 64 } as const;
const idleMsMax = 30_000;
const resetMsMax = 5_000;
/** How often an answer's received bytes are counted. */
const countMs = 10;
/** How much a server may send during sign-in. */
const signInBytesMax = 1_048_576;

/** These protocols' ports, which are closed to HTTP requests. */
const ownPorts = { postgres: new Set([5432]), mysql: new Set([3306]), mssql: new Set([1433]) } as const;

interface Pooled {
  readonly connection: SqlConnection;
  readonly socket: Socket;
  readonly key: string;
  isEnded: boolean;
  timer?: NodeJS.Timeout;
}

type Open = (target: SocketTarget, deadline: Deadline) => Promise<Socket>;

/** Pools connections to databases: few per account, closed when idle for a while. */
export class SqlPool {
  readonly #open: Open;
  readonly #idle = new Map<string, Pooled[]>();
  /** Connections by server and account, including those being opened. */
  readonly #counts = new Map<string, number>();
  readonly #waiting: { readonly key: string; readonly go: () => void }[] = [];
  /** Statements by workspace: so many are running, and the others wait in order. */
  readonly #shares = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  readonly #all = new Set<Pooled>();

  constructor(open: Open) {
    this.#open = open;
  }

  /** Runs one statement. Throws SqlRefused, OutboundError. */
  async query(server: SqlServer, statement: SqlStatement, limits: SqlLimits): Promise<SqlAnswer> {
    const deadline = startDeadline(limits.timeoutMs, limits.signal);
    try {
      await this.#enter(limits.workspaceId, deadline);
      try {
        const pooled = await this.#take(server, deadline);
        return await this.#run(pooled, statement, deadline);
      } finally {
        this.#leave(limits.workspaceId);
      }
    } finally {
      deadline.clear();
    }
  }

  /** Waits until the workspace has a statement less than its share. Every call that returns needs a `#leave`. */
  async #enter(workspaceId: string, deadline: Deadline): Promise<void> {
    const share = this.#shares.get(workspaceId) ?? { running: 0, waiting: [] };
    this.#shares.set(workspaceId, share);
    if (share.running < connectionsMax.ofWorkspace) {
      share.running += 1;
      return;
    }
    let go = () => {};
    const entered = new Promise<void>((resolve) => {
      go = resolve;
      share.waiting.push(go);
    });
    try {
      await deadline.race(entered);
    } catch (error) {
      const place = share.waiting.indexOf(go);
      if (place >= 0) share.waiting.splice(place, 1);
      // It may just have been given the place of another: passes it on.
      else this.#leave(workspaceId);
      throw error;
    }
  }

  /** Gives the place to the next of the workspace. */
  #leave(workspaceId: string): void {
    const share = this.#shares.get(workspaceId);
    if (share === undefined) return;
    const next = share.waiting.shift();
    if (next === undefined) share.running -= 1;
    else next();
    if (share.running === 0) this.#shares.delete(workspaceId);
  }

  /** Closes every connection. */
  close(): void {
    for (const pooled of this.#all) this.#drop(pooled);
  }

  async #run(pooled: Pooled, statement: SqlStatement, deadline: Deadline): Promise<SqlAnswer> {
    const { connection, socket } = pooled;
    const rows = new RowCollector(statement.rowsMax);
    const before = socket.bytesRead;
    const isTooLarge = () => socket.bytesRead - before > statement.bytesMax;
    const refusal = tooLarge(statement.bytesMax);
    let counter: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      counter = setInterval(() => isTooLarge() && reject(refusal), countMs);
    });
    try {
      const done = await deadline.race(Promise.race([connection.run(statement, rows), over]));
      if (isTooLarge()) throw refusal;
      this.#release(pooled);
      return { ...done, rows: rows.rows };
    } catch (error) {
      const isAnswered = error instanceof SqlRefused && error.code === "SQL_FAILED";
      if (isAnswered) this.#release(pooled);
      else {
        // Nobody reads the server's current result any more.
        if (deadline.signal.aborted) void connection.cancel();
        this.#drop(pooled);
      }
      throw deadline.signal.aborted ? deadline.signal.reason : error;
    } finally {
      clearInterval(counter);
    }
  }

  async #take(server: SqlServer, deadline: Deadline): Promise<Pooled> {
    const key = createHash("sha256").update(JSON.stringify(server)).digest("base64url");
    for (;;) {
      const idle = this.#idle.get(key)?.pop();
      if (idle !== undefined) {
        clearTimeout(idle.timer);
        if (!idle.isEnded) return idle;
        continue;
      }
      if ((this.#counts.get(key) ?? 0) < connectionsMax.ofServer && this.#makeRoom())
        return await this.#connect(key, server, deadline);
      await this.#turn(key, deadline);
    }
  }

  /** Waits until a connection may be available. */
  async #turn(key: string, deadline: Deadline): Promise<void> {
    let waiting: { readonly key: string; readonly go: () => void } | undefined;
    const free = new Promise<void>((resolve) => {
      waiting = { key, go: resolve };
      this.#waiting.push(waiting);
    });
    try {
      await deadline.race(free);
    } catch (error) {
      const place = waiting === undefined ? -1 : this.#waiting.indexOf(waiting);
      if (place >= 0) this.#waiting.splice(place, 1);
      // It may just have been woken: wakes another instead.
      else this.#wake(key);
      throw error;
    }
  }

  /** Whether one more connection may be opened; closes an idle one if needed. */
  #makeRoom(): boolean {
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    if (total < connectionsMax.inAll) return true;
    const idle = [...this.#idle.values()].flat()[0];
    if (idle === undefined) return false;
    this.#drop(idle);
    return true;
  }

  async #connect(key: string, server: SqlServer, deadline: Deadline): Promise<Pooled> {
    this.#count(key, 1);
    const target = { host: server.host, port: server.port, ports: ownPorts[server.kind] };
    const open = (by: Deadline) => this.#open(target, by);
    try {
      const socket = await open(deadline);
      // An idle connection does not keep the process from exiting.
      socket.unref();
      const connection = await signIn(server, socket, deadline, open);
      const pooled: Pooled = { connection, socket, key, isEnded: false };
      this.#all.add(pooled);
      connection.onEnd(() => this.#drop(pooled));
      return pooled;
    } catch (error) {
      this.#count(key, -1);
      this.#wake(key);
      throw error;
    }
  }

  /** Returns a connection to the pool once it has been reset. */
  #release(pooled: Pooled): void {
    const reset = startDeadline(resetMsMax, new AbortController().signal);
    reset.race(pooled.connection.reset()).then(
      () => {
        reset.clear();
        if (pooled.isEnded) return;
        pooled.timer = setTimeout(() => this.#drop(pooled), idleMsMax).unref();
        this.#idle.set(pooled.key, [...(this.#idle.get(pooled.key) ?? []), pooled]);
        this.#wake(pooled.key);
      },
      () => {
        reset.clear();
        this.#drop(pooled);
      },
    );
  }

  #drop(pooled: Pooled): void {
    if (pooled.isEnded) return;
    pooled.isEnded = true;
    clearTimeout(pooled.timer);
    this.#all.delete(pooled);
    const others = (this.#idle.get(pooled.key) ?? []).filter((idle) => idle !== pooled);
    if (others.length === 0) this.#idle.delete(pooled.key);
    else this.#idle.set(pooled.key, others);
    this.#count(pooled.key, -1);
    pooled.connection.close();
    this.#wake(pooled.key);
  }

  #count(key: string, change: number): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }

  /** Wakes the next waiter for this server; if there is none, lets all others check for room. */
  #wake(key: string): void {
    const place = this.#waiting.findIndex((waiter) => waiter.key === key);
    const woken = place < 0 ? this.#waiting.splice(0) : this.#waiting.splice(place, 1);
    for (const { go } of woken) go();
  }
}

/**
 * Lets the driver sign in, and aborts if the server sends more than any sign-in takes. Throws SqlRefused,
 * OutboundError.
 */
async function signIn(
  server: SqlServer,
  socket: Socket,
  deadline: Deadline,
  open: (by: Deadline) => Promise<Socket>,
): Promise<SqlConnection> {
  const overflow = new AbortController();
  const refusal = new OutboundError("BAD_RESPONSE", `The database gave no proper answer (${server.host})`);
  const counter = setInterval(() => socket.bytesRead > signInBytesMax && overflow.abort(refusal), countMs);
  const bounded = endedBySignal(deadline, overflow.signal);
  try {
    if (server.kind === "postgres") return await connectPostgres(server, socket, bounded, open);
    if (server.kind === "mysql") return await connectMysql(server, socket, bounded);
    return await connectMssql(server, socket, bounded);
  } finally {
    clearInterval(counter);
  }
}
