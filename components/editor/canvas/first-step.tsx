import { Kbd } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { ViewportPortal } from "@xyflow/react";
import { cardSize } from "#components/canvas/flow-graph.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import styles from "./first-step.module.css";

const gap = 88;

/** Where the first node of an empty flow is to come: beside the trigger. */
export function FirstStep() {
  const editor = useEditor();
  const trigger = triggerPlace(useEditorState((state) => state.draft));
  const { x, y } = { x: trigger.x + cardSize.width + gap, y: trigger.y };
  return (
    <ViewportPortal>
      <button
        type="button"
        className={`${styles.step} nodrag nopan`}
        style={{ transform: `translate(${x}px, ${y}px)`, width: cardSize.width, height: cardSize.head }}
        onClick={({ clientX, clientY }) => editor.askWhatToAdd({ screen: { x: clientX, y: clientY }, at: { x, y } })}
      >
        <IconPlus size={16} aria-hidden="true" />
        Add what comes first
        <Kbd size="xs">A</Kbd>
      </button>
    </ViewportPortal>
  );
}
