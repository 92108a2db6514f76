import { IconAlertTriangleFilled, IconInfoCircle, IconPinFilled } from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position, useStore } from "@xyflow/react";
import { memo } from "react";
import { CardBadge, CardBranches, CardFace, itemsOf } from "#components/canvas/card-face.tsx";
import { describeAnswer } from "#components/canvas/card-summary.ts";
import { type Card, plainHandleId } from "#components/canvas/flow-graph.ts";
import cardStyles from "#components/canvas/node-card.module.css";
import { curlOf, useCalledMethod } from "#components/editor/curl/curl.ts";
import { useLoadedSampleRun } from "#components/editor/panel/data/use-sample-run.ts";
import { useEditorState } from "#components/editor/state/editor-context.ts";
import { useRunOf } from "#components/editor/state/use-run.ts";
import { asText } from "#components/form/field-spec.ts";
import { CopyButton } from "#components/page/copy-button.tsx";
import { errorHandle } from "#lib/engine/outcome.ts";
import { hasPlainHandle, statusId } from "./canvas-cards.ts";
import styles from "./editor-card.module.css";
import { FarCard } from "./far-view.tsx";

interface CardData extends Record<string, unknown> {
  readonly card: Card;
  readonly problems: number;
  readonly hints: number;
  readonly pinned: boolean;
  /** Handles without a wire, separated by spaces. */
  readonly open: string;
  /** Dragged cards would move into its body if dropped now. */
  readonly takesDrop: boolean;
  /** Zoomed out so far that only the node's kind and status are drawn. */
  readonly far: boolean;
}

export type EditorCardNode = Node<CardData, "card" | "trigger" | "start">;

/**
 * A node on the canvas that can be moved, wired and selected. Clicks are handled by the canvas: a card only displays.
 */
export const EditorCard = memo(function EditorCard({ id, data, selected }: NodeProps<EditorCardNode>) {
  const { card, problems, hints, pinned, open, takesDrop, far } = data;
  const isOpen = (handle: string) => ` ${open} `.includes(` ${handle} `);
  const run = useRunOf(id);
  if (far) return <FarCard id={id} card={card} run={run} isSelected={selected} hasProblem={problems > 0} />;
  return (
    <div
      className={`${cardStyles.card} ${styles.card}`}
      data-family={card.family}
      data-status={run?.status}
      data-selected={selected || undefined}
      data-drop={takesDrop || undefined}
      data-problem={problems > 0 || undefined}
      data-disabled={card.disabled}
    >
      <Handle type="target" position={Position.Left} className={`${cardStyles.handle} ${styles.handle}`} />
      <div className={cardStyles.head} title={card.name}>
        <CardFace card={card} />
      </div>
      {hasPlainHandle(card) && (
        <SourceHandle id={plainHandleId} className={cardStyles.plainHandle} isOpen={isOpen(plainHandleId)} />
      )}
      <CardBranches
        branches={card.branches}
        chosen={run?.handle}
        handle={(branch) => <SourceHandle id={branch} className={cardStyles.handle} isOpen={isOpen(branch)} />}
      />
      {!card.branches.includes(errorHandle) && (
        <SourceHandle id={errorHandle} className={styles.errorHandle} label="error" position={Position.Bottom} />
      )}
      <CardMarks problems={problems} hints={hints} pinned={pinned} />
      {run !== undefined && <CardBadge id={statusId(id)} of={run} duration={run.duration} items={itemsOf(card, run)} />}
    </div>
  );
});

interface SourceHandleProps {
  readonly id: string;
  readonly className: string | undefined;
  readonly label?: string;
  readonly position?: Position;
  /** A handle without a wire, which shows a plus. */
  readonly isOpen?: boolean;
}

function SourceHandle({ id, className = "", label, position = Position.Right, isOpen = false }: SourceHandleProps) {
  return (
    <Handle
      id={id}
      type="source"
      position={position}
      className={`${className} ${styles.handle}`}
      data-open={isOpen || undefined}
    >
      {label !== undefined && <span className={styles.handleLabel}>{label}</span>}
    </Handle>
  );
}

