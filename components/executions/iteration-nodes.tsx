import { SegmentedControl, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import { loopType } from "#lib/engine/flow-body.ts";
import styles from "./iterations.module.css";
import { Iterations } from "./iterations.tsx";
import { readNodeError } from "./node-error.ts";
import { NodeErrorView } from "./node-error-view.tsx";
import { runQueries } from "./run-queries.ts";

interface IterationNodesProps {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: string;
  readonly live: boolean;
}

/** The nodes of one turn of a loop, one of them opened. */
export function IterationNodes({ runId, nodeId, iteration, live }: IterationNodesProps) {
  const read = useQuery(runQueries.iteration(useApi(), { runId, nodeId, iteration }, live));
  const [chosen, setChosen] = useState<string | null>(null);
  if (read.data === undefined) {
    if (!read.isError) return <Skeleton height={80} />;
    return <FailureNotice what="It could not be loaded" error={read.error} onRetry={() => void read.refetch()} />;
  }
  const { nodes } = read.data;
  const failed = nodes.find((node) => node.status === "failed");
  const node = nodes.find((candidate) => candidate.nodeId === chosen) ?? failed ?? nodes.at(-1);
  return (
    <div className={styles.opened} ref={showWhole}>
      <div className={styles.nodes}>
        {nodes.map(({ nodeId: id, nodeName, status, duration }) => (
          <button
            key={id}
            type="button"
            className={styles.node}
            aria-pressed={id === node?.nodeId}
            onClick={() => setChosen(id)}
          >
            {nodeName}
            <RunStatus status={status} />
            {duration !== null && status !== "skipped" && (
              <span className={styles.facts}>{formatDuration(duration)}</span>
            )}
          </button>
        ))}
      </div>
      {node !== undefined && <NodeOfIteration key={node.nodeId} node={node} />}
      {node?.type === loopType && <Iterations runId={runId} nodeId={node.nodeId} within={iteration} live={live} />}
    </div>
  );
}

/** What was opened at the end of a small drawer would be out of sight. */
function showWhole(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function NodeOfIteration({ node }: { readonly node: ShownNodeExecution }) {
  const [shown, setShown] = useState("output");
  const error = readNodeError(node.error);
  if (node.status === "skipped") return <p className={styles.nothing}>Skipped: no branch that was taken led here.</p>;
  const value = shown === "input" ? node.input : node.output;
  return (
    <>
      {error !== null && <NodeErrorView error={error} nodeName={node.nodeName} />}
      <SegmentedControl
        size="xs"
        value={shown}
        onChange={setShown}
        data={[
          { value: "output", label: "Output" },
          { value: "input", label: "Input" },
        ]}
        aria-label="What is shown of the node"
      />
      {value === undefined ? (
        <p className={styles.nothing}>There is none.</p>
      ) : (
        <JsonTree
          key={shown}
          value={value}
          path={shown}
          label={`${shown === "input" ? "Input" : "Output"} of ${node.nodeName}`}
        />
      )}
    </>
  );
}
