import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState } from "#components/editor/state/editor-context.ts";
import { differingValues } from "#components/executions/compare/compared-value.tsx";
import { JsonTree } from "#components/json/json-tree.tsx";
import type { BacktestSide } from "#lib/contract/flows/backtests.ts";
import styles from "./backtests.module.css";

interface ComparedSidesProps {
  readonly nodeId: string;
  /** Null where the node is not in that flow. */
  readonly before: BacktestSide | null;
  readonly after: BacktestSide | null;
}

const shownMax = 20;

/** What a node made and sent, before and now: where they differ, and whole. */
export function ComparedSides({ nodeId, before, after }: ComparedSidesProps) {
  const nodes = useEditorState((state) => state.draft.nodes);
  const name = nameOf(nodes, nodeId);
  const differences = differingValues(toldOf(before), toldOf(after), "", shownMax + 1);
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
        <Side title="Before" side={before} />
        <Side title="Now" side={after} />
      </div>
    </section>
  );
}

function Side({ title, side }: { readonly title: string; readonly side: BacktestSide | null }) {
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
        <JsonTree value={toldOf(side)} path="node" label={title} />
      )}
    </section>
  );
}

/** A side without what it does not have. */
function toldOf(side: BacktestSide | null) {
  if (side === null) return {};
  const { status, output, request, error } = side;
  return { status, output, ...(request != null && { request }), ...(error !== null && { error }) };
}
