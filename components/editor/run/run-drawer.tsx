import { ActionIcon, Button, CloseButton, Tabs, Tooltip } from "@mantine/core";
import { IconExternalLink, IconPlayerStop, IconRepeat } from "@tabler/icons-react";
import Link from "next/link";
import { useStore } from "zustand";
import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { LogList } from "#components/executions/log-list.tsx";
import { JsonTree } from "#components/json/json-tree.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { MakeTest } from "#components/tests/make-test.tsx";
import { RunningDuration } from "#components/time/relative-time.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { DrawerGrip, useDrawerHeight } from "./drawer-grip.tsx";
import { NodeRunData } from "./node-run-data.tsx";
import styles from "./run-drawer.module.css";
import { runFlow } from "./run-flow.ts";

/** The displayed run, and the selected node's part in it. */
export function RunDrawer() {
  const session = useSession();
  const { runs, api } = session;
  const { run, listening, logs } = useStore(runs.store);
  const nodes = useEditorState((state) => state.draft.nodes);
  const selected = useEditorState((state) => state.selection.nodes);
  const [height, setHeight] = useDrawerHeight();
  if (listening && run === null) {
    return (
      <section className={styles.drawer} data-small aria-label="Run">
        <p className={styles.waiting}>Listening for the next call to the trigger URL. Its run will appear here.</p>
        <Button variant="default" onClick={() => runs.clear()}>
          Stop
        </Button>
      </section>
    );
  }
  if (run === null) return null;
  const [only = null] = selected.size === 1 ? selected : [];
  const nodeId = only !== null && nodes.some((node) => node.id === only) ? only : null;
  const live = isLive(run.status);
  return (
    <section className={styles.drawer} style={{ height }} aria-label="Run">
      <DrawerGrip height={height} setHeight={setHeight} />
      <header className={styles.head}>
        <RunStatus status={run.status} filled />
        <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live={live} />
        <Link href={`/runs/${run.id}`} className={styles.link}>
          Open the run <IconExternalLink size={13} aria-hidden="true" />
        </Link>
        <span className={styles.gap} />
        {live ? (
          <Tool
            label="Cancel the run"
            icon={IconPlayerStop}
            onClick={() => void api.call("cancelExecution", { params: { id: run.id }, body: {} })}
          />
        ) : (
          <Tool
            label="Run again with the same input"
            icon={IconRepeat}
            onClick={() => void runFlow(session, isJsonObject(run.trigger.data) ? run.trigger.data : {})}
          />
        )}
        <MakeTest run={run} />
        <CloseButton onClick={() => runs.clear()} aria-label="Close the run" />
      </header>
      <div className={styles.body}>
        {nodeId !== null ? (
          <NodeRunData id={nodeId} />
        ) : (
          <Tabs defaultValue="output" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="output">{run.error === undefined ? "Output" : "Error"}</Tabs.Tab>
              <Tabs.Tab value="input">Input</Tabs.Tab>
              <Tabs.Tab value="logs">Logs{logs.length > 0 && ` (${logs.length})`}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="output" pt="xs">
              {run.error !== undefined && <RunFailure error={run.error} />}
              {run.error === undefined && live && <p className={styles.hint}>The output appears when the run ends.</p>}
              {run.error === undefined && !live && (
                <JsonTree value={run.output} path="output" label="Output of the run" />
              )}
              <p className={styles.hint}>Select a node to see its input and output.</p>
            </Tabs.Panel>
            <Tabs.Panel value="input" pt="xs">
              <JsonTree value={run.trigger.data} path="$trigger.body" label="Input of the run" />
            </Tabs.Panel>
            <Tabs.Panel value="logs" pt="xs">
              <LogList entries={logs} startedAt={run.startedAt} nameOf={(id) => nameOf(nodes, id)} />
            </Tabs.Panel>
          </Tabs>
        )}
      </div>
    </section>
  );
}

function Tool({
  label,
  icon: Icon,
  onClick,
}: {
  readonly label: string;
  readonly icon: typeof IconRepeat;
  readonly onClick: () => void;
}) {
  return (
    <Tooltip label={label} position="top">
      <ActionIcon variant="subtle" size={28} onClick={onClick} aria-label={label}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Why a run failed, and at which node; a click goes there. */
function RunFailure({ error }: { readonly error: NonNullable<ShownExecution["error"]> }) {
  const { editor, view } = useSession();
  const nodes = useEditorState((state) => state.draft.nodes);
  const { nodeId, message } = error;
  const isThere = nodeId !== null && nodes.some((node) => node.id === nodeId);
  return (
    <p className={styles.failure}>
      {isThere && (
        <>
          <button
            type="button"
            className={styles.jump}
            onClick={() => {
              editor.select([nodeId]);
              view.port?.focus(nodeId);
            }}
          >
            {nameOf(nodes, nodeId)}
          </button>{" "}
          failed:{" "}
        </>
      )}
      {message}
    </p>
  );
}
