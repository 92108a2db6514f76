import { SandboxChild } from "./child-process.ts";

/** Keeps one started child in reserve, so that nobody waits for a replacement to start. */
export class SpareChild {
  #spare: SandboxChild | undefined;
  #closed = false;
  readonly #memoryBytes: number;
  readonly #isKept: boolean;

  /** Without `isKept` each child is started when it is needed. */
  constructor(memoryBytes: number, { isKept = true }: { isKept?: boolean } = {}) {
    this.#memoryBytes = memoryBytes;
    this.#isKept = isKept;
  }

  take(): SandboxChild {
    const child = this.#spare !== undefined && !this.#spare.isDead ? this.#spare : new SandboxChild(this.#memoryBytes);
    this.#spare = undefined;
    return child;
  }

  /** Called when a taken child is working, so that starting the spare does not delay it. */
  refill(): void {
    if (!this.#isKept || this.#closed || (this.#spare !== undefined && !this.#spare.isDead)) return;
    this.#spare = new SandboxChild(this.#memoryBytes);
  }

  get spareIsReady(): boolean {
    return this.#spare?.isReady === true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#spare?.kill();
    await this.#spare?.gone;
  }
}
