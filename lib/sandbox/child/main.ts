import { Evaluator } from "./evaluator.ts";
import { type ChildMessage, ledgerDescriptor, ledgerIdle, type SandboxAnswer, type TaskMessage } from "./protocol.ts";

// Importing a module of Node loads all that it may ever need, streams for instance: a tenth of a child's start.
const { writeSync } = process.getBuiltinModule("node:fs");

/** A batch that takes longer is returned unfinished, so that its last tasks need not wait for its first ones. */
const batchWallMs = 25;
const aliveEveryMs = 100;

const [, , memoryBytes, watchedPid] = process.argv;
const ledgerEntry = new Uint8Array(2);
let lastSentAt = 0;

process.on("disconnect", () => process.exit(0));
// Local time in user code is UTC, whatever the machine's is.
process.env.TZ = "UTC";

const evaluator = await Evaluator.boot(Number(memoryBytes));
process.on("message", (batch: readonly TaskMessage[]) => send(evaluateBatch(batch)));
send({ kind: "ready" });
// Only if nothing else would end this process together with the server.
if (watchedPid !== undefined) {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  new Worker(new URL("./watchdog.js", import.meta.url), {
    workerData: { serverPid: Number(watchedPid) },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  }).unref();
}

function evaluateBatch(batch: readonly TaskMessage[]): ChildMessage {
  const answers: SandboxAnswer[] = [];
  const startedAt = performance.now();
  lastSentAt = startedAt;
  for (const [index, task] of batch.entries()) {
    if (index > 0 && performance.now() - startedAt > batchWallMs) break;
    note(index, 0);
    answers.push(evaluator.evaluate(task, (program) => reportProgress(index, program)));
  }
  note(ledgerIdle, 0);
  return { kind: "answers", answers, worn: evaluator.worn, cpuMs: cpuMs() };
}

/** If this process has to be killed, the server reads here what it was working on. */
function note(task: number, program: number): void {
  ledgerEntry[0] = task;
  ledgerEntry[1] = Math.min(program, 255);
  writeSync(ledgerDescriptor, ledgerEntry, 0, 2, 0);
}

function reportProgress(task: number, program: number): void {
  note(task, program);
  if (performance.now() - lastSentAt > aliveEveryMs) send({ kind: "alive", cpuMs: cpuMs() });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function send(message: ChildMessage): void {
  lastSentAt = performance.now();
  process.send?.(message);
}
