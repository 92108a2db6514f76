import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/** Reads lists of process ids, and ends those of the last one when the pipe closes. Whoever stops us must not stop it. */
const script = 'trap "" HUP INT TERM; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

const replaceAfterMs = 1_000;

/**
 * Ends the children of a process that was killed. An idle child notices by itself, but one that is stuck inside the
 * engine would burn CPU forever. A shell waits on a pipe that only this process holds open: it takes 1 MB for all
 * children, where a thread in each would take 12.
 */
class Orphans {
  readonly #living = new Set<number>();
  #shell: ChildProcess | undefined;
  #hasShell: boolean | undefined;

  /** Whether children can be watched from outside: there is no shell on Windows, and in some containers. */
  get areWatched(): boolean {
    this.#hasShell ??=
      process.platform !== "win32" && spawnSync("sh", ["-c", "read -r line"], { input: "\n" }).status === 0;
    if (!this.#hasShell) return false;
    this.#shell ??= this.#start();
    return this.#shell.pid !== undefined;
  }

  add(pid: number): void {
    this.#living.add(pid);
    this.#tell();
  }

  remove(pid: number): void {
    if (this.#living.delete(pid)) this.#tell();
  }

  #tell(): void {
    if (this.areWatched) this.#shell?.stdin?.write(`${[...this.#living].join(" ")}\n`);
  }

  #start(): ChildProcess {
    const shell = spawn("sh", ["-c", script], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
    // Another one is started with the next child.
    const forget = () => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    const replace = () => {
      forget();
      // Children that live already have nobody else. Not at once, in case it ends every time.
      if (this.#living.size > 0) setTimeout(() => this.#living.size > 0 && this.#tell(), replaceAfterMs).unref();
    };
    shell.on("error", forget).on("exit", replace).unref();
    // Missing where this process may open no more files.
    const pipe = shell.stdin as (typeof shell.stdin & { unref?: () => void }) | undefined;
    pipe?.on("error", () => {});
    pipe?.unref?.();
    return shell;
  }
}

export const orphans = new Orphans();
