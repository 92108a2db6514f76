import { Button, Tabs } from "@mantine/core";
import { IconPin, IconPinnedOff, IconPlayerTrackNext } from "@tabler/icons-react";
import { useStore } from "zustand";
import { changeCanvas } from "#components/editor/commands/change.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { canvasOf } from "#components/editor/draft/canvas-settings.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { useRunOf } from "#components/editor/state/use-run.ts";
import { countOf, Iterations } from "#components/executions/iterations.tsx";
import { LogList } from "#components/executions/log-list.tsx";
import { NodeErrorView, readNodeError } from "#components/executions/node-error.tsx";
import { NodeValue } from "#components/executions/node-value.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import styles from "./run-drawer.module.css";
import { runNode } from "./run-flow.ts";
import { useNodeData } from "./use-node-data.ts";
import { WhySkipped } from "./why-skipped-list.tsx";

/** Settings are sent with every save, so pinned outputs must stay small. */
const charactersMax = 200_000;

/** Only nodes with a single way out: the others have to run to choose theirs. */
function canPin({ editor }: EditorSession, id: string): boolean {
  const node = editor.draft.nodes.find((candidate) => candidate.id === id);
  return node !== undefined && (editor.catalogue.handles(node.type, node.config) ?? []).length === 0;
}

/** Makes runs of a draft, or of unpublished changes, use this output instead of running the node. */
function pinOutput({ editor }: EditorSession, id: string, output: unknown): void {
  if ((JSON.stringify(output) ?? "").length > charactersMax) {
    editor.say(`Outputs over ${charactersMax / 1_000} kB cannot be pinned.`, { tone: "problem" });
    return;
  }
  editor.change("Pin the output", changeCanvas({ pins: { ...canvasOf(editor.draft).pins, [id]: output ?? null } }));
  const { status } = editor.store.getState();
  const which = status === "draft" ? "this draft" : "unpublished changes";
  editor.say(`Pinned. Only runs of ${which} use it.`);
}

function unpinOutput({ editor }: EditorSession, id: string): void {
  const { [id]: _, ...pins } = canvasOf(editor.draft).pins;
  editor.change("Unpin the output", changeCanvas({ pins }));
}

/** What one node did in the displayed run: its output, input, logs and failure. */
export function NodeRunData({ id }: { readonly id: string }) {
  const session = useSession();
  const node = useRunOf(id);
  const read = useNodeData(id);
  const { run, logs } = useStore(session.runs.store);
  const draft = useEditorState((state) => state.draft);
  const type = session.editor.types.find((candidate) => candidate.type === node?.type);
  const isPinned = Object.hasOwn(canvasOf(draft).pins, id);
  const name = nameOf(draft.nodes, id);
  if (node === undefined || run === null) {
    return (
      <p className={styles.hint}>
        {run !== null && isLive(run.status) ? "This node hasn’t run yet." : "This node wasn’t in this run."}
      </p>
    );
  }
  const error = readNodeError(node.error);
  const own = logs.filter((entry) => entry.nodeId === id);
  const path = `${nodeReference(id)}.output`;
  return (
    <>
      <div className={styles.nodeHead}>
        <span className={styles.nodeName}>{name}</span>
        <RunStatus status={node.status} />
        {node.duration !== null && <span className="mono">{formatDuration(node.duration)}</span>}
        {(node.retries ?? 0) > 0 && <span>tried {(node.retries ?? 0) + 1} times</span>}
        {!isLive(run.status) && node.status !== "skipped" && (
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
        {!isPinned && node.status === "completed" && read.data !== undefined && canPin(session, id) && (
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
      {node.status === "skipped" ? (
        <WhySkipped id={id} />
      ) : (
        // Also opens on the error of a node that fails while it is on screen.
        <Tabs key={`${id} ${error === null}`} defaultValue={error === null ? "output" : "error"} keepMounted={false}>
          <Tabs.List>
            {error !== null && <Tabs.Tab value="error">Error</Tabs.Tab>}
            <Tabs.Tab value="output">Output</Tabs.Tab>
            <Tabs.Tab value="input">Input</Tabs.Tab>
            {type?.hasBody && <Tabs.Tab value="iterations">Items{countOf(node.iterations)}</Tabs.Tab>}
            <Tabs.Tab value="logs">Logs{own.length > 0 && ` (${own.length})`}</Tabs.Tab>
          </Tabs.List>
          {error !== null && (
            <Tabs.Panel value="error" pt="xs">
              <NodeErrorView error={error} nodeName={name} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="output" pt="xs">
            <NodeValue
              read={read}
              which="output"
              missing="No output."
              className={styles.hint}
              path={path}
              label={`Output of ${name}`}
            />
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
              <Iterations runId={run.id} nodeId={id} live={isLive(run.status)} />
            </Tabs.Panel>
          )}
          <Tabs.Panel value="logs" pt="xs">
            <LogList entries={own} startedAt={run.startedAt} nameOf={() => name} />
          </Tabs.Panel>
        </Tabs>
      )}
    </>
  );
}
