import { expect, test } from "vitest";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { type NodeRuns, wireState } from "./canvas-state.ts";

type Told = Pick<ShownNodeExecution, "status" | "handle">;

const runs = (told: Record<string, Told>): NodeRuns =>
  new Map(
    Object.entries(told).map(([nodeId, run]) => [
      nodeId,
      { nodeId, nodeName: nodeId, type: "x", startedAt: null, completedAt: null, duration: null, ...run },
    ]),
  );
const wire = (source: string, target: string, handle: string | null) => ({ id: "w", source, target, handle });

test("the chosen branch is taken and the other is not", () => {
  const told = runs({
    check: { status: "completed", handle: "true" },
    yes: { status: "completed" },
    no: { status: "skipped" },
  });
  expect(wireState(wire("check", "yes", "true"), told, false)).toBe("taken");
  expect(wireState(wire("check", "no", "false"), told, false)).toBe("dead");
});

test("a failure leaves by the error handle only", () => {
  const told = runs({ call: { status: "failed" }, mend: { status: "completed" }, next: { status: "skipped" } });
  expect(wireState(wire("call", "mend", "error"), told, false)).toBe("taken");
  expect(wireState(wire("call", "next", null), told, false)).toBe("dead");
});

test("during a run, what is ahead waits and what leads to a running node moves", () => {
  const told = runs({ call: { status: "running" }, next: { status: "pending" } });
  expect(wireState(wire("trigger", "call", null), told, true)).toBe("moving");
  expect(wireState(wire("call", "next", null), told, true)).toBe("waiting");
});
