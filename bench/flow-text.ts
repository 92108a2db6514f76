// Flows as text: the time to write, read, compare and merge them; and 10,000 random merges, none of which may lose a
// change.
import { diffFlows } from "#lib/flow-text/diff-flows.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { mergeFlows } from "#lib/flow-text/merge-flows.ts";
import { readFlowText } from "#lib/flow-text/read-flow-text.ts";
import { changed, lostChanges, randomFlow, randomOf } from "#lib/flow-text/testing/random-merges.ts";
import { writeFlowText } from "#lib/flow-text/write-flow-text.ts";

const merges = 10_000;
const rounds = 5;

export async function flowTextBenchmark(): Promise<void> {
  const rows: Record<string, object> = {};
  for (const nodes of [10, 100, 1_000]) {
    const flow = flowOf(nodes);
    const text = writeFlowText(flow);
    rows[`${nodes} nodes`] = {
      characters: text.length,
      "write, ms": median(() => writeFlowText(flow)),
      "read, ms": median(() => readFlowText(text)),
      "write over a text with comments, ms": median(() => writeFlowText(flow, { previous: text })),
      "compare, ms": median(() => diffFlows(flow, flow)),
      "merge, ms": median(() => mergeFlows(flow, flow, flow)),
    };
  }
  console.table(rows);
  let [lost, conflicts] = [0, 0];
  const startedAt = performance.now();
  for (let seed = 0; seed < merges; seed += 1) {
    const random = randomOf(seed);
    const base = randomFlow(random);
    const ours = changed(random, base, 1 + Math.floor(random() * 4));
    const theirs = changed(random, base, 1 + Math.floor(random() * 4));
    const made = mergeFlows(base, ours, theirs);
    if (made.conflicts.length > 0) conflicts += 1;
    if (lostChanges(base, ours, theirs, made).length > 0) lost += 1;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`${merges} random merges in ${seconds.toFixed(1)} s: ${conflicts} with conflicts, ${lost} lost a change`);
  if (lost > 0) throw new Error(`${lost} merges lost a change`);
}

function flowOf(count: number): FlowDocument {
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...{ id: `node-${index}`, type: "http-request", name: `Request ${index}`, position: { x: index * 320, y: 40 } },
    config: {
      method: "POST",
      url: `https://example.com/${index}`,
      body: { a: "{{ $trigger.body }}", list: [1, 2, 3] },
    },
  }));
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: `node-${index}`, target: id }));
  const trigger = { type: "manual" as const, config: {} };
  return { version: "1.0.0", flow: { name: "Flow", description: null, trigger, nodes, edges } };
}

function median(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Number((times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0).toFixed(1));
}
