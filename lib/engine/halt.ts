/** A signal that nothing new may start. */
export type Halting = Halt | AbortSignal;

/** Signals once. Cheaper than an AbortController: each run needs two, and few get a listener. */
export class Halt {
  #aborted = false;
  #controller: AbortController | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** For listeners. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }
}

export function isHalted(halts: readonly Halting[]): boolean {
  return halts.some(({ aborted }) => aborted);
}

/** The promise's value, or null as soon as one of `halts` signals: a wait need not finish. */
export function orHalted<T>(promise: Promise<T | null>, halts: readonly Halting[]): Promise<T | null> {
  const any = AbortSignal.any(halts.map((halt) => (halt instanceof Halt ? halt.signal : halt)));
  if (any.aborted) {
    // Nobody else observes its rejection any more.
    promise.catch(() => {});
    return Promise.resolve(null);
  }
  return new Promise((resolve, reject) => {
    const onHalt = () => resolve(null);
    any.addEventListener("abort", onHalt, { once: true });
    promise.then(resolve, reject).finally(() => any.removeEventListener("abort", onHalt));
  });
}
