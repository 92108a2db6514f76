import { Button, Tabs } from "@mantine/core";
import { IconPin, IconPinnedOff, IconPlayerTrackNext } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import { changeCanvas } from "#components/editor/commands/change.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { canvasOf } from "#components/editor/draft/canvas-settings.ts";
import { goToNode } from "#components/editor/levels/level-actions.ts";
import { useLevel, useSession } from "#components/editor/state/editor-context.ts";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { nodesOnCanvas } from "#components/editor/state/run-watch.ts";
import { useNodeData, useRunOf } from "#components/editor/state/use-run.ts";
import { AgentSteps, StreamedText } from "#components/executions/agent-steps.tsx";
import { countOf, Iterations } from "#components/executions/iterations.tsx";
import { LogList } from "#components/executions/log-list.tsx";
import { NodeErrorView, readNodeError } from "#components/executions/node-error.tsx";
import { NodeValue, shownTab } from "#components/executions/node-value.tsx";
import { logsThen, type Moment } from "#components/executions/replay/moments.ts";
import { WhyNode } from "#components/executions/why/why-list.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import styles from "./run-drawer.module.css";
import { runNode } from "./run-flow.ts";

/** Settings are sent with every save, so pinned outputs must stay small. */
const charactersMax = 200_000;

/** Only nodes with a single way out can be pinned: others have to run to choose theirs. */
function canPin({ editor }: EditorSession, id: string): boolean {
  const node = editor.level.nodes.find((candidate) => candidate.id === id);
  return node !== undefined && (editor.catalogue.handles(node.type, node.config) ?? []).length === 0;
}

/** Makes runs of a draft, or of unpublished changes, use this output instead of running the node. */
function pinOutput({ editor }: EditorSession, id: string, output: unknown): void {
  if ((JSON.stringify(output) ?? "").length > charactersMax) {
    editor.say(`Outputs over ${charactersMax / 1_000} kB cannot be pinned.`, { tone: "problem" });
    return;
  }
  editor.change("Pin the output", changeCanvas({ pins: { ...canvasOf(editor.level).pins, [id]: output ?? null } }));
  const { status } = editor.store.getState();
  const which = status === "draft" ? "this draft" : "unpublished changes";
  editor.say(`Pinned. Only runs of ${which} use it.`);
}

function unpinOutput({ editor }: EditorSession, id: string): void {
  const { [id]: _, ...pins } = canvasOf(editor.level).pins;
  editor.change("Unpin the output", changeCanvas({ pins }));
}

interface NodeRunDataProps {
  readonly id: string;
  /** The shown moment; null for the current state. */
  readonly moment: Moment | null;
}

