import type { ExecutionStatus } from "#lib/contract/executions/executions.ts";
import type { ExecutionSource, StoredSource } from "#lib/executions/store/new-execution.ts";

/** Selects executions of a workspace. Conditions combine with AND; a missing one matches everything. */
export interface ExecutionFilter {
  readonly workspaceId: string;
  readonly flowId?: string | undefined;
  readonly status?: readonly ExecutionStatus[] | undefined;
  readonly source?: readonly StoredSource[] | undefined;
  /** `none`: without runs of working copies and what they start, as statistics and alerts count. */
  readonly drafts?: "none";
  /** Both inclusive. */
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  /** Milliseconds, both inclusive; a run that has not ended has no duration. */
  readonly minDuration?: number | undefined;
  readonly maxDuration?: number | undefined;
}

export const openStatuses = ["pending", "running"] as const;
export const endedStatuses = ["completed", "failed", "cancelled", "timeout"] as const;
export type EndedStatus = (typeof endedStatuses)[number];

/** The open statuses that the filter allows. */
export function openOf({ status, minDuration, maxDuration }: ExecutionFilter) {
  if (minDuration !== undefined || maxDuration !== undefined) return [];
  return openStatuses.filter((open) => status === undefined || status.includes(open));
}

/** The ended statuses that the filter allows. */
export function endedOf({ status }: ExecutionFilter): EndedStatus[] {
  return endedStatuses.filter((ended) => status === undefined || status.includes(ended));
}

/** The source under which runs of working copies are stored. */
export const draftSource = "draft";

/** The sources under which runs of working copies, and the sub-flows that these start, are stored; how they are shown. */
const shownDraftSources: Readonly<Record<string, ExecutionSource>> = {
  [draftSource]: "ui",
  "draft-sub-flow": "sub-flow",
};

const quotedDraftSources = Object.keys(shownDraftSources)
  .map((source) => `'${source}'`)
  .join(", ");

/** SQL condition: a run, or what a rollup counts, is of a working copy or was started by such a run. */
export const ofDraft = `source IN (${quotedDraftSources})`;
/** The opposite. The indexes of runs include the source. */
export const notOfDraft = `source NOT IN (${quotedDraftSources})`;

/** The same for a run's row. */
export function isOfDraft(source: string): boolean {
  return Object.hasOwn(shownDraftSources, source);
}

/** A stored source as people and callers see it. */
export function shownSource(source: string): ExecutionSource {
  return shownDraftSources[source] ?? (source as ExecutionSource);
}

/** The stored sources that are shown as one of these. */
export function storedSources(shown: readonly ExecutionSource[]): StoredSource[] {
  const ofDrafts = Object.entries(shownDraftSources).filter(([, source]) => shown.includes(source));
  return [...shown, ...ofDrafts.map(([stored]) => stored as StoredSource)];
}

/** Adds a value and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The parameters of a statement that is assembled piece by piece. */
export function parameters(): { readonly bind: Bind; readonly values: readonly unknown[] } {
  const values: unknown[] = [];
  return { bind: (value) => `$${values.push(value)}`, values };
}

/**
 * All runs started between these times; times beyond them are clamped. Both begin a month, so that whole units never
 * reach into a year that PostgreSQL writes differently.
 */
const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-01T00:00:00Z");

/** The span in which the filter's runs started. */
export function spanOf({ startDate, endDate }: ExecutionFilter): { from: Date | null; to: Date | null } {
  const within = (ms: number) => new Date(Math.min(Math.max(ms, earliest), latest));
  return {
    from: startDate === undefined ? null : within(startDate.getTime()),
    to: endDate === undefined ? null : within(endDate.getTime() + 1),
  };
}

/** The filter's conditions on a run's row, except its status, as SQL. */
export function conditionsOf(
  filter: ExecutionFilter,
  bind: Bind,
  { from, to }: { readonly from: Date | null; readonly to: Date | null } = spanOf(filter),
): string {
  const { workspaceId, flowId, source, drafts, minDuration, maxDuration } = filter;
  return [
    `workspace_id = ${bind(workspaceId)}`,
    flowId === undefined ? [] : `flow_id = ${bind(flowId)}`,
    source === undefined ? [] : `source = ANY(${bind(source)}::text[])`,
    drafts === undefined ? [] : notOfDraft,
    from === null ? [] : `started_at >= ${bind(from)}::timestamptz`,
    to === null ? [] : `started_at < ${bind(to)}::timestamptz`,
    minDuration === undefined ? [] : `duration_ms >= ${bind(minDuration)}::int`,
    maxDuration === undefined ? [] : `duration_ms <= ${bind(maxDuration)}::int`,
  ]
    .flat()
    .join(" AND ");
}

/** Selects statuses in the form that the partial indexes match. */
export function hasStatus(statuses: readonly ExecutionStatus[], kind: "open" | "ended"): string {
  const isKind = kind === "open" ? "status IN ('pending', 'running')" : "completed_at IS NOT NULL";
  const [status, ...others] = statuses;
  // With one status, the index's next column stays in order.
  if (status !== undefined && others.length === 0) return `${isKind} AND status = '${status}'`;
  return `${isKind} AND status = ANY('{${statuses.join(",")}}'::text[])`;
}
