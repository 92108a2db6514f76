import { Worker } from "node:worker_threads";
import { programFile } from "#lib/platform/programs.ts";
import type { ValueCheck } from "./check-value.ts";
import { type Conversion, type Converted, conversionLimits } from "./formats.ts";
import type { MailReading } from "./mail.ts";

const threadsMax = 2;
const idleMsMax = 60_000;
const tooMuch: Converted = { problem: "it takes too much time or memory" };

type Task = Conversion | ValueCheck | MailReading;

interface Job {
  readonly conversion: Task;
  readonly settle: (converted: Converted) => void;
  readonly timeMs: number;
}

/** Idle threads, and who waits for one: by owner, each of whom has a turn. */
const idle: Thread[] = [];
const waiting = new Map<string, Job[]>();
let running = 0;

/**
 * Converts, checks, or reads a mail, in a thread, of which there are at most two; one that takes too much time or memory is ended, and with it the
 * conversion alone. Owners wait in turns. `timeMs` counts from when it begins.
 */
export async function convert(
  conversion: Task,
  owner: string,
  signal: AbortSignal,
  timeMs: number = conversionLimits.timeMs,
): Promise<Converted> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Converted>();
  const job = { conversion, settle: resolve, timeMs };
  const jobs = waiting.get(owner) ?? [];
  waiting.set(owner, jobs);
  jobs.push(job);
  const leave = () => {
    const at = jobs.indexOf(job);
    if (at >= 0) jobs.splice(at, 1);
    reject(signal.reason);
  };
  signal.addEventListener("abort", leave, { once: true });
  startWaiting();
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function startWaiting(): void {
  while (running < threadsMax) {
    const job = nextJob();
    if (job === undefined) return;
    running += 1;
    const thread = idle.pop() ?? new Thread();
    void thread.perform(job).then((isSound) => {
      running -= 1;
      if (isSound) idle.push(thread);
      startWaiting();
    });
  }
}

/** Of the owner whose turn it is, who then comes last. */
function nextJob(): Job | undefined {
  for (const [owner, jobs] of waiting) {
    waiting.delete(owner);
    const job = jobs.shift();
    if (job === undefined) continue;
    if (jobs.length > 0) waiting.set(owner, jobs);
    return job;
  }
  return undefined;
}

class Thread {
  readonly #worker: Worker;
  #settle: ((converted: Converted | null) => void) | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker = new Worker(/* turbopackIgnore: true */ programFile("lib/formats/thread.ts"), {
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: conversionLimits.memoryMb },
    });
    this.#worker.on("message", (converted: Converted) => this.#settle?.(converted));
    this.#worker.on("error", () => this.#settle?.(null));
    this.#worker.on("exit", () => {
      this.#settle?.(null);
      const at = idle.indexOf(this);
      if (at >= 0) idle.splice(at, 1);
    });
  }

  /** False if the thread has ended with it. Never rejects. */
  async perform({ conversion, settle, timeMs }: Job): Promise<boolean> {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    const { promise, resolve } = Promise.withResolvers<Converted | null>();
    this.#settle = resolve;
    const timer = setTimeout(() => void this.#worker.terminate(), timeMs);
    this.#worker.postMessage(conversion);
    const converted = await promise;
    clearTimeout(timer);
    this.#settle = null;
    settle(converted ?? tooMuch);
    if (converted === null) return false;
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => void this.#worker.terminate(), idleMsMax).unref();
    return true;
  }
}
