import { fork } from "node:child_process";
import { Worker } from "node:worker_threads";
import { memoryOf } from "#lib/platform/processes/memory-of.ts";
import { programFile } from "#lib/platform/programs.ts";
import { conversionLimits } from "./formats.ts";

/** A thread or a process that does one thing after the other, each of which it answers. */
export interface StartedWorker {
  send(task: object): void;
  end(): void;
  /** Whether it keeps this process alive. */
  ref(): void;
  unref(): void;
}

export interface WorkerListener {
  said(answer: unknown): void;
  /** Called when it has exited, for whatever reason. May be called twice. */
  ended(): void;
}

const source = "lib/formats/thread.ts";
const quiet = "--disable-warning=ExperimentalWarning";

export function startThread({ said, ended }: WorkerListener): StartedWorker {
  const worker = new Worker(/* turbopackIgnore: true */ programFile(source), {
    env: {},
    execArgv: [quiet],
    resourceLimits: { maxOldGenerationSizeMb: conversionLimits.memoryMb },
  });
  worker.on("message", said).on("error", ended).on("exit", ended);
  return {
    send: (task) => worker.postMessage(task),
    end: () => void worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
  };
}

/** Of a process in all: V8 bounds its own heap only, and what a mail decodes to lies beside it. */
const processBytesMax = 480 * 1_048_576;
const watchMs = 25;

/**
 * For what strangers send, which may be large: one step of a thread, such as a replacement in a long text, that goes
 * far beyond the thread's memory ends the whole process.
 */
export function startProcess({ said, ended }: WorkerListener): StartedWorker {
  const child = fork(/* turbopackIgnore: true */ programFile(source), [], {
    env: Object.create(null),
    execPath: process.execPath,
    execArgv: [quiet, `--max-old-space-size=${conversionLimits.memoryMb}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let watch: NodeJS.Timeout | undefined;
  const rest = () => clearInterval(watch);
  child.on("message", rest).on("error", rest).on("exit", rest);
  child.on("message", said).on("error", ended).on("exit", ended);
  return {
    send: (task) => {
      watch = setInterval(() => memoryOf(child.pid) > processBytesMax && child.kill("SIGKILL"), watchMs);
      // Where that fails, it ends.
      child.send(task, () => {});
    },
    end: () => void child.kill("SIGKILL"),
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
  };
}
