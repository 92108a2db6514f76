// A thread that runs a loop whose result is too large, or makes an output that is. The test sets the thread's memory
// limit; beyond it, the thread dies.
import { parentPort, workerData } from "node:worker_threads";
import { runFlow } from "#lib/engine/run.ts";
import { node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { runNode } from "#lib/executions/nodes/run-node.ts";
import { RunSizes } from "#lib/executions/store/run-sizes.ts";
import { stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { nodeWork } from "#lib/runtime/drive/drive-run.ts";

const { kind, limit, items } = workerData as {
  readonly kind: "loop" | "output";
  readonly limit: number;
  readonly items: number;
};
const mib = 1_048_576;
const limits = { oneBytes: limit, collectedBytes: limit, runBytes: 100 * limit };

// Each answer is a separate text.
const outside = {
  sandbox: { limits: { resultBytes: limit } },
  outbound: { send: async () => ({ status: 200, headers: {}, body: Buffer.alloc(mib, "x") }) },
} as unknown as Outside;
singleton("outside", () => outside);

const request = { url: "https://api.test/", method: "GET" };

async function loop(): Promise<unknown> {
  const body = JSON.parse(JSON.stringify({ nodes: [node("call", "http-request", request)], edges: [] }));
  const run = testRun({
    nodes: [node("loop", "loop", { items: "$trigger.body.items", body })],
    trigger: { body: { items: Array.from({ length: items }, () => 0) } },
  });
  Object.assign(run, { sizes: new RunSizes(limits), timeoutMs: 600_000 });
  const { failure } = await runFlow(
    run.version.graph,
    { task: (_, work) => work(), finish: (_, work) => work(), wait: async () => null },
    nodeWork(run),
  );
  return failure;
}

/** A value that repeats one text: its JSON is far larger than its memory. */
async function output(): Promise<unknown> {
  const text = "x".repeat(mib);
  const body = { list: Array.from({ length: items }, () => text) };
  const run = testRun({ nodes: [node("say", "respond", { body: "{{ $trigger.body }}" })] });
  // Set afterwards, so that the trigger's own text is not serialized from it.
  Object.assign(run, { sizes: new RunSizes(limits), trigger: { json: "", value: { ...run.trigger.value, body } } });
  return await runNode(run, stepOf(run, "say"), outside);
}

const made = kind === "loop" ? await loop() : await output();
parentPort?.postMessage(made);
