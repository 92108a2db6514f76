import { fork } from "node:child_process";
import { processCpuMs } from "#lib/platform/processes/cpu-of.ts";
import { memoryOf } from "#lib/platform/processes/memory-of.ts";
import { orphans } from "#lib/platform/processes/orphans.ts";
import { programFile } from "#lib/platform/programs.ts";
import { conversionLimits } from "./formats.ts";

/** A process that performs one task after the other and answers each. */
export interface StartedWorker {
  /** It is killed once the task has taken so much CPU time. */
  send(task: object, cpuMsMax: number): void;
  end(): void;
  /** Whether it keeps this process alive. */
  ref(): void;
  unref(): void;
}

export interface WorkerListener {
  receive(answer: unknown): void;
  /** Called when it has exited for any reason. May be called twice. */
  ended(): void;
}

const source = "lib/formats/thread.ts";
/** What the process sends once it has started. */
const ready = "ready";
const quiet = "--disable-warning=ExperimentalWarning";

/** For the whole process: V8 limits only its own heap, and decoded mails are outside of it. */
const processBytesMax = 480 * 1_048_576;
const watchMs = 25;
const startMsMax = 30_000;
/** How many times its CPU time a task may take on a busy machine. */
const patience = 4;

/**
 * Not a thread: a single step there, such as a replacement in a long text, can exceed the thread's memory so far that
 * the whole server process dies.
 */
export function startProcess({ receive, ended }: WorkerListener): StartedWorker {
  const child = fork(/* turbopackIgnore: true */ programFile(source), [], {
    env: Object.create(null),
    execPath: process.execPath,
    execArgv: [quiet, `--max-old-space-size=${conversionLimits.memoryMb}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const { pid } = child;
  if (pid !== undefined) {
    orphans.add(pid);
    child.once("exit", () => orphans.remove(pid));
  }
  let watch: NodeJS.Timeout | undefined;
  const time = new WorkTime(pid);
  const stop = () => {
    clearInterval(watch);
    ended();
  };
  child.on("error", stop).on("exit", stop);
  child.on("message", (message) => {
    if (message === ready) return time.begin();
    clearInterval(watch);
    receive(message);
  });
  return {
    send: (task, cpuMsMax) => {
      time.cpuMsMax = cpuMsMax;
      if (time.hasStarted) time.begin();
      watch = setInterval(() => (time.isOver || memoryOf(pid) > processBytesMax) && child.kill("SIGKILL"), watchMs);
      // If sending fails, the child exits.
      child.send(task, () => {});
    },
    end: () => void child.kill("SIGKILL"),
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
  };
}

/** The time of a task, without that of starting its process. On a busy machine, only CPU time says anything. */
class WorkTime {
  cpuMsMax = 0;
  hasStarted = false;
  readonly #pid: number | undefined;
  #from = performance.now();
  #cpuMsBefore = 0;

  constructor(pid: number | undefined) {
    this.#pid = pid;
  }

  begin(): void {
    this.hasStarted = true;
    this.#from = performance.now();
    this.#cpuMsBefore = processCpuMs(this.#pid) ?? 0;
  }

  get isOver(): boolean {
    const wallMs = performance.now() - this.#from;
    if (!this.hasStarted) return wallMs > startMsMax;
    if (wallMs < this.cpuMsMax) return false;
    const cpuMs = processCpuMs(this.#pid);
    return cpuMs === undefined || cpuMs - this.#cpuMsBefore >= this.cpuMsMax || wallMs >= patience * this.cpuMsMax;
  }
}
