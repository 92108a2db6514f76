import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ReadKind, ReadText } from "#lib/expressions/expressions.ts";

const idleMsMax = 60_000;
const memoryMbMax = 256;

export const unreadable: ReadText = { problem: { message: "reading it takes too much time or memory", position: 0 } };

/**
 * Reads one source after the other in a thread of its own, which is there while there is something to read. `readMsMax`:
 * far above what the longest source takes, also where other work has most of the machine.
 */
export class ReaderThread {
  readonly #readMsMax: number;
  #worker: Worker | null = null;
  /** It has begun to work, or has had time enough: if it ends, what it was given is the reason. */
  #isAnswerable = false;
  #settle: { resolve(read: ReadText): void; reject(error: Error): void } | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(readMsMax = 30_000) {
    this.#readMsMax = readMsMax;
  }

  /** What a text is as the string of a field of that kind. Rejects when there can be no thread. */
  read(kind: ReadKind, text: string): Promise<ReadText> {
    const read = this.#last.then(() => this.#send(kind, text));
    this.#last = read.catch(() => undefined);
    return read;
  }

  #send(kind: ReadKind, text: string): Promise<ReadText> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#endAfter(this.#readMsMax);
      this.#worker.postMessage({ kind, text });
    });
  }

  #start(): Worker {
    this.#isAnswerable = false;
    // Found from the working directory: the server's own modules are bundled and have no address of use here.
    const main = join(/* turbopackIgnore: true */ process.cwd(), "lib", "reading", "thread.ts");
    const worker = new Worker(/* turbopackIgnore: true */ main, {
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
    });
    let failure: Error | undefined;
    worker.on("message", (message: "ready" | ReadText) => {
      if (message === "ready") this.#isAnswerable = true;
      else this.#answer(message);
    });
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      clearTimeout(this.#timer);
      if (this.#isAnswerable) this.#settle?.resolve(unreadable);
      else this.#settle?.reject(failure ?? new Error("the thread that reads sources did not start"));
      this.#settle = null;
    });
    return worker;
  }

  #answer(read: ReadText): void {
    this.#settle?.resolve(read);
    this.#settle = null;
    this.#worker?.unref();
    this.#endAfter(idleMsMax);
  }

  #endAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isAnswerable = true;
      void this.#worker?.terminate();
    }, ms).unref();
  }
}
