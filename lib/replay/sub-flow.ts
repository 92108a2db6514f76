import { depthHeader, depthMax } from "#lib/engine/flow-body.ts";
import type { Step } from "#lib/engine/step.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import type { Replayable } from "./prepare.ts";
import { type RecordedOutcome, type Recording, startedId } from "./recording.ts";
import { replayFlow } from "./replay.ts";
import { NotRecorded, type Replaying } from "./replay-node.ts";
import { keepRequest } from "./replay-size.ts";

/** Finds a flow of the workspace for a sub-flow node, prepared for replays; null if there is none. */
export type FindFlow = (flowId: string) => Promise<{ readonly name: string; readonly flow: Replayable } | null>;

/** The maximum per deep test: a loop may start one for each item. */
const subFlowsMax = 1_000;

/**
 * Replays a sub-flow over the recordings of its nodes. What these would have sent is kept with the request of the step
 * that started it. Throws NodeFailure, NotRecorded.
 */
export async function runSubFlow(
  replaying: Replaying,
  step: Step,
  flowId: string,
  data: unknown,
  recordings: Readonly<Record<string, Recording>>,
): Promise<RecordedOutcome> {
  const { run, sandbox, signal, findFlow, chain, nowMs, used, requests } = replaying;
  const depth = replaying.depth + 1;
  if (depth > depthMax) {
    const message = `Flows call one another too deeply: at most ${depthMax} deep`;
    throw new NodeFailure("SUB_FLOW_TOO_DEEP", message, { field: "flowId" });
  }
  if (chain.includes(flowId)) {
    const message = `A deep test runs no flow within itself: "${flowId}" is already running`;
    throw new NodeFailure("SUB_FLOW_CYCLE", message, { field: "flowId" });
  }
  used.subFlows += 1;
  if (used.subFlows > subFlowsMax) {
    const limit = subFlowsMax.toLocaleString("en-US");
    throw new NodeFailure("TOO_MANY_SUB_FLOWS", `A deep test starts at most ${limit} sub-flows`);
  }
  const found = await findFlow(flowId);
  if (found === null) throw new NodeFailure("FLOW_NOT_FOUND", `There is no flow "${flowId}"`, { field: "flowId" });
  const trigger = { body: data, headers: { [depthHeader]: String(depth) }, query: {}, method: "POST" };
  const input = { trigger, now: run.startedAt, recordings, deep: true };
  const context = { flowName: found.name, sandbox, owner: run.workspaceId, signal, findFlow };
  const outer = { nowMs, used, chain: [...chain, flowId] };
  const { status, output, failure, nodes, notRecorded } = await replayFlow(found.flow, input, context, null, outer);
  const [missing] = notRecorded;
  if (missing !== undefined) throw new NotRecorded(`"${missing}" of the sub-flow "${found.name}"`);
  const sent = [...nodes].flatMap(([id, { request }]) => (request === undefined ? [] : [[id, request] as const]));
  keepRequest(replaying, step, { ...(requests.get(step.id) as object), requests: Object.fromEntries(sent) });
  const error = failure === null ? {} : { error: failure.error.message };
  return { output: { executionId: startedId, status, output, ...error } };
}
