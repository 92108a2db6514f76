import { type ChildProcess, fork } from "node:child_process";
import { realpathSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";
import { processCpuMs } from "#lib/platform/processes/cpu-of.ts";
import { orphans } from "#lib/platform/processes/orphans.ts";
import { programFile } from "#lib/platform/programs.ts";
import type { ChildMessage, TaskMessage } from "./child/protocol.ts";
import { type ProgressEntry, ProgressFile } from "./progress-file.ts";

const stderrCharsMax = 4096;
const startMsMax = 30_000;
/** CPU time that a child uses besides its program: for reading input, compiling and garbage collection. */
const cpuGraceMs = 200;
/** How many times its wall deadline a child may live if a busy machine has not given it its CPU time. */
const patience = 20;
/**
 * The children's niceness: the server goes first, however many of them compute. With a core to spare, they lose
 * nothing. Starting children keep normal priority: they run no user code yet, and a task may be waiting for them.
 */
const niceness = 5;

export interface ChildListener {
  /** The batch's answers (fewer than its tasks if some have not started); the child is idle again. */
  answered(child: SandboxChild, message: Extract<ChildMessage, { kind: "answers" }>): void;
  ready(child: SandboxChild): void;
  exited(child: SandboxChild): void;
}

/** A child process: started without environment, files or permissions, and killed if it exceeds its time. */
export class SandboxChild {
  listener: ChildListener | undefined;
  tasksDone = 0;
  stderr = "";
  isReady = false;
  isDead = false;
  /** Killed at a deadline, not crashed. */
  overstayed = false;
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #ledger = new ProgressFile();
  #timer: NodeJS.Timeout | undefined;
  #cpuMsBefore = 0;
  #startedAt = 0;
  #cpuMsMax = 0;
  #wallMsMax = 0;

  constructor(memoryBytes: number, folder?: string) {
    this.#process = start(this.#ledger.descriptor, memoryBytes, folder);
    if (this.pid !== undefined) orphans.add(this.pid);
    this.#process.on("message", (message) => this.#receive(message as ChildMessage));
    this.exited = new Promise((resolve) => {
      const leave = () => {
        this.#leave();
        resolve();
      };
      this.#process.once("exit", leave);
      this.#process.once("error", leave);
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(0, stderrCharsMax);
    });
    this.#timer = setTimeout(() => this.kill(), startMsMax);
    // Only a starting or working child keeps the server alive.
    this.#process.unref();
    unrefStream(this.#process.stderr);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The task and program it is working on, or was when it died. */
  get current(): ProgressEntry | undefined {
    return this.#ledger.read();
  }

  send(batch: readonly TaskMessage[], cpuMsMax: number, graceMs: number): void {
    this.#cpuMsMax = cpuMsMax;
    this.#wallMsMax = cpuMsMax + graceMs;
    this.#process.channel?.ref();
    this.#renew();
    // If sending fails, the process exits, and its exit handles the batch.
    this.#process.send(batch as TaskMessage[], () => undefined);
  }

  kill(): void {
    clearTimeout(this.#timer);
    // Lets the process wait for its end.
    this.#process.ref();
    this.#process.kill("SIGKILL");
  }

  #receive(message: ChildMessage): void {
    if (this.isDead) return;
    if (message.kind === "ready") {
      this.isReady = true;
      clearTimeout(this.#timer);
      lowerPriority(this.pid);
      // The cost of starting is not charged to a program.
      this.#cpuMsBefore = processCpuMs(this.pid) ?? 0;
      this.#process.channel?.unref();
      this.listener?.ready(this);
      return;
    }
    this.#cpuMsBefore = message.cpuMs;
    if (message.kind === "alive") {
      this.#renew();
      return;
    }
    clearTimeout(this.#timer);
    this.#process.channel?.unref();
    this.listener?.answered(this, message);
  }

  #renew(): void {
    clearTimeout(this.#timer);
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#judge(), this.#wallMsMax);
  }

  /** The wall deadline has passed. On a busy machine that proves nothing, so its CPU time decides. */
  #judge(): void {
    const used = processCpuMs(this.pid);
    const owed = used === undefined ? 0 : this.#cpuMsMax + cpuGraceMs - (used - this.#cpuMsBefore);
    if (owed > 0 && performance.now() - this.#startedAt < patience * this.#wallMsMax) {
      this.#timer = setTimeout(() => this.#judge(), owed + 50);
      return;
    }
    this.overstayed = true;
    this.kill();
  }

  #leave(): void {
    if (this.isDead) return;
    this.isDead = true;
    if (this.pid !== undefined) orphans.remove(this.pid);
    clearTimeout(this.#timer);
    this.listener?.exited(this);
    this.#ledger.close();
  }
}

function start(ledgerDescriptor: number, memoryBytes: number, folder: string | undefined): ChildProcess {
  const { main, cwd, env, execArgv } = childRights(folder);
  const watched = orphans.areWatched ? [] : [String(process.pid)];
  return fork(/* turbopackIgnore: true */ main, [String(memoryBytes), ...watched], {
    cwd,
    env,
    execPath: process.execPath,
    execArgv: [...execArgv],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc", ledgerDescriptor],
  });
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has already exited, or the system forbids it: then it competes like any other process.
  }
}

function unrefStream(stream: unknown): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}

interface ChildRights {
  readonly main: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
}

/**
 * A child's permissions: no environment, and only its own code on disk. User code cannot ask for either; this is a
 * second wall in case it ever escapes the engine. `folder`: that of a self-contained bundle of the child.
 */
export function childRights(folder?: string): ChildRights {
  if (folder !== undefined) {
    const cwd = realpathSync(folder);
    return { main: path.join(cwd, "main.mjs"), ...rightsIn(cwd, [cwd]) };
  }
  const main = realpathSync(/* turbopackIgnore: true */ programFile("lib/sandbox/child/main.ts"));
  const cwd = path.dirname(main);
  if (main.endsWith(".mjs")) return { main, ...rightsIn(cwd, [cwd]) };
  const packages = realpathSync(path.join(/* turbopackIgnore: true */ process.cwd(), "node_modules"));
  return {
    main,
    ...rightsIn(cwd, [cwd, path.join(packages, "quickjs-emscripten-core"), path.join(packages, "@jitl")]),
  };
}

function rightsIn(cwd: string, readable: readonly string[]): Omit<ChildRights, "main"> {
  return {
    cwd,
    env: Object.create(null),
    execArgv: [
      "--permission",
      ...readable.map((place) => `--allow-fs-read=${place}`),
      // For the watchdog thread, which shares the process's permissions.
      ...(orphans.areWatched ? [] : ["--allow-worker"]),
      // Must match the guest's stack, see child/guest.ts.
      "--stack-size=4000",
      "--max-old-space-size=96",
      "--max-semi-space-size=2",
      // One thread for the compiler and the garbage collector instead of four with their own heaps.
      "--v8-pool-size=1",
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=SecurityWarning",
    ],
  };
}
