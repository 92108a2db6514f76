import type { ValueCheck } from "./check-value.ts";
import { type Conversion, type Converted, conversionLimits } from "./formats.ts";
import type { MailReading } from "./mail.ts";
import { type StartedWorker, startProcess } from "./start-worker.ts";

const workersMax = 2;
const idleMsMax = 60_000;
const tooMuch: Converted = { problem: "it takes too much time or memory" };

type Task = Conversion | ValueCheck | MailReading;

interface Job {
  readonly conversion: Task;
  readonly settle: (converted: Converted) => void;
  readonly timeMs: number;
}

/** Idle workers, and the jobs waiting for one, by owner. Owners take turns. */
const idle: Converter[] = [];
const waiting = new Map<string, Job[]>();
let running = 0;

/**
 * Converts, checks or reads a mail in a process; at most two work at once. One that takes too much time or memory is
 * killed and fails only its own conversion. Owners take turns. `timeMs`: of CPU time, without the start of a process.
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
  while (running < workersMax) {
    const job = nextJob();
    if (job === undefined) return;
    running += 1;
    const converter = idle.pop() ?? new Converter();
    void converter.perform(job).then((isSound) => {
      running -= 1;
      if (isSound) idle.push(converter);
      startWaiting();
    });
  }
}

/** Takes the next owner's job and moves the owner to the end. */
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

class Converter {
  readonly #worker: StartedWorker;
  #settle: ((converted: Converted | null) => void) | null = null;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker = startProcess({
      receive: (converted) => this.#settle?.(converted as Converted),
      ended: () => {
        this.#settle?.(null);
        const at = idle.indexOf(this);
        if (at >= 0) idle.splice(at, 1);
      },
    });
  }

  /** False if the worker has exited. Never rejects. */
  async perform({ conversion, settle, timeMs }: Job): Promise<boolean> {
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    const { promise, resolve } = Promise.withResolvers<Converted | null>();
    this.#settle = resolve;
    this.#worker.send(conversion, timeMs);
    const converted = await promise;
    this.#settle = null;
    settle(converted ?? tooMuch);
    if (converted === null) return false;
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#retire(), idleMsMax).unref();
    return true;
  }

  /** Leaves the idle ones at once: it takes a while to end, and would fail the conversion that it was given. */
  #retire(): void {
    const at = idle.indexOf(this);
    if (at >= 0) idle.splice(at, 1);
    this.#worker.end();
  }
}
