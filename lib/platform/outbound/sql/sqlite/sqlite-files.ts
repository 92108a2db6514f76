import { type ChildProcess, fork } from "node:child_process";
import { realpathSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { dirname, sep } from "node:path";
import { memoryOf } from "#lib/platform/processes/memory-of.ts";
import { orphans } from "#lib/platform/processes/orphans.ts";
import { programFile } from "#lib/platform/programs.ts";
import { type Deadline, startDeadline } from "../../deadline.ts";
import { OutboundError } from "../../outbound-error.ts";
import { type SqlAnswer, type SqliteFile, type SqlLimits, SqlRefused, type SqlStatement } from "../sql-server.ts";
import { refuseForbiddenWords } from "./forbidden-words.ts";
import type { SqliteMessage, SqliteTask } from "./task.ts";

/** Processes per workspace, and in total. */
const childrenMax = { ofFolder: 4, inAll: 12 } as const;
const idleMsMax = 30_000;
const busyMsMax = 10_000;
/** SQLite has no reliable memory limit, so the process is watched. */
const memoryBytesMax = 320 * 1_048_576;
const watchMs = 50;

interface Child {
  readonly process: ChildProcess;
  readonly folder: string;
  isBusy: boolean;
  isEnded: boolean;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Runs statements in SQLite files, in pooled child processes: Node's SQLite blocks its process and cannot be
 * interrupted.
 */
export class SqliteFiles {
  readonly #children = new Set<Child>();
  #waiting: (() => void)[] = [];

  /** Runs one statement. Throws SqlRefused, and OutboundError: TIMEOUT, ABORTED, or RESET if the process was killed. */
  async query(database: SqliteFile, statement: SqlStatement, limits: SqlLimits): Promise<SqlAnswer> {
    refuseForbiddenWords(statement.text);
    const deadline = startDeadline(limits.timeoutMs, limits.signal);
    try {
      await mkdir(database.folder, { recursive: true, mode: 0o700 });
      const folder = await realpath(database.folder);
      const child = await this.#take(folder, deadline);
      const busyMs = Math.min(busyMsMax, Math.floor(limits.timeoutMs / 2));
      return await this.#run(child, { database: { ...database, folder }, statement, busyMs }, deadline);
    } finally {
      deadline.clear();
    }
  }

  /** Ends every process. */
  close(): void {
    for (const child of this.#children) this.#drop(child);
  }

  async #run(child: Child, task: SqliteTask, deadline: Deadline): Promise<SqlAnswer> {
    let watch: NodeJS.Timeout | undefined;
    const tooMuch = new Promise<never>((_, reject) => {
      const refusal = new SqlRefused("SQL_TOO_LARGE", "The statement takes too much memory");
      watch = setInterval(() => memoryOf(child.process.pid) > memoryBytesMax && reject(refusal), watchMs);
    });
    try {
      const answer = await deadline.race(Promise.race([answerOf(child, task), tooMuch]));
      this.#release(child);
      return answer;
    } catch (error) {
      const isAnswered = error instanceof SqlRefused && ["SQL_FAILED", "SQL_FILE"].includes(error.code);
      if (isAnswered) this.#release(child);
      else this.#drop(child);
      throw error;
    } finally {
      clearInterval(watch);
    }
  }

  async #take(folder: string, deadline: Deadline): Promise<Child> {
    for (;;) {
      const own = [...this.#children].filter((child) => child.folder === folder);
      const idle = own.find((child) => !child.isBusy);
      if (idle !== undefined) {
        clearTimeout(idle.timer);
        idle.isBusy = true;
        return idle;
      }
      if (own.length < childrenMax.ofFolder && this.#makeRoom()) return this.#start(folder);
      await deadline.race(new Promise<void>((resolve) => this.#waiting.push(resolve)));
    }
  }

  /** Whether one more process may be started; ends an idle one if needed. */
  #makeRoom(): boolean {
    if (this.#children.size < childrenMax.inAll) return true;
    const idle = [...this.#children].find((child) => !child.isBusy);
    if (idle !== undefined) this.#drop(idle);
    return idle !== undefined;
  }

  #start(folder: string): Child {
    const main = realpathSync(/* turbopackIgnore: true */ programFile("lib/platform/outbound/sql/sqlite/child.ts"));
    // The code that it may read: the modules beside it and, in production, shared chunks.
    const code = main.slice(0, main.lastIndexOf(`${sep}lib${sep}`) + 5);
    const rights = ["--permission", `--allow-fs-read=${code}`, `--allow-fs-read=${folder}`];
    const process = fork(/* turbopackIgnore: true */ main, [], {
      cwd: dirname(main),
      env: Object.create(null),
      execArgv: [
        ...[...rights, `--allow-fs-write=${folder}`],
        ...["--max-old-space-size=160", "--v8-pool-size=1"],
        ...["--disable-warning=ExperimentalWarning", "--disable-warning=SecurityWarning"],
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const child: Child = { process, folder, isBusy: true, isEnded: false };
    const { pid } = process;
    if (pid !== undefined) orphans.add(pid);
    process.on("error", () => this.#drop(child));
    process.once("exit", () => {
      if (pid !== undefined) orphans.remove(pid);
      this.#drop(child);
    });
    // An idle child does not keep the process alive.
    process.unref();
    process.channel?.unref();
    this.#children.add(child);
    return child;
  }

  #release(child: Child): void {
    child.isBusy = false;
    child.timer = setTimeout(() => this.#drop(child), idleMsMax).unref();
    this.#wake();
  }

  #drop(child: Child): void {
    if (child.isEnded) return;
    child.isEnded = true;
    clearTimeout(child.timer);
    this.#children.delete(child);
    child.process.kill("SIGKILL");
    this.#wake();
  }

  /** Lets all waiters check again. */
  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

function answerOf({ process }: Child, task: SqliteTask): Promise<SqlAnswer> {
  return new Promise((resolve, reject) => {
    const rows: SqlAnswer["rows"][number][] = [];
    const lost = () => end(() => reject(new OutboundError("RESET", "The database's process ended")));
    const receive = (raw: unknown) => {
      const received = raw as SqliteMessage;
      if ("rows" in received) for (const row of received.rows) rows.push(row);
      else if ("done" in received) end(() => resolve({ ...received.done, rows }));
      else end(() => reject(new SqlRefused(received.failure.code, received.failure.message)));
    };
    const end = (settle: () => void) => {
      process.off("message", receive).off("exit", lost).off("error", lost);
      settle();
    };
    process.on("message", receive).once("exit", lost).once("error", lost);
    process.send(task, (error) => error && lost());
  });
}
