import { type ChildProcess, fork } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";
import type { ChildMessage, TaskMessage } from "./child/protocol.ts";
import { type ProgressEntry, ProgressFile } from "./progress-file.ts";

const msPerTick = 10;

/** The CPU time a process has used, or undefined where the system does not say (it does on Linux). */
function processCpuMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}

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
  tasksDone = 0;
  stderr = "";
  isReady = false;
  isDead = false;
  /** Killed because a deadline passed, not crashed. */
  overstayed = false;
  /** Settled when the process is gone. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #ledger = new ProgressFile();
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
  get current(): ProgressEntry | undefined {
    return this.#ledger.read();
  }

  send(batch: readonly TaskMessage[], cpuMsMax: number, graceMs: number): void {
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

interface ChildRights {
  readonly main: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
}

/**
 * What a child is started with: no environment, and of the disk only its own code. User code has no way to ask for
 * either; this is for the day when somebody finds a way out of the engine.
 */
export function childRights(): ChildRights {
  // Found from the working directory: the server's own modules are bundled and have no address of use here.
  const root = /* turbopackIgnore: true */ process.cwd();
  const inRoot = (...parts: string[]) => realpathSync(path.join(/* turbopackIgnore: true */ root, ...parts));
  const cwd = inRoot("lib", "sandbox", "child");
  const packages = inRoot("node_modules");
  const readable = [cwd, path.join(packages, "quickjs-emscripten-core"), path.join(packages, "@jitl")];
  return {
    main: path.join(cwd, "main.ts"),
    cwd,
    env: Object.create(null),
    execArgv: [
      "--permission",
      ...readable.map((place) => `--allow-fs-read=${place}`),
      // For the watchdog thread, which has the same rights as the process.
      "--allow-worker",
      // A pair with the guest's stack, see child/guest.ts.
      "--stack-size=4000",
      "--max-old-space-size=96",
      "--max-semi-space-size=2",
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=SecurityWarning",
    ],
  };
}
