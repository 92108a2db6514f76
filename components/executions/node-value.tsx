import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";

interface NodeValueProps {
  /** The node's data. */
  readonly read: UseQueryResult<ShownNodeExecution>;
  readonly which: "input" | "output";
  /** The text if there is none. */
  readonly missing: string;
  readonly className: string | undefined;
  readonly path: string;
  readonly label: string;
}

/** A node's input or output in a run, once loaded. */
export function NodeValue({ read, which, missing, className, path, label }: NodeValueProps) {
  if (read.data === undefined) {
    if (!read.isError) return <Skeleton height={120} />;
    return (
      <FailureNotice
        title="The node's data could not be loaded"
        error={read.error}
        onRetry={() => void read.refetch()}
      />
    );
  }
  const { [which]: value, status } = read.data;
  // A failed or unfinished node has null for outputs that it never produced.
  const isMissing = value === undefined || (value === null && status !== "completed");
  if (isMissing) return <p className={className}>{missing}</p>;
  return <JsonTree key={status} value={value} path={path} label={label} />;
}

/** Which of a node's tabs is open: the chosen one while it is there, and the error before the output. */
export function shownTab(chosen: string | null, hasError: boolean): string {
  if (chosen === null || (chosen === "error" && !hasError)) return hasError ? "error" : "output";
  return chosen;
}
