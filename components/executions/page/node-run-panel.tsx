"use client";
import { Tabs } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useApi } from "#components/api/use-api.ts";
import { countOf, Iterations } from "#components/executions/iterations.tsx";
import { LogList } from "#components/executions/log-list.tsx";
import { NodeErrorView, readNodeError } from "#components/executions/node-error.tsx";
import { NodeValue } from "#components/executions/node-value.tsx";
import { runQueries } from "#components/executions/run-queries.ts";
import { useNodeType } from "#components/flows/flow-queries.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import { SidePanel } from "#components/page/side-panel.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import { AnswerWait } from "./answer-wait.tsx";
import styles from "./node-run-panel.module.css";

interface NodeRunPanelProps {
  readonly run: ShownExecution;
  readonly node: ShownNodeExecution;
  readonly onClose: () => void;
  /** Null if nothing can be retried. */
  readonly onRetry: ((nodeId: string) => void) | null;
}

/** What one node did in a run: its input, output, log and failure. */
export function NodeRunPanel({ run, node, onClose, onRetry }: NodeRunPanelProps) {
  const error = readNodeError(node.error);
  const logs = (run.logs ?? []).filter((entry) => entry.nodeId === node.nodeId);
  const path = nodeReference(node.nodeId);
  const type = useNodeType(node.type);
  return (
    <SidePanel title={node.nodeName} subtitle={<NodeFacts node={node} />} onClose={onClose}>
      <Tabs defaultValue={error === null ? "output" : "error"} keepMounted={false}>
        <Tabs.List mb="sm">
          {error !== null && <Tabs.Tab value="error">Error</Tabs.Tab>}
          <Tabs.Tab value="output">Output</Tabs.Tab>
          <Tabs.Tab value="input">Input</Tabs.Tab>
          {type?.hasBody && <Tabs.Tab value="iterations">Items{countOf(node.iterations)}</Tabs.Tab>}
          <Tabs.Tab value="logs">Logs{logs.length > 0 && ` (${logs.length})`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="output">
          <LookedAt
            runId={run.id}
            nodeId={node.nodeId}
            which="output"
            missing={missingOutput(node)}
            path={`${path}.output`}
            label="Output"
          />
        </Tabs.Panel>
        <Tabs.Panel value="input">
          <LookedAt
            runId={run.id}
            nodeId={node.nodeId}
            which="input"
            missing="The config was not resolved: the node did not run."
            path="input"
            label="Input"
          />
        </Tabs.Panel>
        {type?.hasBody && (
          <Tabs.Panel value="iterations">
            <Iterations runId={run.id} nodeId={node.nodeId} live={isLive(run.status)} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="logs">
          <LogList entries={logs} startedAt={run.startedAt} nameOf={() => node.nodeName} />
        </Tabs.Panel>
        {error !== null && (
          <Tabs.Panel value="error">
            <NodeErrorView error={error} nodeName={node.nodeName} />
          </Tabs.Panel>
        )}
      </Tabs>
      {type?.waitsFor === "call" && node.status === "running" && <AnswerWait runId={run.id} node={node} />}
      {onRetry !== null && !isLive(run.status) && node.status !== "skipped" && (
        <GuardedButton
          scope="flows:execute"
          mt="md"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          onClick={() => onRetry(node.nodeId)}
        >
          Run again from here
        </GuardedButton>
      )}
    </SidePanel>
  );
}

function NodeFacts({ node }: { readonly node: ShownNodeExecution }) {
  return (
    <>
      <RunStatus status={node.status} />
      {node.duration !== null && <span className={styles.fact}>{formatDuration(node.duration)}</span>}
      {(node.retries ?? 0) > 0 && <span className={styles.fact}>tried {(node.retries ?? 0) + 1} times</span>}
      {typeof node.handle === "string" && <span className={styles.fact}>left by {node.handle}</span>}
    </>
  );
}

type LookedAtProps = Omit<ComponentProps<typeof NodeValue>, "read" | "className"> & {
  readonly runId: string;
  readonly nodeId: string;
};

/** A node's input or output, loaded on demand. */
function LookedAt({ runId, nodeId, ...value }: LookedAtProps) {
  const read = useQuery(runQueries.node(useApi(), runId, nodeId));
  return <NodeValue read={read} className={styles.missing} {...value} />;
}

function missingOutput(node: ShownNodeExecution): string {
  if (node.status === "skipped") return "Skipped: no taken branch leads here.";
  if (isLive(node.status)) return "No output yet.";
  return "The node has no output.";
}
