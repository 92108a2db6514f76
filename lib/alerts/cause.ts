import type { ExecutionFilter } from "#lib/executions/search/execution-filter.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";

/** What made a rule fire. */
export interface Cause {
  readonly at: Date;
  readonly flowId: string | null;
  readonly flowName: string | null;
  readonly executionId: string | null;
  readonly message: string;
}

/** A run that made a rule fire. */
export interface CauseRow extends Record<string, unknown> {
  readonly id: string;
  readonly flow_id: string;
  readonly flow_name: string;
  readonly completed_at: Date;
}

export function causeOfRun(run: CauseRow, message: string): Cause {
  return { at: run.completed_at, flowId: run.flow_id, flowName: run.flow_name, executionId: run.id, message };
}

/** The runs that a rule watches. `since`: only those started from then on. */
export function watchedRuns({ workspaceId, flowId }: AlertRuleModel, since?: Date): ExecutionFilter {
  return { workspaceId, flowId: flowId ?? undefined, startDate: since, drafts: "none" };
}

/** The start of the rule's window. */
export function windowStart({ windowMinutes }: AlertRuleModel, now: Date): Date {
  return new Date(now.getTime() - windowMinutes * 60_000);
}

/** A run's end may be written this much later than its time, so checks overlap by it. */
const lateMs = 120_000;

/** Only what ended after the last cause is new. */
export function newSince({ checkedAt, lastCauseAt }: AlertRuleModel): Date {
  return new Date(Math.max(checkedAt.getTime() - lateMs, lastCauseAt?.getTime() ?? 0));
}

/** "45 minutes", "an hour", "2 days": people choose whole spans. */
export function formatMinutes(minutes: number): string {
  const [unit, size] = minutes % 1_440 === 0 ? ["day", 1_440] : minutes % 60 === 0 ? ["hour", 60] : ["minute", 1];
  const count = minutes / size;
  if (count > 1) return `${count} ${unit}s`;
  return unit === "hour" ? "an hour" : `a ${unit}`;
}
