import type { Actor } from "#lib/auth/actor.ts";
import type { ReadIteration } from "#lib/contract/execution-iterations.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { findLoop } from "./find-loop.ts";
import { findIteration } from "./list-iterations.ts";
import { showNode, unreachedNode } from "./nodes-of-execution.ts";

/** One turn of a loop: its nodes in the order of the body, with their inputs and outputs. Throws NOT_FOUND. */
export async function readIteration(
  actor: Actor,
  id: string,
  nodeId: string,
  iteration: string,
): Promise<ReadIteration> {
  const loop = await findLoop(actor, id, nodeId);
  if (!/^[\d.]+$/.test(iteration)) throw notFound("Iteration");
  const found = await findIteration(id, loop, iteration);
  if (found === null) throw notFound("Iteration");
  const steps = loop.body.map((node) => `${node.id}${stepSeparator}${iteration}`);
  const rows = await database().nodeExecution.findMany({ where: { executionId: id, nodeId: { in: steps } } });
  const records = new Map(rows.map((row) => [row.nodeId, row]));
  const nodes = loop.body.map((node, index) => {
    const row = records.get(steps[index] ?? "");
    if (row === undefined) return unreachedNode(node, found.status === "running", true);
    return { ...showNode(row, loop.isOpen, true), nodeId: node.id };
  });
  return { ...found, nodes };
}
