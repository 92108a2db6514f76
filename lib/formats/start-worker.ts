import { fork } from "node:child_process";
import { memoryOf } from "#lib/platform/processes/memory-of.ts";
import { orphans } from "#lib/platform/processes/orphans.ts";
import { programFile } from "#lib/platform/programs.ts";
import { conversionLimits } from "./formats.ts";

/** A process that performs one task after the other and answers each. */
export interface StartedWorker {
  send(task: object): void;
  end(): void;
  /** Whether it keeps this process alive. */
  ref(): void;
  unref(): void;
}

export interface WorkerListener {
  receive(answer: unknown): void;
  /** Called when it has exited for any reason. May be called twice. */
  ended(): void;
}

const source = "lib/formats/thread.ts";
const quiet = "--disable-warning=ExperimentalWarning";

/** For the whole process: V8 limits only its own heap, and decoded mails are outside of it. */
const processBytesMax = 480 * 1_048_576;
const watchMs = 25;

/**
 * Not a thread: a single step there, such as a replacement in a long text, can exceed the thread's memory so far that
 * the whole server process dies.
 */
export function startProcess({ receive, ended }: WorkerListener): StartedWorker {
  const child = fork(/* turbopackIgnore: true */ programFile(source), [], {
    env: Object.create(null),
    execPath: process.execPath,
    execArgv: [quiet, `--max-old-space-size=${conversionLimits.memoryMb}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const { pid } = child;
  if (pid !== undefined) {
    orphans.add(pid);
    child.once("exit", () => orphans.remove(pid));
  }
  let watch: NodeJS.Timeout | undefined;
  const stopWatching = () => clearInterval(watch);
  child.on("message", stopWatching).on("error", stopWatching).on("exit", stopWatching);
  child.on("message", receive).on("error", ended).on("exit", ended);
  return {
    send: (task) => {
      watch = setInterval(() => memoryOf(child.pid) > processBytesMax && child.kill("SIGKILL"), watchMs);
      // If sending fails, the child exits.
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
