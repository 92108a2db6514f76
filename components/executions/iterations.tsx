import { Pagination, SegmentedControl, Skeleton, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useNodeType } from "#components/flows/flow-queries.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { AgentSteps } from "./agent-steps.tsx";
import styles from "./iterations.module.css";
import { NodeErrorView, readNodeError } from "./node-error.tsx";
import { iterationThen, type Moment, stepThen } from "./replay/moments.ts";
import { type IterationQuery, iterationsOnPage, runQueries } from "./run-queries.ts";

interface IterationsProps extends Pick<IterationQuery, "runId" | "nodeId" | "within"> {
  /** More of them may come. */
  readonly live: boolean;
  /** The shown moment; null for the current state. */
  readonly moment: Moment | null;
}

/** A loop's iterations; each opens to its nodes' inputs and outputs. */
export function Iterations({ runId, nodeId, within, live, moment }: IterationsProps) {
  const [page, setPage] = useState(1);
  const [failedOnly, setFailedOnly] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const request = { runId, nodeId, within, page, failedOnly };
  const list = useQuery(runQueries.iterations(useApi(), request, live));
  if (list.data === undefined) {
    if (!list.isError) return <Skeleton height={120} />;
    return (
      <FailureNotice title="The items could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
    );
  }
  const { items, pagination } = list.data;
  const pages = Math.ceil(pagination.total / iterationsOnPage);
  return (
    <div className={styles.iterations}>
      <Switch
        size="xs"
        label="Failed only"
        checked={failedOnly}
        onChange={(event) => {
          setFailedOnly(event.currentTarget.checked);
          setPage(1);
        }}
      />
      {items.length === 0 && (
        <p className={styles.nothing}>{failedOnly ? "No item failed." : "No item has started."}</p>
      )}
      <ol className={styles.list}>
        {items
          .map((item) => iterationThen(item, moment))
          .map(({ iteration, duration, nodesExecuted, ...item }) => (
            <li key={iteration}>
              <button
                type="button"
                className={styles.turn}
                aria-expanded={opened === iteration}
                onClick={() => setOpened(opened === iteration ? null : iteration)}
              >
                <span className={styles.place}>Item {iteration}</span>
                <RunStatus {...item} />
                <span className={styles.facts}>
                  {nodesExecuted} {nodesExecuted === 1 ? "node" : "nodes"}
                  {duration !== null && ` · ${formatDuration(duration)}`}
                </span>
              </button>
              {opened === iteration && (
                <IterationNodes runId={runId} nodeId={nodeId} iteration={iteration} live={live} moment={moment} />
              )}
            </li>
          ))}
      </ol>
      {pages > 1 && <Pagination size="xs" total={pages} value={page} onChange={setPage} />}
    </div>
  );
}

interface IterationNodesProps extends Omit<IterationsProps, "within"> {
  readonly iteration: string;
}

/** The nodes of one iteration, one of them open. */
function IterationNodes({ runId, nodeId, iteration, live, moment }: IterationNodesProps) {
  const read = useQuery(runQueries.iteration(useApi(), { runId, nodeId, iteration }, live));
  const [chosen, setChosen] = useState<string | null>(null);
  const nodes = (read.data?.nodes ?? []).map((node) => stepThen(node, iteration, moment));
  const failed = nodes.find((node) => node.status === "failed");
  const node = nodes.find((candidate) => candidate.nodeId === chosen) ?? failed ?? nodes.at(-1);
  const type = useNodeType(node?.type);
  if (read.data === undefined) {
    if (!read.isError) return <Skeleton height={80} />;
    return (
      <FailureNotice title="The item could not be loaded" error={read.error} onRetry={() => void read.refetch()} />
    );
  }
  return (
    <div className={styles.opened} ref={showWhole}>
      <div className={styles.nodes}>
        {nodes.map((other) => (
          <button
            key={other.nodeId}
            type="button"
            className={styles.node}
            aria-pressed={other.nodeId === node?.nodeId}
            onClick={() => setChosen(other.nodeId)}
          >
            {other.nodeName}
            <RunStatus {...other} />
            {other.duration !== null && other.status !== "skipped" && !other.disabled && (
              <span className={styles.facts}>{formatDuration(other.duration)}</span>
            )}
          </button>
        ))}
      </div>
      {node !== undefined && <NodeOfIteration key={node.nodeId} node={node} />}
      {type?.hasSteps && node !== undefined && (
        <AgentSteps runId={runId} nodeId={node.nodeId} within={iteration} live={live} />
      )}
      {type?.hasBody && node !== undefined && (
        <Iterations runId={runId} nodeId={node.nodeId} within={iteration} live={live} moment={moment} />
      )}
    </div>
  );
}

/** An iteration opened at the end of a small drawer would be out of view. */
function showWhole(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function NodeOfIteration({ node }: { readonly node: ShownNodeExecution }) {
  const [shown, setShown] = useState("output");
  const error = readNodeError(node.error, useNodeType(node.type)?.configSchema);
  if (node.status === "skipped") return <p className={styles.nothing}>Skipped: no path led here.</p>;
  if (node.status === "pending") return <p className={styles.nothing}>This node had not run yet at this moment.</p>;
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
        aria-label="Node data"
      />
      {value === undefined ? (
        <p className={styles.nothing}>None.</p>
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

/** A number after a tab's name; nothing while it is unknown. */
export function countOf(count: number | undefined): string {
  return count === undefined ? "" : ` (${count})`;
}
