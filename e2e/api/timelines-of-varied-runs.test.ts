// A timeline that is scrubbed shows at every moment what is recorded: of nodes, of loops' iterations, of retries and waits.
import { expect, test } from "vitest";
import { momentOf } from "#components/executions/replay/moments.ts";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, type TestExecution } from "#e2e/support/flows.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { runToEnd } from "#e2e/support/varied/varied-run.ts";
import { createEnvironment, variedRuns } from "#e2e/support/varied/varied-runs.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { LoopIteration, ReadIteration } from "#lib/contract/executions/iterations.ts";
import type { StateChange } from "#lib/contract/executions/timeline.ts";
import { isJsonObject } from "#lib/engine/json.ts";

inOwnWorkspace("Timelines of varied runs");

/** What is recorded of a step. */
interface Recorded {
  readonly key: string;
  readonly status: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly retries: number;
}

const keyOf = (nodeId: string, iteration: string | null) => `${nodeId} ${iteration ?? ""}`;
const recordedOf = (node: ShownNodeExecution, iteration: string | null): Recorded => ({
  key: keyOf(node.nodeId, iteration),
  status: node.status,
  startedAt: node.startedAt,
  completedAt: node.completedAt,
  retries: node.retries ?? 0,
});

/** The ids of a flow's loops, those in bodies included. */
function loopsOf(nodes: readonly unknown[]): string[] {
  return nodes.filter(isJsonObject).flatMap(({ id, type, config }) => {
    const body = isJsonObject(config) && isJsonObject(config.body) ? config.body : null;
    const inner = body !== null && Array.isArray(body.nodes) ? loopsOf(body.nodes) : [];
    return type === "loop" ? [String(id), ...inner] : inner;
  });
}

/** The steps of all iterations, as they are read one by one. */
async function stepsInLoops(runId: string, loops: readonly string[]): Promise<Recorded[]> {
  const steps: Recorded[] = [];
  for (const loop of loops) {
    const at = `/executions/${runId}/nodes/${loop}/iterations`;
    const { data } = await get<LoopIteration[]>(`${at}?limit=100`);
    for (const { iteration } of data) {
      const { data: read } = await get<ReadIteration>(`${at}/${iteration}`);
      steps.push(...read.nodes.map((node) => recordedOf(node, iteration)));
    }
  }
  return steps;
}

/** What is recorded of a step at a time; null for one that never ran, which may be told as skipped before the end. */
function statusAt({ status, startedAt, completedAt }: Recorded, at: string, runEnded: string): string | null {
  if (startedAt === null) return null;
  if (startedAt > at) return "pending";
  // A wait that was given up has no end of its own: it is that of the run.
  return (completedAt ?? runEnded) > at ? "running" : status;
}

test.each(Object.entries(variedRuns))("%s", async (_, describeRun) => {
  const varied = describeRun(await createEnvironment());
  const { nodes, edges, variables = {}, trigger } = varied;
  const flow = await createFlow({ nodes, edges, variables, ...(trigger && { trigger }) });
  const { id } = await runToEnd(varied, flow);
  const { data: run } = await get<TestExecution>(`/executions/${id}`);
  const { data: changes } = await get<StateChange[]>(`/executions/${id}/timeline`);
  const shown = run.nodes as unknown as ShownNodeExecution[];
  const recorded = [...shown.map((node) => recordedOf(node, null)), ...(await stepsInLoops(id, loopsOf(nodes)))];

  expect(changes.map(({ at }) => at)).toEqual(changes.map(({ at }) => at).toSorted());
  for (const [key, ofStep] of Map.groupBy(changes, ({ nodeId, iteration }) => keyOf(nodeId, iteration))) {
    const states = ofStep.flatMap(({ from, to }) => [from, to]);
    expect([key, states]).toEqual([
      key,
      ["pending", ...ofStep.slice(0, -1).flatMap(({ to }) => [to, to]), ofStep.at(-1)?.to],
    ]);
  }
  for (let count = 0; count <= changes.length; count += 1) {
    const at = changes[count - 1]?.at ?? "";
    // Several changes of one millisecond are one moment.
    if (changes[count]?.at === at) continue;
    const moment = momentOf(shown, changes, count);
    const statuses = new Map([
      ...moment.nodes.map(({ nodeId, status }) => [keyOf(nodeId, null), status] as const),
      ...[...moment.loopSteps.values()].map(
        ({ nodeId, iteration, status }) => [keyOf(nodeId, iteration), status] as const,
      ),
    ]);
    for (const step of recorded) {
      const then = count === 0 ? "pending" : statusAt(step, at, run.completedAt);
      const known = statuses.get(step.key) ?? "pending";
      if (then === null)
        expect([step.key, at, known]).toEqual([step.key, at, expect.stringMatching(/pending|skipped|cancelled/)]);
      else expect([step.key, at, known]).toEqual([step.key, at, then]);
    }
  }
  const last = new Map(changes.map((change) => [keyOf(change.nodeId, change.iteration), change]));
  for (const { key, status, startedAt, retries } of recorded) {
    expect([key, last.get(key)?.to ?? "skipped"]).toEqual([key, status]);
    if (startedAt !== null) expect([key, last.get(key)?.attempt]).toEqual([key, retries + 1]);
  }
});
