import { type ChildProcess, spawn, spawnSync } from "node:child_process";

/**
 * Starts with a list of process ids and reads later ones, and kills those of the last list when the pipe closes. Ignores
 * signals meant for us.
 */
const script =
  'trap "" HUP INT TERM; pids=$1; while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';

const replaceAfterMs = 1_000;

/**
 * Ends the children of a killed process. An idle child notices by itself, but one stuck inside the engine would burn
 * CPU forever. A shell waits on a pipe that only this process holds open: it takes 1 MB for all children, whereas a
 * thread in each would take 12 MB.
 */
class Orphans {
  readonly #pids = new Set<number>();
  #shell: ChildProcess | undefined;
  #hasShell: boolean | undefined;

  /** Whether children can be watched from outside: Windows and some containers have no shell. */
  get areWatched(): boolean {
    this.#hasShell ??=
      process.platform !== "win32" && spawnSync("sh", ["-c", "read -r line"], { input: "\n" }).status === 0;
    if (!this.#hasShell) return false;
    this.#shell ??= this.#start();
    return this.#shell.pid !== undefined;
  }

  add(pid: number): void {
    this.#pids.add(pid);
    this.#sendPids();
  }

  remove(pid: number): void {
    if (this.#pids.delete(pid)) this.#sendPids();
  }

  #sendPids(): void {
    if (this.areWatched) this.#shell?.stdin?.write(`${this.#list}\n`);
  }

  get #list(): string {
    return [...this.#pids].join(" ");
  }

  #start(): ChildProcess {
    // As an argument, the list is there however soon this process is killed.
    const args = ["-c", script, "sh", this.#list];
    const shell = spawn("sh", args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
    // Another shell is started with the next child.
    const forget = () => {
      if (this.#shell === shell) this.#shell = undefined;
    };
    const replace = () => {
      forget();
      // Living children need a new shell; after a pause, in case it exits every time.
      if (this.#pids.size > 0) setTimeout(() => this.#pids.size > 0 && this.#sendPids(), replaceAfterMs).unref();
    };
    shell.on("error", forget).on("exit", replace).unref();
    // Missing if this process cannot open more files.
    const pipe = shell.stdin as (typeof shell.stdin & { unref?: () => void }) | undefined;
    pipe?.on("error", () => {});
    pipe?.unref?.();
    return shell;
  }
}

export const orphans = new Orphans();
