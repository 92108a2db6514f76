/** CPU time and not wall time, so that a busy machine does not end what is innocent. */
const readMicros =
  process.threadCpuUsage === undefined
    ? () => sum(process.cpuUsage())
    : // Of this thread alone where Node can tell (23.9): compiling and collecting in other threads is nobody's fault.
      () => sum(process.threadCpuUsage());

function sum(usage: { user: number; system: number }): number {
  return usage.user + usage.system;
}

/** Says when the program being evaluated has used up its time. */
export class CpuClock {
  #startedMicros = 0;
  #limitMicros = 0;
  #expired = false;

  get expired(): boolean {
    return this.#expired;
  }

  /** Since the start. */
  get spentMs(): number {
    return (readMicros() - this.#startedMicros) / 1000;
  }

  start(cpuMs: number): void {
    this.#expired = false;
    this.#startedMicros = readMicros();
    this.#limitMicros = this.#startedMicros + cpuMs * 1000;
  }

  /** The engine asks this every few thousand instructions. */
  readonly check = (): boolean => {
    if (!this.#expired) this.#expired = readMicros() > this.#limitMicros;
    return this.#expired;
  };
}
