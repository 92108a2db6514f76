import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { StateChange } from "#lib/contract/executions/timeline.ts";
import {
  changeKey,
  countAt,
  iterationThen,
  momentOf,
  playTimes,
  stepKey,
  stepThen,
  withItemsBegun,
} from "./moments.ts";

const start = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(start + ms).toISOString();

/** A step that ran from one time to another, or was skipped at the latter. */
interface DrawnStep {
  readonly nodeId: string;
  readonly iteration: string | null;
  readonly from: number;
  readonly to: number | null;
  readonly end: "completed" | "failed" | "skipped" | "cancelled";
}

const change = ({ nodeId, iteration }: DrawnStep, ms: number, from: StateChange["from"], to: StateChange["to"]) => ({
  at: at(ms),
  nodeId,
  iteration,
  from,
  to,
  attempt: 1,
  because: [],
});

/** A run's changes, as the service reports them. */
function timelineOf(steps: readonly DrawnStep[]): StateChange[] {
  const changes = steps.flatMap((step): StateChange[] => {
    if (step.end === "skipped") return [change(step, step.to ?? step.from, "pending", "skipped")];
    const begun = change(step, step.from, "pending", "running");
    return step.to === null ? [begun] : [begun, change(step, step.to, "running", step.end)];
  });
  return changes.toSorted((a, b) => a.at.localeCompare(b.at));
}

function recordOf({ nodeId, from, to, end }: DrawnStep): ShownNodeExecution {
  const isSkipped = end === "skipped";
  return {
    nodeId,
    nodeName: `Node ${nodeId}`,
    type: "transform",
    status: isSkipped ? "skipped" : to === null ? "running" : end,
    startedAt: isSkipped ? null : at(from),
    completedAt: isSkipped || to === null ? null : at(to),
    duration: isSkipped || to === null ? null : to - from,
    ...(end === "failed" && to !== null && { error: { message: "no", code: "X" } }),
    ...(end === "completed" && to !== null && { handle: "true" }),
  };
}

const anyEnd = fc.constantFrom("completed" as const, "failed" as const, "skipped" as const, "cancelled" as const);
const anyRan = (nodeId: string, iteration: string | null) =>
  fc
    .record({ from: fc.nat(500), length: fc.nat(500), end: anyEnd, isGoingOn: fc.boolean() })
    .map(({ from, length, end, isGoingOn }): DrawnStep => {
      const to = isGoingOn && end !== "skipped" ? null : from + length;
      return { nodeId, iteration, from, to, end };
    });
const anyRun = fc.nat(8).chain((nodes) =>
  fc.nat(4).chain((items) =>
    fc.record({
      own: fc.tuple(...Array.from({ length: nodes }, (_, index) => anyRan(`n${index}`, null))),
      inLoop: fc.tuple(...Array.from({ length: items }, (_, index) => anyRan("body", String(index)))),
    }),
  ),
);

/** A step's state at a time, by its record. */
function statusAt({ from, to, end }: DrawnStep, ms: number): ShownNodeExecution["status"] {
  if (end === "skipped") return (to ?? from) <= ms ? "skipped" : "pending";
  if (from > ms) return "pending";
  return to === null || to > ms ? "running" : end;
}

