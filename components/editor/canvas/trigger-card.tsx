import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { CardFace } from "#components/canvas/card-face.tsx";
import { whatCallsGet } from "#components/canvas/card-summary.ts";
import { plainHandleId } from "#components/canvas/flow-graph.ts";
import cardStyles from "#components/canvas/node-card.module.css";
import { asText } from "#components/form/as-text.ts";
import { CopyButton } from "#components/page/copy-button.tsx";
import { curlOf } from "../panel/curl-of.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { CardMarks } from "./card-marks.tsx";
import styles from "./editor-card.module.css";
import type { EditorCardNode } from "./editor-card.tsx";
import { FarCard } from "./far-card.tsx";

/** Where runs begin: with the address that starts one, ready to be copied. */
export const TriggerCard = memo(function TriggerCard({
  id,
  data: { card, problems, far },
  selected,
}: NodeProps<EditorCardNode>) {
  const { url } = useSession();
  const { type, config } = useEditorState((state) => state.draft.trigger);
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  const method = asText(config.method) || "POST";
  const calls = whatCallsGet(status, version);
  const face = type === "webhook" ? { ...card, summary: `${method} ${calls.brief}` } : card;
  if (far) return <FarCard id={id} card={card} status={undefined} isSelected={selected} hasProblem={problems > 0} />;
  return (
    <div
      className={`${cardStyles.card} ${styles.card}`}
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
        className={`${cardStyles.plainHandle} ${styles.handle}`}
      />
      {type === "webhook" && url !== null && (
        <div className={`${styles.address} nodrag`}>
          <span className={styles.url} title={url}>
            {new URL(url).pathname}
          </span>
          <CopyButton text={url} label="Copy the trigger URL" />
          <CopyButton text={curlOf(method, url, {})} label="Copy a curl command" icon="terminal" />
        </div>
      )}
      <CardMarks problems={problems} pinned={false} />
    </div>
  );
});
