import { type Actor, requireScope } from "#lib/auth/actor.ts";
import { type Rehearsal, rehearsalLimits } from "#lib/contract/flows/rehearsals.ts";
import { faults as allFaults } from "#lib/engine/faults.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { faultsOf } from "#lib/replay/injected-fault.ts";
import { type Case, type NodeFault, rehearse } from "#lib/replay/rehearse.ts";
import { type ReplayedFlow, type ReplayInput, replayFlow } from "#lib/replay/replay.ts";
import { findTest, readTest } from "./flow-tests.ts";
import { findSubFlow, replayPlaces } from "./replay-places.ts";
import { flowToTest } from "./run-tests.ts";
import { testOfRun } from "./test-of-run.ts";

/** The time limit for all cases of one request. */
const rehearsalMsMax = 30_000;

/**
 * Replays a flow over a test or a run once per case, each with one fault. The cost of all cases is known and bounded
 * before the first. Throws NOT_FOUND, VALIDATION_ERROR, FORBIDDEN.
 */
export async function rehearseFlow(actor: Actor, id: string, given: Rehearsal): Promise<{ cases: Case[] }> {
  const { testId, executionId, faults, ...tested } = given;
  const { row, flow } = await flowToTest(actor, id, tested);
  const cases = casesOf(flow.allNodes, faults);
  const input = await inputOf(actor, row, { testId, executionId });
  const findFlow = findSubFlow(actor.workspaceId);
  return await replayPlaces().take(actor.workspaceId, async () => {
    const signal = AbortSignal.timeout(rehearsalMsMax);
    const sandbox = runSignals().sandbox();
    const context = { flowName: row.name, flowId: row.id, sandbox, owner: actor.workspaceId, signal, findFlow };
    try {
      const base = await replayFlow(flow, input, context, null);
      requireRecordings(base, testId === undefined ? "executionId" : "testId");
      requireRoom(base, cases.length);
      const rehearsed: Case[] = [];
      for (const nodeFault of cases) {
        rehearsed.push(await rehearse(flow, input, context, base, nodeFault));
        await nextTurn();
      }
      return { cases: rehearsed };
    } catch (error) {
      if (!signal.aborted) throw error;
      throw refused("faults", `they take longer than ${rehearsalMsMax / 1_000} seconds together: name fewer`);
    }
  });
}

/** The cases to rehearse: the named ones, or all. Throws VALIDATION_ERROR. */
function casesOf(nodes: readonly FlowNode[], named: readonly NodeFault[] | undefined): readonly NodeFault[] {
  const known = Map.groupBy(nodes, ({ id }) => id);
  const possible = (nodeId: string) => {
    const own = (known.get(nodeId) ?? []).flatMap(faultsOf);
    return allFaults.filter((fault) => own.includes(fault));
  };
  if (named === undefined) {
    const all = [...known.keys()].flatMap((nodeId) => possible(nodeId).map((fault) => ({ nodeId, fault })));
    const limit = rehearsalLimits.casesMax;
    if (all.length <= limit) return all;
    throw refused("faults", `the flow has ${all.length} cases, and a rehearsal at most ${limit}: name some`);
  }
  for (const [index, { nodeId, fault }] of named.entries()) {
    const own = possible(nodeId);
    const at = `faults[${index}]`;
    if (!known.has(nodeId)) throw refused(`${at}.nodeId`, `there is no node "${nodeId}" in the flow`);
    if (own.length === 0) throw refused(`${at}.nodeId`, `"${nodeId}" does nothing outside of its run`);
    if (!own.includes(fault)) throw refused(`${at}.fault`, `"${nodeId}" can have ${own.join(", ")}`);
  }
  return named;
}

/** The run's input, and its answers from outside. */
async function inputOf(
  actor: Actor,
  flow: { readonly id: string; readonly name: string },
  { testId, executionId }: Pick<Rehearsal, "testId" | "executionId">,
): Promise<ReplayInput> {
  if (executionId === undefined) return readTest(await findTest(actor, flow.id, testId ?? ""));
  requireScope(actor, "executions:read");
  return (await testOfRun(actor, flow, { id: executionId, field: "executionId" })).data;
}

function requireRecordings({ notRecorded: [missing] }: ReplayedFlow, field: string): void {
  if (missing !== undefined) throw refused(field, `nothing is recorded of "${missing}"`);
}

function requireRoom({ steps, characters }: ReplayedFlow, cases: number): void {
  const { stepsMax, charactersMax } = rehearsalLimits;
  const formatted = (count: number) => count.toLocaleString("en-US");
  if (cases * steps > stepsMax) {
    throw refused(
      "faults",
      `${cases} cases of ${formatted(steps)} steps are more than ${formatted(stepsMax)}: name fewer`,
    );
  }
  if (cases * characters > charactersMax) {
    const limit = formatted(charactersMax);
    throw refused("faults", `${cases} cases of ${formatted(characters)} characters are more than ${limit}: name fewer`);
  }
}

function refused(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The flow cannot be rehearsed like this", { details: { [field]: message } });
}
