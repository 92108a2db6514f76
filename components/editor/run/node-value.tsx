import { Skeleton } from "@mantine/core";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import styles from "./run-drawer.module.css";
import type { useNodeData } from "./use-node-data.ts";

interface NodeValueProps {
  readonly read: ReturnType<typeof useNodeData>;
  readonly which: "input" | "output";
  /** What is said where there is none. */
  readonly missing: string;
  readonly path: string;
  readonly label: string;
}

/** What a node was given or made in a run, once it has been read. */
export function NodeValue({ read, which, missing, path, label }: NodeValueProps) {
  if (read.data === undefined) {
    if (!read.isError) return <Skeleton height={96} />;
    return <FailureNotice what="It could not be loaded" error={read.error} onRetry={() => void read.refetch()} />;
  }
  const value = read.data[which];
  // The record of a node that failed, or is not through, says null for what it never made.
  const isMade = value !== null || (which === "output" && read.data.status === "completed");
  if (value === undefined || !isMade) return <p className={styles.hint}>{missing}</p>;
  return <JsonTree value={value} path={path} label={label} />;
}
