import type { Actor } from "#lib/auth/actor.ts";
import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { findExecution } from "./find-execution.ts";
import { nodesOf, showNode } from "./nodes-of-execution.ts";

/** One node of an execution with its input and output. Throws NOT_FOUND. */
export async function readNodeExecution(actor: Actor, id: string, nodeId: string): Promise<ShownNodeExecution> {
  const execution = await findExecution(actor, id);
  // No id of a node holds U+0000, and PostgreSQL would refuse to look for one.
  if (nodeId.includes("\u0000")) throw notFound("Node");
  const where = { executionId_nodeId: { executionId: id, nodeId } };
  const row = await database().nodeExecution.findUnique({ where });
  const isOpen = execution.status === "pending" || execution.status === "running";
  if (row !== null) return showNode(row, isOpen, true);
  // Not reached: known from the version alone.
  const node = (await nodesOf(execution, false)).find((candidate) => candidate.nodeId === nodeId);
  if (node === undefined) throw notFound("Node");
  return { ...node, output: null };
}
