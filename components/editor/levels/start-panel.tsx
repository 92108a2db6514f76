import { Button } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { CardFace } from "#components/canvas/card-face.tsx";
import { plainHandleId } from "#components/canvas/flow-graph.ts";
import cardStyles from "#components/canvas/node-card.module.css";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { JsonTree } from "#components/json/json-tree.tsx";
import editorCardStyles from "../canvas/editor-card.module.css";
import type { EditorCardNode } from "../canvas/editor-card.tsx";
import { FarCard } from "../canvas/far-view.tsx";
import { PaneHead } from "../panel/pane-head.tsx";
import styles from "../panel/side-pane.module.css";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { loopsOn } from "./level.ts";
import { goToNode } from "./level-actions.ts";
import { useItemValues } from "./use-item-values.ts";

/** The input of a loop's body: the shown item, and a link to the loop's settings. */
export function StartPanel() {
  const session = useSession();
  const { types } = session.editor;
  const draft = useEditorState((state) => state.draft);
  const within = useEditorState((state) => state.within);
  const loop = loopsOn(draft, within, types).at(-1);
  const item = useItemValues().at(-1);
  if (loop === undefined) return null;
  const type = types.find((candidate) => candidate.type === loop.type);
  return (
    <>
      <PaneHead
        icon={<NodeTile icon={type?.iconPath ?? ""} family={type?.family ?? "logic"} />}
        title="Each item"
        facts={<span>{loop.name}</span>}
      />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start" }}>
        <p className={styles.muted}>
          The nodes here run once for each item. They read it as <code>$item</code>, and its position, from 0, as{" "}
          <code>$index</code>.
        </p>
        <Button
          variant="default"
          leftSection={<IconSettings size={15} aria-hidden="true" />}
          onClick={() => goToNode(session, loop.id)}
        >
          Loop settings
        </Button>
        {item?.value !== undefined && (
          <section>
            <h3 className={styles.source}>Item {item.index}</h3>
            <JsonTree value={item.value} path="$item" label="Item data" />
          </section>
        )}
      </div>
    </>
  );
}

/** The start of a loop's body, in place of a trigger: once per item. */
export const StartCard = memo(function StartCard({ id, data, selected }: NodeProps<EditorCardNode>) {
  const { card, far, open } = data;
  if (far) return <FarCard id={id} card={card} run={undefined} isSelected={selected} hasProblem={false} />;
  return (
    <div className={`${cardStyles.card} ${editorCardStyles.card}`} data-selected={selected || undefined}>
      <div className={cardStyles.head} title={card.summary}>
        <CardFace card={card} />
      </div>
      <Handle
        id={plainHandleId}
        type="source"
        position={Position.Right}
        data-open={open || undefined}
        className={`${cardStyles.plainHandle} ${editorCardStyles.handle}`}
      />
    </div>
  );
});
