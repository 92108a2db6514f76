import { Worker } from "node:worker_threads";
import { programFile } from "#lib/platform/programs.ts";
import { documentLimits, type ReadDocument } from "./imported.ts";

/** One at a time: each takes a processor and memory of its own. */
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;
const waitingMax = 20;

/** Reads a document in a thread, which is ended when it takes too much time or memory. Never rejects. */
export async function readElsewhere(text: string, from: string | null): Promise<ReadDocument | "busy"> {
  if (waiting >= waitingMax) return "busy";
  waiting += 1;
  const read = last.then(() => readInThread(text, from));
  last = read;
  try {
    return await read;
  } finally {
    waiting -= 1;
  }
}

function readInThread(text: string, from: string | null): Promise<ReadDocument> {
  const { promise, resolve } = Promise.withResolvers<ReadDocument>();
  const worker = new Worker(/* turbopackIgnore: true */ programFile("lib/service-imports/document/thread.ts"), {
    env: {},
    workerData: { text, from },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: documentLimits.memoryMb },
  });
  const timer = setTimeout(() => void worker.terminate(), documentLimits.timeMs);
  worker.on("message", (read: ReadDocument) => resolve(read));
  worker.on("error", () => resolve(tooMuch));
  worker.on("exit", () => resolve(tooMuch));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

const tooMuch: ReadDocument = { problem: "takes too much time or memory to read" };
