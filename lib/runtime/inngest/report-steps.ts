import { type GetStepTools, NonRetriableError } from "inngest";
import { LRUCache } from "lru-cache";
import { stepSeparator } from "#lib/engine/flow.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { Step } from "#lib/engine/step.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { Client } from "./client.ts";

/** The maximum number of steps reported per run. Inngest allows a function 1,000 per run, and each costs a request. */
export const reportsMax = 200;
/** Function runs whose unreported steps are kept in memory. */
const runsMax = 1_000;

interface Report {
  readonly id: string;
  readonly name: string;
  readonly status: Outcome["status"];
  /** Why it failed. */
  readonly error: string | null;
}

/** Unreported steps by function run. A call that is cut off leaves them to the next. */
const unreported = () => singleton("inngest-reports", () => new LRUCache<string, Report[]>({ max: runsMax }));

/** Notes that a step has ended. */
export function noteStep(functionRunId: string, step: Step, outcome: Outcome): void {
  if (outcome.status === "skipped" || outcome.status === "cancelled") return;
  const reports = unreported().get(functionRunId) ?? [];
  if (reports.length >= reportsMax) return;
  const error = outcome.status === "failed" ? outcome.error.message : null;
  reports.push({ id: `node:${step.id}`, name: nameOf(step), status: outcome.status, error });
  unreported().set(functionRunId, reports);
}

/**
 * Reports ended steps to Inngest, each under its node's name. They are already recorded; this only makes Inngest's
 * views read like the flow. A failed step ends the call, and the next call continues from there.
 */
export async function reportSteps(
  functionRunId: string,
  tools: GetStepTools<Client>,
  stepsDone: number,
): Promise<void> {
  const reports = unreported().get(functionRunId) ?? [];
  for (let done = stepsDone; reports.length > 0 && done < reportsMax; done += 1) {
    const report = reports.shift();
    if (report === undefined) break;
    const { id, name, status, error } = report;
    const show = async () => {
      if (error !== null) throw new NonRetriableError(error);
      return { status };
    };
    // Reported once, whatever happens: the run does not depend on it.
    await tools.run({ id, name }, show).catch(() => {});
  }
  unreported().delete(functionRunId);
}

/** A node's name; in a loop with its iteration. */
function nameOf({ id, node }: Step): string {
  const [, turns] = id.split(stepSeparator);
  return turns === undefined ? node.node.name : `${node.node.name} [${turns}]`;
}
