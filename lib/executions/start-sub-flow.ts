import { depthHeader, depthMax, depthOf } from "#lib/engine/flow-depth.ts";
import type { Step } from "#lib/engine/step.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { database } from "#lib/platform/database.ts";
import { derivedId, isId } from "#lib/platform/ids.ts";
import { hidden } from "./node-output.ts";
import type { Run } from "./run.ts";
import { runSignals } from "./run-signals.ts";

/**
 * Starts another flow of the run's workspace as an execution of its own; gives its id. The id follows from the step,
 * so that a run that is taken up again after a crash finds the execution that it started, and starts no second one.
 * Throws NodeFailure: FLOW_NOT_FOUND, also for another workspace's; SUB_FLOW_TOO_DEEP.
 */
export async function startSubFlow(run: Run, step: Step, flowId: string, data: unknown): Promise<string> {
  const depth = depthOf(run.trigger.headers) + 1;
  if (depth > depthMax) {
    const message = `Flows call one another too deeply: at most ${depthMax} deep`;
    throw new NodeFailure("SUB_FLOW_TOO_DEEP", message, { field: "flowId" });
  }
  const where = { id: flowId, workspaceId: run.workspaceId };
  const flow = isId("flow", flowId) ? await database().flow.findFirst({ where }) : null;
  if (flow === null) throw new NodeFailure("FLOW_NOT_FOUND", `There is no flow "${flowId}"`, { field: "flowId" });
  run.sizes.check(data, "collectedBytes");
  const id = derivedId("execution", new Date(run.startedAt), `${run.id} ${step.id}`);
  await runSignals().start(flow, {
    id,
    triggerType: "manual",
    trigger: { body: await hidden(run, data), headers: { [depthHeader]: String(depth) }, query: {}, method: "POST" },
    source: "sub-flow",
    ip: null,
    userAgent: null,
    metadata: { parentExecutionId: run.id, parentNodeId: step.node.node.id },
  });
  return id;
}
