/** CPU time instead of wall time, so that a busy machine does not kill innocent programs. */
const readMicros =
  process.threadCpuUsage === undefined
    ? () => sum(process.cpuUsage())
    : // Of this thread alone where Node can tell (23.9): compiling and collecting in other threads is nobody's fault.
      () => sum(process.threadCpuUsage());

function sum(usage: { user: number; system: number }): number {
  return usage.user + usage.system;
}

/**
 * Asking the system takes as long as a short program, so a reading is reused for this long, plus the wall time since.
 */
const validForMicros = 500;

/** Reports when the current program has used up its time: to within `validForMicros`, and never too early. */
export class CpuClock {
  #startedMicros = 0;
  #limitMicros = 0;
  #expired = false;
  #readAtMicros = Number.NEGATIVE_INFINITY;
  #readMicros = 0;

  get expired(): boolean {
    return this.#expired;
  }

  /** Since the start. */
  get spentMs(): number {
    return Math.max(0, this.#aboutNow() - this.#startedMicros) / 1000;
  }

  start(cpuMs: number): void {
    this.#expired = false;
    this.#startedMicros = this.#aboutNow();
    this.#limitMicros = this.#startedMicros + cpuMs * 1000;
  }

  /** Called by the engine every few thousand instructions. */
  readonly check = (): boolean => {
    if (!this.#expired && this.#aboutNow() > this.#limitMicros) this.#expired = this.#read() > this.#limitMicros;
    return this.#expired;
  };

  /** Never too low: a thread gets no more CPU time than wall time passes. */
  #aboutNow(): number {
    const since = performance.now() * 1000 - this.#readAtMicros;
    return since < validForMicros ? this.#readMicros + since : this.#read();
  }

  #read(): number {
    this.#readMicros = readMicros();
    this.#readAtMicros = performance.now() * 1000;
    return this.#readMicros;
  }
}
