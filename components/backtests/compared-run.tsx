import { SegmentedControl, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { CardMark } from "#components/canvas/canvas-state.ts";
import FlowCanvas from "#components/canvas/flow-canvas.tsx";
import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { differingValues } from "#components/executions/compare/compared-value.tsx";
import { JsonTree } from "#components/json/json-tree.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import type { shownDefinition } from "#components/tests/test-runs.ts";
import type { BacktestSide, ComparedRun as BothOutcomes } from "#lib/contract/flows/backtests.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { backtestQueries } from "./backtest-queries.ts";
import styles from "./backtests.module.css";
import { outcomesOf } from "./outcomes-of.ts";

interface ComparedRunProps {
  readonly backtestKey: { readonly flowId: string; readonly backtestId: string };
  readonly executionId: string;
  readonly definition: ReturnType<typeof shownDefinition>;
}

/** A run as recorded and as the canvas's flow would run it: on the canvas, and as values side by side. */
export function ComparedRun({ backtestKey, executionId, definition }: ComparedRunProps) {
  const { api } = useSession();
  const read = useQuery(backtestQueries.run(api, backtestKey, executionId));
  if (read.data !== undefined) return <Outcomes run={read.data} definition={definition} />;
  if (!read.isError) return <Skeleton height={480} />;
  return <FailureNotice title="The run could not be compared" error={read.error} onRetry={() => void read.refetch()} />;
}

type Side = "before" | "after";

function Outcomes({
  run,
  definition,
}: {
  readonly run: BothOutcomes;
  readonly definition: ComparedRunProps["definition"];
}) {
  const { editor } = useSession();
  const trigger = useEditorState((state) => state.draft.trigger);
  const [side, setSide] = useState<Side>("after");
  const [chosen, setChosen] = useState<string | null>(null);
  const differing = useMemo(() => differingNodes(run), [run]);
  const nodeId = chosen ?? run.first?.nodeId ?? [...differing.keys()][0] ?? null;
  const flow = useMemo(() => ({ trigger, ...definition }), [trigger, definition]);
  const { runs, unknown } = useMemo(
    () => outcomesOf(run.nodes, side, flow, editor.types),
    [run, side, flow, editor.types],
  );
  const node = run.nodes.find((candidate) => candidate.nodeId === nodeId);
  return (
    <div className={styles.compared}>
      <div className={styles.head}>
        <SegmentedControl
          size="xs"
          value={side}
          onChange={(value) => setSide(value === "before" ? "before" : "after")}
          data={[
            { value: "before", label: `Before: ${run.before.status}` },
            { value: "after", label: `Now: ${run.after.status}` },
          ]}
          aria-label="Outcome on the canvas"
        />
        <Link href={`/runs/${run.executionId}`} target="_blank" className={styles.link}>
          Open the run
        </Link>
      </div>
      <div className={styles.picture}>
        <FlowCanvas
          flow={flow}
          types={editor.types}
          selectedId={nodeId}
          onSelect={(id) => id !== null && setChosen(id)}
          runs={runs}
          unknown={unknown}
          marks={differing}
          focusId={nodeId}
        />
      </div>
      {node !== undefined && nodeId !== null ? (
        <ComparedSides key={nodeId} nodeId={nodeId} before={node.before} after={node.after} />
      ) : (
        <p className={styles.note}>
          {run.verdict === "same"
            ? "Nothing differs. Choose a node to see its values."
            : "Choose a node to see its values."}
        </p>
      )}
    </div>
  );
}

/** The nodes whose outcomes differ. */
function differingNodes({ nodes }: BothOutcomes): ReadonlyMap<string, CardMark> {
  return new Map(
    nodes.flatMap(({ nodeId, before, after }) => {
      if (isDeepEqual(before, after)) return [];
      return [[nodeId, before === null ? "added" : after === null ? "removed" : "changed"] as const];
    }),
  );
}

interface ComparedSidesProps {
  readonly nodeId: string;
  /** Null if the node is not in that flow. */
  readonly before: BacktestSide | null;
  readonly after: BacktestSide | null;
}

const shownMax = 20;

/** A node's output and requests before and now: the differences, then everything. */
function ComparedSides({ nodeId, before, after }: ComparedSidesProps) {
  const nodes = useEditorState((state) => state.draft.nodes);
  const name = nameOf(nodes, nodeId);
  const differences = differingValues(shownSide(before), shownSide(after), "", shownMax + 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.sides} aria-label={`${name}: before and now`} tabIndex={0}>
      <h3>{name}</h3>
      <p className={styles.paths}>
        {differences.length === 0
          ? "Nothing differs here."
          : `Differs in ${differences
              .slice(0, shownMax)
              .map(({ path }) => path.replace(/^\./, "") || "its outcome")
              .join(", ")}${differences.length > shownMax ? " and more" : ""}.`}
      </p>
      <div className={styles.pair}>
        <ShownSide title="Before" side={before} />
        <ShownSide title="Now" side={after} />
      </div>
    </section>
  );
}

function ShownSide({ title, side }: { readonly title: string; readonly side: BacktestSide | null }) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      {side === null ? (
        <p className={styles.note}>The node is not in this version of the flow.</p>
      ) : side.status === "unknown" ? (
        <>
          <p className={styles.note}>Unknown: no recorded answer fits what it would send or read.</p>
          {side.request != null && <JsonTree value={side.request} path="request" label={`${title}: request`} />}
        </>
      ) : (
        <JsonTree value={shownSide(side)} path="node" label={title} />
      )}
    </section>
  );
}

/** A side without its missing fields. */
function shownSide(side: BacktestSide | null) {
  if (side === null) return {};
  const { status, output, request, error } = side;
  return { status, output, ...(request != null && { request }), ...(error !== null && { error }) };
}
