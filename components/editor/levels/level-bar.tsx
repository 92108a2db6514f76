import { ActionIcon, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { RunStatus } from "#components/status/run-status.tsx";
import type { FlowNode } from "#lib/engine/flow.ts";
import { useSampleRun } from "../panel/data/use-sample-run.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { loopsOn } from "./level.ts";
import { goToNode } from "./level-actions.ts";
import styles from "./level-bar.module.css";
import { type ItemsOfLoop, useItemsOfLoop, useShownItem } from "./use-items.ts";

/** The path to the loop's body on the canvas, and the item of the run that its cards and previews show. */
export function LevelBar() {
  const isInBody = useEditorState((state) => state.within.length > 0);
  return isInBody ? <Bar /> : null;
}

function Bar() {
  const session = useSession();
  const { editor } = session;
  const draft = useEditorState((state) => state.draft);
  const within = useEditorState((state) => state.within);
  const loops = loopsOn(draft, within, editor.types);
  const [outermost] = loops;
  const dropDepth = useDropDepth();
  return (
    <nav className={styles.bar} aria-label="Level">
      <ol className={styles.path}>
        <li className={styles.step}>
          <button
            type="button"
            className={styles.level}
            dir="auto"
            data-depth={0}
            data-drop={dropDepth === 0 || undefined}
            title={draft.name}
            onClick={() => outermost && goToNode(session, outermost.id)}
          >
            {draft.name}
          </button>
        </li>
        <Steps loops={loops} depth={0} outer={null} />
      </ol>
    </nav>
  );
}

/** The level whose step of the path cards are dragged over, counted from the flow; undefined for none. */
function useDropDepth(): number | undefined {
  return useEditorState(({ dropInto }) => (dropInto !== null && "depth" in dropInto ? dropInto.depth : undefined));
}

interface StepsProps {
  readonly loops: readonly FlowNode[];
  readonly depth: number;
  /** The shown item of the surrounding loop: `3`, or `3.0`. */
  readonly outer: string | null;
}

/** A loop of the path and those within it: the shown item of an inner loop depends on that of the outer one. */
function Steps({ loops, depth, outer }: StepsProps): ReactNode {
  const session = useSession();
  const run = useSampleRun();
  const loop = loops[depth];
  const dropDepth = useDropDepth();
  const items = useItemsOfLoop(run, loop?.id ?? "", outer, depth === 0 || outer !== null);
  if (loop === undefined) return null;
  const isLast = depth === loops.length - 1;
  const next = loops[depth + 1];
  const ownDepth = isLast ? undefined : depth + 1;
  return (
    <>
      <li className={styles.step}>
        <button
          type="button"
          className={styles.level}
          dir="auto"
          data-depth={ownDepth}
          data-drop={(ownDepth !== undefined && dropDepth === ownDepth) || undefined}
          aria-current={isLast ? "location" : undefined}
          title={loop.name}
          onClick={() => next && goToNode(session, next.id)}
        >
          {loop.name}
        </button>
        {items !== null && <ItemPicker loop={loop} items={items} />}
      </li>
      {isLast ? (
        <ShownItem iteration={items?.iteration ?? null} />
      ) : (
        <Steps loops={loops} depth={depth + 1} outer={items?.iteration ?? null} />
      )}
    </>
  );
}

/** Keeps the values of the innermost loop's item in step with the choice. */
function ShownItem({ iteration }: { readonly iteration: string | null }): null {
  useShownItem(iteration);
  return null;
}

interface ItemPickerProps {
  readonly loop: FlowNode;
  readonly items: ItemsOfLoop;
}

/** Selects the shown item of a loop: by number, counted from 0 as in `$index`, or the next that failed. */
function ItemPicker({ loop, items }: ItemPickerProps) {
  const { runs } = useSession();
  const { index, total, item, hasOtherFailed, findNextFailed } = items;
  const [typed, setTyped] = useState<string | null>(null);
  const choose = (to: number) => runs.chooseItem(loop.id, Math.max(0, Math.min(total - 1, to)));
  const take = () => {
    const index = Number.parseInt(typed ?? "", 10);
    if (Number.isSafeInteger(index)) choose(index);
    setTyped(null);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand within the list's line
    <span className={styles.items} role="group" aria-label={`Item of ${loop.name}`}>
      <Step label="Previous item" icon={IconChevronLeft} onClick={() => choose(index - 1)} disabled={index <= 0} />
      <span className={styles.of}>Item</span>
      <input
        className={styles.number}
        aria-label={`Item of ${loop.name} to show, from 0 to ${total - 1}`}
        inputMode="numeric"
        value={typed ?? index}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") take();
          if (event.key === "Escape") setTyped(null);
        }}
      />
      <span className={styles.of}>· {total === 1 ? "1 item" : `${total} items`}</span>
      {item !== null && <RunStatus {...item} />}
      <Step label="Next item" icon={IconChevronRight} onClick={() => choose(index + 1)} disabled={index >= total - 1} />
      {hasOtherFailed && (
        <Step
          label="Next failed item"
          icon={IconAlertTriangle}
          // On failure, the shown item stays.
          onClick={() =>
            void findNextFailed().then(
              (found) => found !== null && choose(found),
              () => null,
            )
          }
          disabled={false}
        />
      )}
    </span>
  );
}

interface StepProps {
  readonly label: string;
  readonly icon: typeof IconChevronLeft;
  readonly onClick: () => void;
  readonly disabled: boolean;
}

function Step({ label, icon: Icon, onClick, disabled }: StepProps) {
  return (
    <Tooltip label={label} position="bottom">
      <ActionIcon variant="subtle" size={22} aria-label={label} onClick={onClick} disabled={disabled}>
        <Icon size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
