import { expect, test } from "vitest";
import type { Reason, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { describeReasons, lineOf } from "./describe-reasons.ts";

const statuses: Readonly<Record<string, ShownNodeExecution["status"]>> = {
  check: "completed",
  between: "skipped",
  call: "failed",
};
const about = { statusOf: (id: string) => statuses[id], formatTime: (iso: string) => iso.slice(11, 16) };
const reason = (more: Partial<Reason>): Reason => ({
  nodeId: null,
  handle: null,
  expression: null,
  value: null,
  ...more,
});
const described = (more: Partial<Reason>) =>
  describeReasons([reason(more)], about).map((reasonText) => lineOf(reasonText, (id) => id.toUpperCase()))[0];

test("a skipped node shows the path back to the decision, with its expression and value", () => {
  expect(described({ nodeId: "between", handle: "true" })).toBe("BETWEEN did not run either");
  expect(described({ nodeId: "check", handle: "false", expression: "$trigger.body.total > 100", value: false })).toBe(
    "CHECK took “false”: $trigger.body.total > 100 is false",
  );
  expect(described({ nodeId: "check", handle: "other" })).toBe("CHECK took “other”");
  expect(
    described({ nodeId: "call", handle: "error", expression: "$a.b", value: { code: "X", message: "no b" } }),
  ).toBe("CALL failed: no b");
});

test("an unreached node shows how the run ended", () => {
  expect(described({ nodeId: "call", value: { status: "failed", message: "no b" } })).toBe(
    "The run had failed before it reached this node: no b",
  );
  expect(described({ value: { status: "cancelled", reason: "wrong data" } })).toBe(
    "The run was cancelled before it reached this node: wrong data",
  );
  expect(described({ value: { status: "timeout" } })).toBe("The run timed out before it reached this node.");
});

test("a failed expression shows what it read", () => {
  expect(described({ nodeId: "check", expression: "$nodes.check.output.total", value: null })).toBe(
    "CHECK $nodes.check.output.total is null",
  );
  expect(described({ expression: "$trigger.body", value: { ordr: 1 } })).toBe('$trigger.body is {"ordr":1}');
});

test("a wait shows what it waited for, how long, and who woke it", () => {
  const wait = { nodeId: "check", since: "2026-01-31T10:00:00Z", until: null, wokenAt: "2026-01-31T10:03:00Z" };
  const tell = (value: object) => described({ nodeId: "check", value: { ...wait, ...value } });
  expect(tell({ waitedFor: "time", wokenBy: "time" })).toBe("CHECK waited 3 min 00 s.");
  expect(tell({ waitedFor: "call", wokenBy: "call", resumedBy: "member" })).toBe(
    "CHECK waited 3 min 00 s for an answer. A member of the workspace answered.",
  );
  expect(tell({ waitedFor: "call", wokenBy: "time" })).toBe(
    "CHECK waited 3 min 00 s for an answer. Nobody answered in time.",
  );
  expect(tell({ waitedFor: "execution", wokenBy: "execution", executionId: "exec_2" })).toBe(
    "CHECK waited 3 min 00 s for another flow’s run. It continued when exec_2 ended.",
  );
  expect(tell({ waitedFor: "call", wokenAt: null, wokenBy: null, until: "2026-01-31T11:00:00Z" })).toBe(
    "CHECK waits for an answer, until 11:00 at the latest.",
  );
  const event = { waitedFor: "event", wokenBy: "event" };
  expect(tell(event)).toBe("CHECK waited 3 min 00 s for its event. It arrived.");
  expect(tell({ ...event, wokenBy: "time" })).toBe("CHECK waited 3 min 00 s for its event. It did not arrive in time.");
  expect(tell({ ...event, wokenAt: null, wokenBy: null })).toBe("CHECK waits for its event, without a time limit.");
  expect(tell({ waitedFor: "time", wokenAt: null, wokenBy: null, until: "2026-01-31T11:00:00Z" })).toBe(
    "CHECK waits until 11:00.",
  );
});
