import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import type { ChildMessage, TaskMessage } from "./child/protocol.ts";
import { childRights } from "./child-rights.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { processCpuMs } from "./process-cpu.ts";

const stderrCharsMax = 4096;
const startMsMax = 30_000;
/** CPU time of a child that is not its program's: of reading what it was sent, of compiling and collecting. */
const cpuGraceMs = 200;
/** How many times over its wall deadline a child may stay if the machine has not given it the CPU time it was promised. */
const patience = 20;
/**
 * Niceness of the children: while the server itself has something to do, it goes first, however many of them compute.
 * What they compute then takes longer and costs nobody else a thing; with a core to spare they notice nothing of it.
 * Until they are ready they run nobody's code, and somebody may be waiting for them.
 */
const niceness = 5;

export interface ChildListener {
  /** It has its batch's answers (fewer than tasks: the rest has not begun), and is idle again. */
  answered(child: SandboxChild, message: Extract<ChildMessage, { kind: "answers" }>): void;
  ready(child: SandboxChild): void;
  exited(child: SandboxChild): void;
}

/** One child process: started without environment, files or rights, killed when it overstays. */
export class SandboxChild {
  listener: ChildListener | undefined;
  tasksSent = 0;
  stderr = "";
  isReady = false;
  isDead = false;
  /** Killed because a deadline passed, not crashed. */
  overstayed = false;
  /** Settled when the process is gone. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #ledger = new Ledger();
  #timer: NodeJS.Timeout | undefined;
  #cpuMsBefore = 0;
  #startedAt = 0;
  #cpuMsMax = 0;
  #wallMsMax = 0;

  constructor(memoryBytes: number) {
    this.#process = start(this.#ledger.descriptor, memoryBytes);
    this.#process.on("message", (message) => this.#receive(message as ChildMessage));
    this.gone = new Promise((resolve) => {
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
    // Only a child that starts or works keeps the server from ending.
    this.#process.unref();
    unrefStream(this.#process.stderr);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** What of its batch it is busy with, or was when it died. */
  get current(): LedgerEntry | undefined {
    return this.#ledger.read();
  }

  send(batch: readonly TaskMessage[], cpuMsMax: number, graceMs: number): void {
    this.tasksSent += batch.length;
    this.#cpuMsMax = cpuMsMax;
    this.#wallMsMax = cpuMsMax + graceMs;
    this.#process.channel?.ref();
    this.#renew();
    // A send that fails is followed by the process's end, where the batch is taken care of.
    this.#process.send(batch as TaskMessage[], () => undefined);
  }

  kill(): void {
    clearTimeout(this.#timer);
    // Whoever waits for its end may do so.
    this.#process.ref();
    this.#process.kill("SIGKILL");
  }

  #receive(message: ChildMessage): void {
    if (this.isDead) return;
    if (message.kind === "ready") {
      this.isReady = true;
      clearTimeout(this.#timer);
      yieldToOthers(this.pid);
      // What starting has cost is no program's.
      this.#cpuMsBefore = processCpuMs(this.pid ?? 0) ?? 0;
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

  /** The wall deadline has passed. On a busy machine that alone proves nothing: what counts is the CPU time it had. */
  #judge(): void {
    const used = processCpuMs(this.pid ?? 0);
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
    clearTimeout(this.#timer);
    this.listener?.exited(this);
    this.#ledger.close();
  }
}

function start(ledgerDescriptor: number, memoryBytes: number): ChildProcess {
  const { main, cwd, env, execArgv } = childRights();
  return fork(/* turbopackIgnore: true */ main, [String(process.pid), String(memoryBytes)], {
    cwd,
    env,
    execPath: process.execPath,
    execArgv: [...execArgv],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc", ledgerDescriptor],
  });
}

function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system does not let anybody do so: then it competes like any other process.
  }
}

function unrefStream(stream: unknown): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}
