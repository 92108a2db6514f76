import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { listIterations } from "#lib/executions/iterations.ts";
import { changesOfRun } from "#lib/executions/live/changes-of-run.ts";
import { readExecution, readNodeExecution } from "#lib/executions/read-execution.ts";
import { nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { recordNodes } from "./record-nodes.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

describe("a node that a cancellation cut off", () => {
  const startedAt = new Date(Date.now() - 5_000).toISOString();
  const step = `step${stepSeparator}0`;
  let id: string;
  let cancelledAt: string;

  beforeAll(async () => {
    const body = { nodes: [{ id: "step", type: "transform", config: { transform: "1" } }], edges: [] };
    const flow = await storedFlow(actor, [
      { id: "each", type: "loop", name: "each", position: { x: 0, y: 0 }, config: { items: "{{ [1] }}", body } },
    ]);
    id = await storedExecution(flow, "me");
    const running = { status: "running", startedAt, completedAt: null } as const;
    const nodes = ["each", step].map((nodeId) => nodeRecord(nodeId, running));
    await recordNodes({ executionId: id, fence: 1, nodes, logs: [] });
    ({ cancelledAt } = await cancelExecution(actor, id, null));
  });

  const ended = () => ({
    status: "cancelled",
    startedAt,
    completedAt: cancelledAt,
    duration: Date.parse(cancelledAt) - Date.parse(startedAt),
  });

  test("ended with its run: in the execution, alone, in the stream and in its iteration", async () => {
    const read = await readExecution(actor, id, { includeLogs: false, includeNodeOutputs: false });
    expect(read.nodes).toMatchObject([{ nodeId: "each", ...ended() }]);
    expect((await readNodeExecution(actor, id, step)).shown).toMatchObject(ended());
    const options = { nodesAfter: 0, logsAfter: 0, isOpen: false, withPayloads: false };
    const [change] = await changesOfRun(id, options);
    expect(change?.event.data).toMatchObject({ nodeId: "each", ...ended() });
    const { items } = await listIterations(actor, id, "each", { page: 1, limit: 10 });
    expect(items).toMatchObject([{ iteration: "0", ...ended() }]);
  });
});
