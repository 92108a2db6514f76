import type { Scope } from "#lib/access.ts";
import { bulkFilter, type RunFilter } from "./run-filter.ts";

/** The selected runs, or all that match the list's filter. */
export type BulkSelection = { readonly executionIds: readonly string[] } | { readonly filter: RunFilter };

export interface BulkAction {
  readonly name: "bulkCancel" | "bulkRetry" | "bulkDelete";
  readonly label: string;
  readonly scope: Scope;
  /** "Cancel 12 runs". */
  readonly title: (runs: string) => string;
  /** "12 runs were cancelled." */
  readonly past: string;
  /** Where the outcome is, if not in the list's own filter. */
  readonly outcome?: string;
  readonly danger: boolean;
  readonly consequence: string;
  /** How many runs it takes: those of one call, because retried runs still match the filter. Null: all, in several calls. */
  readonly max: number | null;
}

export const bulkActions: readonly BulkAction[] = [
  {
    name: "bulkRetry",
    label: "Run again",
    scope: "flows:execute",
    title: (runs) => `Run ${runs} again`,
    past: "started again",
    outcome: "/runs?source=retry",
    danger: false,
    consequence:
      "Each starts as a new run of its flow's current version, with the same input. Effects outside Millrace happen again.",
    max: 1_000,
  },
  {
    name: "bulkCancel",
    label: "Cancel",
    scope: "executions:write",
    title: (runs) => `Cancel ${runs}`,
    past: "cancelled",
    danger: true,
    consequence:
      "Runs in progress stop where they are. What their completed nodes did stays done. This cannot be undone.",
    max: null,
  },
  {
    name: "bulkDelete",
    label: "Delete",
    scope: "executions:write",
    title: (runs) => `Delete ${runs}`,
    past: "deleted",
    danger: true,
    consequence:
      "They are deleted for good, with their data and logs. Runs in progress are cancelled first. This cannot be undone. The flows are kept.",
    max: null,
  },
];

export function runsInWords(count: number): string {
  return `${new Intl.NumberFormat("en").format(count)} ${count === 1 ? "run" : "runs"}`;
}

/** Names the runs that an action will affect, and says which of the matching ones are left. */
export function affectedInWords(
  { max }: BulkAction,
  matched: number,
): { readonly runs: string; readonly left: string } {
  const runs = runsInWords(matched);
  if (max === null || matched <= max) return { runs, left: "" };
  const most = max.toLocaleString("en");
  return { runs: `${most} of ${runs}`, left: ` The oldest ${most} are taken: choose a shorter period for the others.` };
}

/** The request for a selection; a relative period is resolved now, so that all calls mean the same runs. */
export function bulkBody(selection: BulkSelection, now: number) {
  if ("executionIds" in selection) return { executionIds: [...selection.executionIds] };
  return { filter: { ...bulkFilter(selection.filter, now), endDate: new Date(now).toISOString() } };
}
