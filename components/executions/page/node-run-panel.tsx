"use client";
import { Tabs } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import type { NodeRuns } from "#components/canvas/wire-data.ts";
import { AgentSteps, StreamedText } from "#components/executions/agent-steps.tsx";
import { countOf, Iterations } from "#components/executions/iterations.tsx";
import { LogList } from "#components/executions/log-list.tsx";
import { NodeErrorView, readNodeError } from "#components/executions/node-error.tsx";
import { NodeValue, shownTab } from "#components/executions/node-value.tsx";
import { logsThen, type Moment } from "#components/executions/replay/moments.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { useRunWaits, waitKey } from "#components/executions/waiting/run-waits.ts";
import WaitCard from "#components/executions/waiting/wait-card.tsx";
import { WhyNode } from "#components/executions/why/why-list.tsx";
import { useNodeType } from "#components/flows/flow-queries.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { SidePanel } from "#components/page/side-panel.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import styles from "./node-run-panel.module.css";

interface NodeRunPanelProps {
  readonly run: ShownExecution;
  /** The shown moment; null for the current state. */
  readonly moment: Moment | null;
  /** The node at that moment, and all nodes. */
  readonly node: ShownNodeExecution;
  readonly nodes: NodeRuns;
  readonly onSelect: (nodeId: string) => void;
  readonly onClose: () => void;
  /** Null if nothing can be retried. */
  readonly onRetry: ((nodeId: string) => void) | null;
}

/** What one node did in a run, up to the moment shown: its input, output, log and failure. */
export function NodeRunPanel({ run, moment, node, nodes, onSelect, onClose, onRetry }: NodeRunPanelProps) {
  const type = useNodeType(node.type);
  const live = isLive(run.status);
  // The default tab: the error if there is one, including a failure while the node is shown.
  const [tab, setTab] = useState<string | null>(null);
  return (
    <SidePanel title={node.nodeName} subtitle={<NodeFacts node={node} />} onClose={onClose}>
      {node.status === "pending" && (
        <p className={styles.missing}>
          {moment === null ? "This node hasn’t run yet." : "This node had not run yet at this moment."}
        </p>
      )}
      {node.status === "skipped" && <Why runId={run.id} node={node} nodes={nodes} onSelect={onSelect} />}
      {node.status !== "pending" && node.status !== "skipped" && (
        <NodeTabs {...{ run, moment, node, nodes, onSelect, tab }} onTab={setTab} />
      )}
      {type?.waitsFor === "call" && moment === null && <NodeWaits run={run} nodeId={node.nodeId} />}
      {onRetry !== null && !live && moment === null && node.status !== "skipped" && (
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

interface NodeTabsProps extends Pick<NodeRunPanelProps, "run" | "moment" | "node" | "nodes" | "onSelect"> {
  /** The chosen tab; null until one is chosen. */
  readonly tab: string | null;
  readonly onTab: (tab: string | null) => void;
}

/** The data of a finished or running node. */
function NodeTabs({ run, moment, node, nodes, onSelect, tab, onTab }: NodeTabsProps) {
  const { nodeId, nodeName, status } = node;
  const type = useNodeType(node.type);
  const error = readNodeError(node.error, type?.configSchema);
  const logs = logsThen(run.logs ?? [], moment).filter((entry) => entry.nodeId === nodeId);
  const why = <Why runId={run.id} node={node} nodes={nodes} onSelect={onSelect} />;
  return (
    <>
      {node.disabled && <p className={styles.disabled}>Disabled in the version that ran: its input was passed on.</p>}
      {error === null && moment === null && why}
      <Tabs value={shownTab(tab, error !== null)} onChange={onTab} keepMounted={false}>
        <Tabs.List mb="sm">
          {error !== null && <Tabs.Tab value="error">Error</Tabs.Tab>}
          <Tabs.Tab value="output">Output</Tabs.Tab>
          <Tabs.Tab value="input">Input</Tabs.Tab>
          {type?.hasBody && <Tabs.Tab value="iterations">Items{countOf(node.iterations)}</Tabs.Tab>}
          {type?.hasSteps && <Tabs.Tab value="steps">Steps{countOf(node.iterations)}</Tabs.Tab>}
          <Tabs.Tab value="logs">Logs{logs.length > 0 && ` (${logs.length})`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="output">
          {isLive(status) ? (
            <StreamedText runId={run.id} nodeId={nodeId} iteration={null} missing="No output yet." />
          ) : (
            <LookedAt
              runId={run.id}
              nodeId={nodeId}
              which="output"
              missing="The node has no output."
              path={`${nodeReference(nodeId)}.output`}
              label="Output"
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="input">
          <LookedAt
            runId={run.id}
            nodeId={nodeId}
            which="input"
            missing="The config was not resolved: the node did not run."
            path="input"
            label="Input"
          />
        </Tabs.Panel>
        {type?.hasBody && (
          <Tabs.Panel value="iterations">
            <Iterations runId={run.id} nodeId={nodeId} live={isLive(run.status)} moment={moment} />
          </Tabs.Panel>
        )}
        {type?.hasSteps && (
          <Tabs.Panel value="steps">
            <AgentSteps runId={run.id} nodeId={nodeId} live={isLive(run.status)} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="logs">
          <LogList entries={logs} run={run} nameOf={() => nodeName} />
        </Tabs.Panel>
        {error !== null && (
          <Tabs.Panel value="error">
            <NodeErrorView error={error} nodeName={nodeName} />
            {why}
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}

type WhyProps = Pick<NodeRunPanelProps, "node" | "nodes" | "onSelect"> & { readonly runId: string };

/** Why the node is in its state. */
function Why({ runId, node, nodes, onSelect }: WhyProps) {
  const read = useQuery(runQueries.node(useApi(), runId, node.nodeId));
  if (read.data === undefined) {
    if (!read.isError || node.status !== "skipped") return null;
    return (
      <FailureNotice title="The reason could not be loaded" error={read.error} onRetry={() => void read.refetch()} />
    );
  }
  return (
    <WhyNode
      status={node.status}
      why={read.data.why ?? []}
      statusOf={(id) => nodes.get(id)?.status}
      nameOf={(id) => nodes.get(id)?.nodeName ?? id}
      onSelect={onSelect}
    />
  );
}

/** The answers that the node waits for, or waited for. */
function NodeWaits({ run, nodeId }: { readonly run: ShownExecution; readonly nodeId: string }) {
  const waits = useRunWaits(run).filter((wait) => wait.nodeId === nodeId);
  return (
    <div className={styles.waits}>
      {waits.map((wait) => (
        <WaitCard key={waitKey(wait)} runId={run.id} wait={wait} />
      ))}
    </div>
  );
}

function NodeFacts({ node }: { readonly node: ShownNodeExecution }) {
  return (
    <>
      <RunStatus {...node} />
      {node.duration !== null && !node.disabled && <span className={styles.fact}>{formatDuration(node.duration)}</span>}
      {(node.retries ?? 0) > 0 && <span className={styles.fact}>tried {(node.retries ?? 0) + 1} times</span>}
      {typeof node.handle === "string" && <span className={styles.fact}>took “{node.handle}”</span>}
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
