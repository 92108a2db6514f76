import { writeSync } from "node:fs";
import { Evaluator } from "./evaluator.ts";
import { type ChildMessage, ledgerDescriptor, ledgerIdle, type SandboxAnswer, type TaskMessage } from "./protocol.ts";

/** A batch that takes longer is handed back, so that its last members need not wait for its first ones. */
const batchWallMs = 25;
const aliveEveryMs = 100;

const ledgerEntry = new Uint8Array(1);
let lastSentAt = 0;

process.on("disconnect", () => process.exit(0));
// Local time in user code is UTC, whatever the machine's is.
process.env.TZ = "UTC";

const evaluator = await Evaluator.boot();
process.on("message", (batch: readonly TaskMessage[]) => send(evaluateBatch(batch)));
send({ kind: "ready" });

function evaluateBatch(batch: readonly TaskMessage[]): ChildMessage {
  const answers: SandboxAnswer[] = [];
  const begunAt = performance.now();
  lastSentAt = begunAt;
  for (const [index, task] of batch.entries()) {
    if (index > 0 && performance.now() - begunAt > batchWallMs) break;
    note(index);
    answers.push(evaluator.evaluate(task, stayAlive));
  }
  note(ledgerIdle);
  return { kind: "answers", answers, worn: evaluator.worn, cpuMs: cpuMs() };
}

/** If this process has to be killed, the server reads here which task it was busy with. */
function note(index: number): void {
  ledgerEntry[0] = index;
  writeSync(ledgerDescriptor, ledgerEntry, 0, 1, 0);
}

function stayAlive(): void {
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
