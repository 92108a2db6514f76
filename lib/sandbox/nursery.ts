import { SandboxChild } from "./child-process.ts";

/** Keeps one started child in reserve, so that replacing a killed one does not cost anybody the time to start it. */
export class Nursery {
  #spare: SandboxChild | undefined;
  #closed = false;

  take(): SandboxChild {
    const child = this.#spare !== undefined && !this.#spare.isDead ? this.#spare : new SandboxChild();
    this.#spare = undefined;
    return child;
  }

  /** Called when a taken child is at work, so that starting the spare does not delay it. */
  refill(): void {
    if (this.#closed || (this.#spare !== undefined && !this.#spare.isDead)) return;
    this.#spare = new SandboxChild();
  }

  get spare(): SandboxChild | undefined {
    return this.#spare;
  }

  close(): void {
    this.#closed = true;
    this.#spare?.kill();
    this.#spare = undefined;
  }
}
