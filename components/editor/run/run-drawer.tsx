import { ActionIcon, Button, CloseButton, Skeleton, Tabs, Tooltip } from "@mantine/core";
import { IconExternalLink, IconPlayerStop, IconRepeat } from "@tabler/icons-react";
import { type MouseEvent, type RefObject, Suspense, useCallback, useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { nameOf } from "#components/editor/commands/connect.ts";
import { allPlaced } from "#components/editor/levels/level.ts";
import { goToNode } from "#components/editor/levels/level-actions.ts";
import { useEditorState, useLevel, useSession } from "#components/editor/state/editor-context.ts";
import { LogList } from "#components/executions/log-list.tsx";
import { withItemsBegun } from "#components/executions/replay/moments.ts";
import { Scrubber } from "#components/executions/replay/scrubber.tsx";
import { useReplay } from "#components/executions/replay/use-replay.ts";
import { useRunWaits, waitKey, waitTitle } from "#components/executions/waiting/run-waits.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { Link } from "#components/page/link.tsx";
import { SizeGrip, useStoredSize } from "#components/page/size-grip.tsx";
import { isLive, RunStatus } from "#components/status/run-status.tsx";
import { MakeTest } from "#components/tests/make-test.tsx";
import { RunningDuration } from "#components/time/relative-time.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { NodeRunData } from "./node-run-data.tsx";
import { RetryFix } from "./retry-fix.tsx";
import styles from "./run-drawer.module.css";
import { cancelRun, runAgain } from "./run-flow.ts";

const WaitCard = lazyPart(() => import("#components/executions/waiting/wait-card.tsx"));

const heights = { key: "millrace:drawer-height", usual: 290, least: 120, most: 1_200 } as const;

/** The displayed run, and the selected node's data in it. */
export function RunDrawer() {
  const { runs } = useSession();
  const { run, listening } = useStore(runs.store);
  const hadFocus = useRef(false);
  if (run !== null) return <ShownRun key={run.id} run={run} hadFocus={hadFocus} />;
  if (!listening) return null;
  return (
    <section className={styles.drawer} data-small aria-label="Run">
      <p className={styles.waiting}>Listening for the next call to the trigger URL. Its run will appear here.</p>
      <Button variant="default" onClick={() => runs.clear()}>
        Stop
      </Button>
    </section>
  );
}

interface ShownRunProps {
  readonly run: ShownExecution;
  /** Whether the drawer has the focus, which the next run's drawer takes over. */
  readonly hadFocus: RefObject<boolean>;
}

function ShownRun({ run, hadFocus }: ShownRunProps) {
  const drawer = useRef<HTMLElement>(null);
  const regain = useCallback(() => {
    if (hadFocus.current && document.activeElement === document.body) drawer.current?.focus();
  }, [hadFocus]);
  // The button that started this run went with the previous run.
  useEffect(regain, [regain]);
  const session = useSession();
  const { editor, runs, view } = session;
  const recorded = useStore(runs.store, (state) => state.nodes);
  const nodes = useEditorState((state) => state.draft.nodes);
  const level = useLevel((shown) => shown.nodes);
  const selected = useEditorState((state) => state.selection.nodes);
  const height = useStoredSize(heights);
  const runWithNodes = useMemo(() => ({ ...run, nodes: [...recorded.values()] }), [run, recorded]);
  const replay = useReplay(runWithNodes);
  const { moment } = replay;
  useEffect(() => {
    const then = moment === null ? null : withItemsBegun(moment, nodes);
    runs.scrub(then === null ? null : new Map(then.map((node) => [node.nodeId, node])));
  }, [runs, moment, nodes]);
  const [only = null] = selected.size === 1 ? selected : [];
  const nodeId = only !== null && level.some((node) => node.id === only) ? only : null;
  const live = isLive(run.status);
  const name = (id: string) => recorded.get(id)?.nodeName ?? id;
  const close = ({ detail }: MouseEvent) => {
    const [id = triggerSource] = editor.selection.nodes;
    runs.clear();
    // By keyboard: what had the focus is gone.
    if (detail === 0) view.port?.focus(id);
  };
  return (
    <section
      ref={drawer}
      tabIndex={-1}
      className={styles.drawer}
      style={{ height: height.px }}
      aria-label="Run"
      onFocus={() => {
        hadFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        hadFocus.current = relatedTarget === null && hadFocus.current;
      }}
    >
      <SizeGrip edge="top" label="Drawer height" spare={160} {...height} />
      <header className={styles.head}>
        <span aria-live="polite">
          <RunStatus {...run} filled />
        </span>
        <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live={live} />
        <Link href={`/runs/${run.id}`} className={styles.link}>
          Open the run <IconExternalLink size={13} aria-hidden="true" />
        </Link>
        <OpenForm run={run} nodeId={nodeId} />
        <span className={styles.gap} />
        <RetryFix run={run} />
        {live ? (
          <Tool label="Cancel the run" icon={IconPlayerStop} onClick={() => void cancelRun(session, run.id)} />
        ) : (
          <Tool label="Run again with the same input" icon={IconRepeat} onClick={() => void runAgain(session, run)} />
        )}
        <MakeTest run={run} />
        <CloseButton onClick={close} aria-label="Close the run" />
      </header>
      <div className={styles.replay}>
        <Scrubber replay={replay} startedAt={run.startedAt} live={live} nameOf={name} />
      </div>
      <div className={styles.body}>
        {moment === null && <DrawerWaits run={run} nodeId={nodeId} onGone={regain} />}
        {nodeId !== null ? <NodeRunData key={nodeId} id={nodeId} moment={moment} /> : <WholeRun run={run} />}
      </div>
    </section>
  );
}

/** The run's own output, input and log. */
function WholeRun({ run }: { readonly run: ShownExecution }) {
  const { runs, editor } = useSession();
  const logs = useStore(runs.store, (state) => state.logs);
  const draft = useEditorState((state) => state.draft);
  const nodes = useMemo(
    () => allPlaced(draft.nodes, editor.types).map(({ node }) => node),
    [draft.nodes, editor.types],
  );
  const live = isLive(run.status);
  return (
    <Tabs defaultValue="output" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="output">{run.error === undefined ? "Output" : "Error"}</Tabs.Tab>
        <Tabs.Tab value="input">Input</Tabs.Tab>
        <Tabs.Tab value="logs">Logs{logs.length > 0 && ` (${logs.length})`}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="output" pt="xs">
        {run.error !== undefined && <RunFailure error={run.error} />}
        {run.error === undefined && live && <p className={styles.hint}>The output appears when the run ends.</p>}
        {run.error === undefined && !live && <JsonTree value={run.output} path="output" label="Output of the run" />}
        <p className={styles.hint}>Select a node to see its input and output.</p>
      </Tabs.Panel>
      <Tabs.Panel value="input" pt="xs">
        <JsonTree value={run.trigger.data} path="$trigger.body" label="Input of the run" />
      </Tabs.Panel>
      <Tabs.Panel value="logs" pt="xs">
        <LogList entries={logs} run={run} nameOf={(id) => nameOf(nodes, id)} />
      </Tabs.Panel>
    </Tabs>
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

interface DrawerWaitsProps {
  readonly run: ShownExecution;
  readonly nodeId: string | null;
  /** Called when a form may have taken the focus with it. */
  readonly onGone: () => void;
}

/** The forms that the run waits for, and who answered at the selected node. */
function DrawerWaits({ run, nodeId, onGone }: DrawerWaitsProps) {
  const { runs } = useSession();
  const item = useStore(runs.store, (state) => state.item?.iteration ?? null);
  const waits = useRunWaits(run).filter((wait) => {
    if (nodeId === null) return wait.state === "open";
    return wait.nodeId === nodeId && (item === null || `${wait.iteration}.`.startsWith(`${item}.`));
  });
  const forms = waits.map((wait) => `${waitKey(wait)} ${wait.state}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a form appears or is gone
  useEffect(onGone, [forms]);
  if (waits.length === 0) return null;
  return (
    <div className={styles.waits}>
      {waits.map((wait) => (
        <section key={waitKey(wait)} aria-label={`Answer of ${wait.nodeName}`}>
          {wait.state === "open" && <h3 className={styles.nodeName}>{waitTitle(wait, run)}</h3>}
          <Suspense fallback={<Skeleton height={80} radius="md" />}>
            <WaitCard runId={run.id} wait={wait} />
          </Suspense>
        </section>
      ))}
    </div>
  );
}

/** Opens the form that the run waits for, while another node is selected. */
function OpenForm({ run, nodeId }: { readonly run: ShownExecution; readonly nodeId: string | null }) {
  const session = useSession();
  const wait = useRunWaits(run).find(({ state, form }) => state === "open" && form !== null);
  if (wait === undefined || nodeId === null || wait.nodeId === nodeId) return null;
  return (
    <Button size="compact-sm" onClick={() => goToNode(session, wait.nodeId)}>
      Answer “{wait.nodeName}”
    </Button>
  );
}

/** Why a run failed and at which node; a click selects the node. */
function RunFailure({ error }: { readonly error: NonNullable<ShownExecution["error"]> }) {
  const session = useSession();
  const draft = useEditorState((state) => state.draft);
  const nodes = allPlaced(draft.nodes, session.editor.types).map(({ node }) => node);
  const { nodeId, message } = error;
  const isThere = nodeId !== null && nodes.some((node) => node.id === nodeId);
  return (
    <p className={styles.failure}>
      {isThere && (
        <>
          <button type="button" className={styles.jump} onClick={() => goToNode(session, nodeId)}>
            {nameOf(nodes, nodeId)}
          </button>{" "}
          failed:{" "}
        </>
      )}
      {message}
    </p>
  );
}
