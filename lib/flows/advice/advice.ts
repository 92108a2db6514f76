import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { AdvisedFlow, type CheckedFlow } from "./advised-flow.ts";
import { deadBranches, missingElse, unreachableNodes } from "./branches.ts";
import { missingRetries, openTrigger, retriesWithoutKey, unboundedLoops, unhandledFailures } from "./calls.ts";
import { type LearnedShapes, noLearned, readingTypes } from "./learned-types.ts";
import { unusedOutputs } from "./outputs.ts";
import { inactiveSubFlows, missingCredentials, missingTables, type References, subFlowCycles } from "./references.ts";
import { secretsInConfigs } from "./secrets.ts";
import { overlappingSchedule, slowBeforeAnswer, waitsWithoutTimeout } from "./times.ts";

const kinds = [
  secretsInConfigs,
  unreachableNodes,
  deadBranches,
  retriesWithoutKey,
  slowBeforeAnswer,
  overlappingSchedule,
  unhandledFailures,
  missingElse,
  openTrigger,
  unboundedLoops,
  waitsWithoutTimeout,
  missingRetries,
  unusedOutputs,
];

/** The surroundings of a flow. */
interface AdviceContext {
  readonly references: References;
  /** The flow's id, if it is stored. */
  readonly ownId: string | null;
  readonly callerWaitsMs: number;
  /** The learned shapes of its data that still hold. */
  readonly types?: LearnedShapes;
}

/** Likely mistakes in how a flow is built, most serious first. Yields to the event loop between kinds of advice. */
export async function adviceOnFlow(
  flow: CheckedFlow,
  planned: readonly PlannedNode[],
  { references, ownId, callerWaitsMs, types = noLearned }: AdviceContext,
): Promise<FlowAdvice[]> {
  const advised = new AdvisedFlow(flow, planned, callerWaitsMs);
  const found: FlowAdvice[] = [
    ...missingCredentials(advised, references),
    ...missingTables(advised, references),
    ...subFlowCycles(advised, references, ownId),
    ...inactiveSubFlows(advised, references),
  ];
  found.push(...(await readingTypes(advised, types)));
  for (const advise of kinds) {
    await nextTurn();
    found.push(...advise(advised));
  }
  return limitFixes(
    found.toSorted((a, b) => ranks.indexOf(a.severity) - ranks.indexOf(b.severity)),
    flow,
  );
}

/** The total size of fixes. Each is a whole flow, so a large flow gets few. */
const fixCharactersMax = 1_048_576;
const fixesMax = 20;

function limitFixes(found: readonly FlowAdvice[], flow: CheckedFlow): FlowAdvice[] {
  let left = Math.min(fixesMax, Math.floor(fixCharactersMax / jsonCharacters(flow, fixCharactersMax)));
  return found.map((advice) => {
    if (advice.fix === null) return advice;
    left -= 1;
    return left < 0 ? { ...advice, fix: null } : advice;
  });
}

const ranks: readonly FlowAdvice["severity"][] = ["error", "warning", "info"];
