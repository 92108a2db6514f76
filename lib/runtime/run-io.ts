import type { GraphNode } from "#lib/engine/compile.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { RunIo } from "#lib/engine/run.ts";
import { recordNodes } from "#lib/executions/record-nodes.ts";
import { type Run, StopReason } from "#lib/executions/run.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";

/** The engine's outside, recorded. */
export interface RecordingIo extends RunIo {
  /** Resolves when every record under way is on disk: the end of a run must not be seen before them. */
  written(): Promise<unknown>;
}

/**
 * Records what a run does as it goes. A node with an outside effect is on disk as begun before it acts, together with
 * all that was done before it, and as done as soon as it is; the others give the same when they run again, so they
 * are written along with the next record or with the end of the run.
 */
export function recordingIo(run: Run, recorded: ReadonlyMap<string, Outcome>): RecordingIo {
  const underWay = new Set<Promise<void>>();
  const flushSoon = () =>
    setImmediate(() => {
      // The next node that acts, or the end of the run, may have taken the record along.
      if (!run.journal.hasUnstored) return;
      const write = flush(run)
        .catch(() => run.stop.abort(new StopReason("lost")))
        .finally(() => underWay.delete(write));
      underWay.add(write);
    });
  return {
    task: async (node, work) => {
      const known = recorded.get(node.node.id);
      if (known !== undefined) return known;
      run.journal.begin(node);
      const acts = hasOutsideEffect(node);
      if (acts) await flush(run);
      const outcome = run.stop.signal.aborted ? ({ status: "cancelled" } as const) : await work();
      run.journal.end(node.node.id, outcome);
      // Not waited for: whatever acts next waits for its own record, which is written after this one.
      if (acts) flushSoon();
      return outcome;
    },
    written: () => Promise.all(underWay),
  };
}

function hasOutsideEffect(node: GraphNode): boolean {
  return nodeDefinition(node.node.type)?.effect !== "none";
}

/** Stores what is not stored yet; stops the run when it is no longer this process's to do. */
export async function flush(run: Run): Promise<void> {
  const { nodes, logs } = run.journal.take();
  const status = await recordNodes({ executionId: run.id, fence: run.fence, nodes, logs });
  if (status !== "running") run.stop.abort(new StopReason(status === "cancelled" ? "cancelled" : "lost"));
}