/** "1 problem", "2 problems". */
export function countOfProblems(count: number): string {
  return count === 1 ? "1 problem" : `${count} problems`;
}

/** "1 hint", "2 hints": for advice of the lowest severity. */
function countOfHints(count: number): string {
  return count === 1 ? "1 hint" : `${count} hints`;
}

interface CardMarksProps {
  readonly problems: number;
  /** Shown if there is no problem. */
  readonly hints: number;
  readonly pinned: boolean;
}

/** A card's marks that need attention. */
export function CardMarks({ problems, hints, pinned }: CardMarksProps) {
  if (problems === 0 && hints === 0 && !pinned) return null;
  const words = countOfProblems(problems);
  return (
    <span className={styles.marks}>
      {pinned && (
        <span className={styles.pin} title="The output is pinned">
          <IconPinFilled size={12} aria-hidden="true" />
          <span className="unseen">The output is pinned</span>
        </span>
      )}
      {problems > 0 && (
        <span className={styles.problem} title={words}>
          <IconAlertTriangleFilled size={12} aria-hidden="true" />
          <span className="unseen">{words}</span>
        </span>
      )}
      {problems === 0 && hints > 0 && (
        <span className={styles.hint} title={countOfHints(hints)}>
          <IconInfoCircle size={13} aria-hidden="true" />
          <span className="unseen">{countOfHints(hints)}</span>
        </span>
      )}
    </span>
  );
}

const [targetPx, largestPx] = [24, 60];

/** The size of a card's buttons, in steps, so that they can be hit when the canvas is zoomed out. */
function useTargetPx(): number {
  return useStore(({ transform: [, , zoom] }) => Math.min(largestPx, Math.ceil(targetPx / Math.min(1, zoom) / 4) * 4));
}

/** Where runs start: the trigger with its URL, ready to copy. */
export const TriggerCard = memo(function TriggerCard({
  id,
  data: { card, problems, hints, open, far },
  selected,
}: NodeProps<EditorCardNode>) {
  const url = useEditorState((state) => state.url);
  const { type, config } = useEditorState((state) => state.draft.trigger);
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  const method = asText(config.method) || "POST";
  const called = useCalledMethod();
  const sample = useLoadedSampleRun();
  const sizePx = useTargetPx();
  const copy = useEditorState((state) => state.copy);
  const calls = describeAnswer(status, version, copy !== null);
  const does = copy?.changesTrigger ? "once published" : calls.brief;
  const face = type === "webhook" ? { ...card, summary: `${method} ${does}` } : card;
  if (far) return <FarCard id={id} card={card} run={undefined} isSelected={selected} hasProblem={problems > 0} />;
  return (
    <div
      className={`${cardStyles.card} ${styles.card}`}
      data-family={card.family}
      data-selected={selected || undefined}
      data-problem={problems > 0 || undefined}
    >
      <div className={cardStyles.head} title={type === "webhook" ? calls.whole : undefined}>
        <CardFace card={face} />
      </div>
      <Handle
        id={plainHandleId}
        type="source"
        position={Position.Right}
        data-open={open !== "" || undefined}
        className={`${cardStyles.plainHandle} ${styles.handle}`}
      />
      {type === "webhook" && url !== null && (
        <div className={`${styles.address} nodrag`}>
          <span className={styles.url} title={url}>
            {new URL(url).pathname}
          </span>
          <CopyButton text={url} label="Copy trigger URL" sizePx={sizePx} />
          <CopyButton
            text={curlOf(called, url, sample?.trigger.data)}
            label="Copy as curl"
            icon="terminal"
            sizePx={sizePx}
          />
        </div>
      )}
      <CardMarks problems={problems} hints={hints} pinned={false} />
    </div>
  );
});
