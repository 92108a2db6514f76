import { expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, edge, execute, node, readExecution, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";

const nodeOf = async (execution: string, id: string) => await get(`/executions/${execution}/nodes/${id}`);

it("one node is read with its input and output, as in the whole execution", async () => {
  const nodes = [node("check", "if-else", { condition: "{{ $trigger.body.ok }}" }), transform("yes", "({ ok: 1 })")];
  const flow = await createFlow({ nodes, edges: [edge("check", "yes", "true")] });
  const { executionId } = await execute(flow.id, { ok: true });
  const execution = await readExecution(executionId, "?includeNodeOutputs=true");
  for (const { id } of nodes) {
    expect((await nodeOf(executionId, id)).data).toEqual(execution.nodes.find(({ nodeId }) => nodeId === id));
  }
});

it("a node that was not reached is skipped", async () => {
  const nodes = [node("check", "if-else", { condition: "{{ $trigger.body.ok }}" }), transform("yes", "1")];
  const flow = await createFlow({ nodes, edges: [edge("check", "yes", "true")] });
  const { executionId } = await execute(flow.id, { ok: false });
  expect((await nodeOf(executionId, "yes")).data).toMatchObject({ nodeId: "yes", status: "skipped", output: null });
});

it("404 for a node that the version does not have, or a missing execution", async () => {
  const flow = await createFlow({ nodes: [transform("a", "1")] });
  const { executionId } = await execute(flow.id);
  expectRefusal(await nodeOf(executionId, "b"), 404, "NOT_FOUND");
  expectRefusal(await nodeOf(executionId, "%00"), 404, "NOT_FOUND");
  expectRefusal(await nodeOf("exec_nothing", "a"), 404, "NOT_FOUND");
});
