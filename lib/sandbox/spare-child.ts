import { SandboxChild } from "./child-process.ts";

/** Keeps one started child in reserve, so that no task waits for a replacement to start. */
export class SpareChild {
  #spare: SandboxChild | undefined;
  #closed = false;
  readonly #memoryBytes: number;
  readonly #isKept: boolean;
  readonly #folder: string | undefined;

  /** Without `isKept`, each child is started when it is needed. `folder`: that of a bundled child. */
  constructor(memoryBytes: number, { isKept = true, folder }: { isKept?: boolean; folder?: string | undefined } = {}) {
    this.#memoryBytes = memoryBytes;
    this.#isKept = isKept;
    this.#folder = folder;
  }

  take(): SandboxChild {
    const child = this.#spare !== undefined && !this.#spare.isDead ? this.#spare : this.#start();
    this.#spare = undefined;
    return child;
  }

  /** Called when a taken child is working, so that starting the spare does not delay it. */
  refill(): void {
    if (!this.#isKept || this.#closed || (this.#spare !== undefined && !this.#spare.isDead)) return;
    this.#spare = this.#start();
  }

  #start(): SandboxChild {
    return new SandboxChild(this.#memoryBytes, this.#folder);
  }

  get spareIsReady(): boolean {
    return this.#spare?.isReady === true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#spare?.kill();
    await this.#spare?.exited;
  }
}