describe("a scrubbed moment", () => {
  test("agrees with the records at every time, for nodes and iterations", () => {
    fc.assert(
      fc.property(anyRun, fc.nat(1_100), ({ own, inLoop }, ms) => {
        const changes = timelineOf([...own, ...inLoop]);
        const moment = momentOf(own.map(recordOf), changes, countAt(changes, start + ms));
        expect(moment.nodes.map(({ status }) => status)).toEqual(own.map((step) => statusAt(step, ms)));
        for (const step of inLoop) {
          const status = moment.loopSteps.get(stepKey("body", step.iteration ?? ""))?.status ?? "pending";
          expect(status).toBe(statusAt(step, ms));
        }
      }),
    );
  });

  test("after all changes equals the recorded run", () => {
    fc.assert(
      fc.property(anyRun, ({ own, inLoop }) => {
        const recorded = own.map(recordOf);
        const changes = timelineOf([...own, ...inLoop]);
        expect(momentOf(recorded, changes, changes.length).nodes).toEqual(recorded);
      }),
    );
  });

  test("differs from the one before in exactly one step", () => {
    fc.assert(
      fc.property(anyRun, ({ own, inLoop }) => {
        const recorded = own.map(recordOf);
        const changes = timelineOf([...own, ...inLoop]);
        for (const [index, { nodeId, iteration, from, to }] of changes.entries()) {
          const [before, after] = [index, index + 1].map((count) => momentOf(recorded, changes, count));
          const changed = after?.nodes.filter((node, index) => node.status !== before?.nodes[index]?.status) ?? [];
          expect(changed.map((node) => node.nodeId)).toEqual(iteration === null ? [nodeId] : []);
          if (iteration === null) {
            expect(before?.nodes.find((node) => node.nodeId === nodeId)?.status).toBe(from);
            expect(changed[0]?.status).toBe(to);
          }
        }
        expect(new Set(changes.map(changeKey)).size).toBe(changes.length);
      }),
    );
  });

  test("has no outcome of unfinished steps and no start of later ones", () => {
    const step: DrawnStep = { nodeId: "n", iteration: null, from: 10, to: 20, end: "failed" };
    const changes = timelineOf([step]);
    const [pending, running, failed] = [0, 1, 2].map((count) => momentOf([recordOf(step)], changes, count).nodes[0]);
    expect(pending).toMatchObject({ status: "pending", startedAt: null, duration: null });
    expect(running).toMatchObject({ status: "running", startedAt: at(10), completedAt: null, duration: null });
    expect([pending?.error, running?.error]).toEqual([undefined, undefined]);
    expect(failed).toEqual(recordOf(step));
  });

  test("counts the items that a loop had started", () => {
    const items = ["0.0", "0.1", "1.0"].map((iteration, index): DrawnStep => {
      return { nodeId: "deep", iteration, from: 10 * index, to: 10 * index + 5, end: "completed" };
    });
    const loop: DrawnStep = { nodeId: "loop", iteration: null, from: 0, to: 100, end: "completed" };
    const changes = timelineOf([loop, ...items]);
    const inner = { id: "in", type: "loop", config: { body: { nodes: [{ id: "deep" }] } } };
    const flow = [{ id: "loop", config: { body: { nodes: [inner] } } }];
    const begun = (ms: number) =>
      withItemsBegun(momentOf([recordOf(loop)], changes, countAt(changes, start + ms)), flow)[0]?.iterations;
    expect([begun(0), begun(15), begun(20), begun(100)]).toEqual([1, 1, 2, undefined]);
  });
});

describe("a step of a loop", () => {
  const loopNode: DrawnStep = { nodeId: "each", iteration: "3", from: 10, to: 20, end: "completed" };
  const recorded = { ...recordOf(loopNode), output: 1 };
  const then = (changes: StateChange[], ms: number) =>
    stepThen(recorded, "3", momentOf([], changes, countAt(changes, start + ms)));

  test("has no output before its end", () => {
    const changes = timelineOf([loopNode]);
    expect(then(changes, 5)).toMatchObject({ status: "pending" });
    expect(then(changes, 15)).toMatchObject({ status: "running", duration: null });
    expect(then(changes, 15).output).toBeUndefined();
    expect(then(changes, 20)).toBe(recorded);
  });

  test("belongs to the item of its steps within the same millisecond", () => {
    const item = {
      iteration: "3",
      status: "completed" as const,
      startedAt: at(10),
      completedAt: at(10),
      duration: 0,
      nodesExecuted: 1,
    };
    const loop: DrawnStep = { nodeId: "loop", iteration: null, from: 10, to: 10, end: "completed" };
    const changes = [...timelineOf([loop]).slice(0, 1), ...timelineOf([{ ...loopNode, to: 10 }])];
    const shown = [0, 1, 2, 3].map((count) => iterationThen(item, momentOf([], changes, count)).status);
    expect(shown).toEqual(["pending", "pending", "running", "completed"]);
    expect(iterationThen(item, null)).toBe(item);
  });

  test("is derived from its times if the timeline is too long to include it", () => {
    const others = [5, 15, 25].map(
      (from): DrawnStep => ({ nodeId: `n${from}`, iteration: null, from, to: null, end: "failed" }),
    );
    const changes = timelineOf(others);
    expect([5, 15, 25].map((ms) => then(changes, ms).status)).toEqual(["pending", "running", "completed"]);
  });
});

describe("a replay", () => {
  test("shows every moment, skips waits, and takes about half a minute whatever the run's length", () => {
    const steps = (count: number, apart: number) =>
      Array.from({ length: count }, (_, index): DrawnStep => {
        return { nodeId: `n${index}`, iteration: null, from: index * apart, to: null, end: "completed" };
      });
    const short = playTimes(timelineOf(steps(3, 3_600_000)));
    expect(short).toHaveLength(4);
    expect(short.at(-1)).toBeLessThan(5_000);
    const long = playTimes(timelineOf(steps(10_000, 0)));
    expect(long.at(-1)).toBeLessThan(31_000);
    expect(long.every((time, index) => index === 0 || time > (long[index - 1] ?? 0))).toBe(true);
  });
});
