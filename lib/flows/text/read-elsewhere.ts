import { Worker } from "node:worker_threads";
import { programFile } from "#lib/platform/programs.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { readText, type TextRead } from "./read-text.ts";

/** Longer texts are parsed in a worker thread; shorter ones take a few milliseconds. */
const hereCharactersMax = 4_096;
/** Far more than the longest text takes, even on a busy machine. */
const readMsMax = 30_000;
const memoryMbMax = 512;
const tooMuch: TextRead = {
  problems: [{ line: 1, column: 1, path: "", message: "reading it takes too much time or memory" }],
};

interface Queue {
  last: Promise<unknown>;
  /** Each owner's latest text: an owner gets ahead of another at most once. */
  readonly owners: Map<string, Promise<unknown>>;
}

/** Parses a flow's text without blocking the event loop: long ones in a thread, one after the other. */
export async function readTextInWorker(owner: string, text: string, paths: readonly string[] = []): Promise<TextRead> {
  if (text.length <= hereCharactersMax) {
    await nextTurn();
    return readText(text, paths);
  }
  const queue = singleton<Queue>("flow-texts", () => ({ last: Promise.resolve(), owners: new Map() }));
  const enqueue = () => {
    const read = queue.last.then(() => readInThread(text, paths));
    queue.last = read.catch(() => undefined);
    return read;
  };
  const read = (queue.owners.get(owner) ?? Promise.resolve()).then(enqueue);
  const ended = read.catch(() => undefined);
  queue.owners.set(owner, ended);
  try {
    return await read;
  } finally {
    if (queue.owners.get(owner) === ended) queue.owners.delete(owner);
  }
}

/** Rejects if no thread can be started. */
async function readInThread(text: string, paths: readonly string[]): Promise<TextRead> {
  const worker = new Worker(/* turbopackIgnore: true */ programFile("lib/flows/text/thread.ts"), {
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
    workerData: { text, paths },
  });
  const timer = setTimeout(() => void worker.terminate(), readMsMax);
  try {
    return await new Promise<TextRead>((resolve, reject) => {
      worker.once("message", resolve).once("exit", () => resolve(tooMuch));
      worker.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") resolve(tooMuch);
        else reject(error);
      });
    });
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}