/** What a node did in the displayed run, up to the moment shown: its output, input, log and failure. */
export function NodeRunData({ id, moment }: NodeRunDataProps) {
  const session = useSession();
  const node = useRunOf(id);
  const read = useNodeData(id);
  const { run, logs, item } = useStore(session.runs.store);
  const draft = useLevel((level) => level);
  const type = session.editor.types.find((candidate) => candidate.type === node?.type);
  const [tab, setTab] = useState<string | null>(null);
  const isPinned = Object.hasOwn(canvasOf(draft).pins, id);
  const name = nameOf(draft.nodes, id);
  if (node === undefined || run === null) {
    return (
      <p className={styles.hint}>
        {run !== null && isLive(run.status) ? "This node hasn’t run yet." : "This node wasn’t in this run."}
      </p>
    );
  }
  const error = readNodeError(node.error, type?.configSchema);
  const own = logsThen(logs, moment).filter((entry) => entry.nodeId === id);
  const within = item?.iteration ?? undefined;
  const path = `${nodeReference(id)}.output`;
  return (
    <>
      <div className={styles.nodeHead}>
        <span className={styles.nodeName}>{name}</span>
        <RunStatus {...node} />
        {node.duration !== null && <span className="mono">{formatDuration(node.duration)}</span>}
        {(node.retries ?? 0) > 0 && <span>tried {(node.retries ?? 0) + 1} times</span>}
        {!isLive(run.status) && moment === null && node.status !== "skipped" && item === null && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlayerTrackNext size={13} />}
            onClick={() => void runNode(session, id)}
          >
            Run this node again
          </Button>
        )}
        {isPinned && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPinnedOff size={13} />}
            onClick={() => unpinOutput(session, id)}
          >
            Unpin the output
          </Button>
        )}
        {!isPinned &&
          item === null &&
          node.status === "completed" &&
          read.data !== undefined &&
          canPin(session, id) && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPin size={13} />}
              onClick={() => pinOutput(session, id, read.data.output)}
            >
              Pin the output
            </Button>
          )}
      </div>
      {node.status === "skipped" && <Why id={id} status={node.status} />}
      {node.status === "pending" && (
        <p className={styles.hint}>
          {moment === null ? "This node hasn’t run yet." : "This node had not run yet at this moment."}
        </p>
      )}
      {node.status !== "skipped" && node.status !== "pending" && (
        <Tabs value={shownTab(tab, error !== null)} onChange={setTab} keepMounted={false}>
          <Tabs.List>
            {error !== null && <Tabs.Tab value="error">Error</Tabs.Tab>}
            <Tabs.Tab value="output">Output</Tabs.Tab>
            <Tabs.Tab value="input">Input</Tabs.Tab>
            {type?.hasBody && <Tabs.Tab value="iterations">Items{countOf(node.iterations)}</Tabs.Tab>}
            {type?.hasSteps && <Tabs.Tab value="steps">Steps{countOf(node.iterations)}</Tabs.Tab>}
            <Tabs.Tab value="logs">Logs{own.length > 0 && ` (${own.length})`}</Tabs.Tab>
          </Tabs.List>
          {error !== null && (
            <Tabs.Panel value="error" pt="xs">
              <NodeErrorView error={error} nodeName={name} />
              <Why id={id} status={node.status} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="output" pt="xs">
            {error === null && moment === null && <Why id={id} status={node.status} />}
            {isLive(node.status) ? (
              <StreamedText runId={run.id} nodeId={id} iteration={within ?? null} missing="No output yet." />
            ) : (
              <NodeValue
                read={read}
                which="output"
                missing="No output."
                className={styles.hint}
                path={path}
                label={`Output of ${name}`}
              />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="input" pt="xs">
            <NodeValue
              read={read}
              which="input"
              missing="Its config has no expressions, so it was used as written."
              className={styles.hint}
              path="input"
              label={`Input of ${name}`}
            />
          </Tabs.Panel>
          {type?.hasBody && (
            <Tabs.Panel value="iterations" pt="xs">
              <Iterations runId={run.id} nodeId={id} within={within} live={isLive(run.status)} moment={moment} />
            </Tabs.Panel>
          )}
          {type?.hasSteps && (
            <Tabs.Panel value="steps" pt="xs">
              <AgentSteps runId={run.id} nodeId={id} within={within} live={isLive(run.status)} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="logs" pt="xs">
            <LogList entries={own} run={run} nameOf={() => name} />
          </Tabs.Panel>
        </Tabs>
      )}
    </>
  );
}

interface WhyProps {
  readonly id: string;
  readonly status: ShownNodeExecution["status"];
}

/** Why the node is in its state, in the version that ran. */
function Why({ id, status }: WhyProps) {
  const session = useSession();
  const { data } = useNodeData(id);
  const nodes = useStore(session.runs.store, nodesOnCanvas);
  const drawn = useLevel((level) => level.nodes);
  const isInItem = useStore(session.runs.store, (state) => state.item !== null);
  if (data === undefined) return null;
  if (isInItem) return status === "skipped" && <p className={styles.hint}>No path led to this node in this item.</p>;
  return (
    <WhyNode
      status={status}
      why={data.why ?? []}
      statusOf={(nodeId) => nodes.get(nodeId)?.status}
      nameOf={(nodeId) =>
        drawn.some((node) => node.id === nodeId) ? nameOf(drawn, nodeId) : nodeNameIn(nodes, nodeId)
      }
      onSelect={(nodeId) => goToNode(session, nodeId)}
    />
  );
}

function nodeNameIn(nodes: ReadonlyMap<string, ShownNodeExecution>, id: string): string {
  return nodes.get(id)?.nodeName ?? id;
}
