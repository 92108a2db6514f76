"use client";

import { Button, Tabs } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { JsonTree } from "#components/json/json-tree.tsx";
import { SidePanel } from "#components/page/side-panel.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { isLive } from "#components/status/run-statuses.ts";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";
import { LogList } from "./log-list.tsx";
import { readNodeError } from "./node-error.ts";
import { NodeErrorView } from "./node-error-view.tsx";
import styles from "./node-run-panel.module.css";

interface NodeRunPanelProps {
  readonly run: ShownExecution;
  readonly node: ShownNodeExecution;
  readonly onClose: () => void;
  readonly onRetry: (nodeId: string) => void;
}

/** What one node did in a run: what it was given, what it made, what it wrote, why it failed. */
export function NodeRunPanel({ run, node, onClose, onRetry }: NodeRunPanelProps) {
  const error = readNodeError(node.error);
  const logs = (run.logs ?? []).filter((entry) => entry.nodeId === node.nodeId);
  const path = `$nodes[${JSON.stringify(node.nodeId).replaceAll('"', "'")}]`;
  return (
    <SidePanel title={node.nodeName} subtitle={<NodeFacts node={node} />} onClose={onClose}>
      <Tabs defaultValue={error === null ? "output" : "error"} keepMounted={false}>
        <Tabs.List mb="sm">
          {error !== null && <Tabs.Tab value="error">Error</Tabs.Tab>}
          <Tabs.Tab value="output">Output</Tabs.Tab>
          <Tabs.Tab value="input">Input</Tabs.Tab>
          <Tabs.Tab value="logs">Logs{logs.length > 0 && ` (${logs.length})`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="output">
          <Value value={node.output} path={`${path}.output`} label="Output" missing={missingOutput(node)} />
        </Tabs.Panel>
        <Tabs.Panel value="input">
          <Value
            value={node.input}
            path="input"
            label="Input"
            missing="The config was not resolved: the node did not run."
          />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <LogList entries={logs} startedAt={run.startedAt} nameOf={() => node.nodeName} />
        </Tabs.Panel>
        {error !== null && (
          <Tabs.Panel value="error">
            <NodeErrorView error={error} nodeName={node.nodeName} />
          </Tabs.Panel>
        )}
      </Tabs>
      {!isLive(run.status) && node.status !== "skipped" && (
        <Button
          mt="md"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          onClick={() => onRetry(node.nodeId)}
        >
          Run again from here
        </Button>
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

interface ValueProps {
  readonly value: unknown;
  readonly path: string;
  readonly label: string;
  readonly missing: string;
}

function Value({ value, path, label, missing }: ValueProps) {
  if (value === undefined) return <p className={styles.missing}>{missing}</p>;
  return <JsonTree value={value} path={path} label={label} />;
}

function missingOutput(node: ShownNodeExecution): string {
  if (node.status === "skipped") return "Skipped: no branch that was taken led here.";
  if (isLive(node.status)) return "There is no output yet.";
  return "The node left no output.";
}
