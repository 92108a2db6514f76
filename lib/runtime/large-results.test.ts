// A result that turns out too large fails before it takes more than twice its limit in memory.
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const mib = 1_048_576;
const limitMib = 64;
/** The memory of the modules themselves, and uncollected garbage. */
const restMib = 72;

interface Result {
  readonly kind: "loop" | "output";
  readonly items: number;
  readonly limit?: number;
}

/** The answer of a thread with twice the limit's memory; rejects if that is not enough. */
async function inLittleMemory(result: Result): Promise<unknown> {
  const worker = new Worker(join(import.meta.dirname, "testing/large-results.ts"), {
    workerData: { limit: limitMib * mib, ...result },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: 2 * limitMib + restMib, maxYoungGenerationSizeMb: 16 },
  });
  try {
    const [message] = await once(worker, "message");
    return message;
  } finally {
    await worker.terminate();
  }
}

const tooLarge = { code: "OUTPUT_TOO_LARGE" };

test("the result of a loop over 400 answers of 1 MiB each", async () => {
  const result = await inLittleMemory({ kind: "loop", items: 400 });
  expect(result).toMatchObject({ nodeId: "loop", error: tooLarge });
});

test("an output that would have 2 GiB as JSON", async () => {
  const result = await inLittleMemory({ kind: "output", items: 2_000 });
  expect(result).toMatchObject({ status: "failed", error: tooLarge });
});

test("without a limit the same loop needs more than that", async () => {
  const needed = inLittleMemory({ kind: "loop", items: 400, limit: 4_000 * mib });
  await expect(needed).rejects.toMatchObject({ code: "ERR_WORKER_OUT_OF_MEMORY" });
});
