import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { type CanvasGap, canvasOf, withCanvas } from "#components/editor/draft/canvas-settings.ts";
import { focusOnceShown } from "#components/editor/levels/level-actions.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import { triggerSource } from "#lib/engine/flow.ts";
import { PaneHead } from "../panel/pane-head.tsx";
import paneStyles from "../panel/side-pane.module.css";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { openGaps } from "./import-bar.tsx";
import styles from "./import-panel.module.css";

const CredentialForm = lazy(async () => ({
  default: (await import("#components/credentials/credential-form.tsx")).CredentialForm,
}));

/** What is left to fix in an imported workflow: a card for each gap, which opens the node. */
export function ImportPanel() {
  const { editor } = useSession();
  const draft = useEditorState((state) => state.draft);
  const gaps = openGaps(draft, editor.types);
  return (
    <>
      <PaneHead title={gaps.length === 0 ? "Nothing left to fix" : "Imported from n8n"} />
      <div className={paneStyles.body}>
        <p className={paneStyles.muted}>
          {gaps.length === 0
            ? "Run the flow with a sample before it goes live."
            : "What works differently here, or needs something from you. Everything else was converted."}
        </p>
        <ul className={styles.list} aria-label="Gaps">
          {gaps.map((gap) => (
            <GapCard key={`${gap.node} ${gap.reason}`} gap={gap} />
          ))}
        </ul>
      </div>
    </>
  );
}

function GapCard({ gap }: { readonly gap: CanvasGap }) {
  const { editor, view } = useSession();
  const { node, type, reason, nodeId, credential } = gap;
  const [isCreating, setCreating] = useState(false);
  const open = () => {
    if (nodeId === null) return;
    if (nodeId === triggerSource) {
      editor.enter([]);
      editor.select([nodeId]);
    } else if (!editor.reveal(nodeId)) return;
    editor.show("node");
    focusOnceShown(view, nodeId);
  };
  const markFixed = () =>
    editor.changeFlow("Mark as fixed", (draft) => {
      const { imported } = canvasOf(draft);
      const left = (imported?.gaps ?? []).filter((gap) => gap.node !== node || gap.reason !== reason);
      return withCanvas(draft, { imported: left.length === 0 ? null : { from: "n8n", gaps: left } });
    });
  return (
    <li className={styles.card}>
      <h3 className={styles.name}>{node}</h3>
      <p className={styles.type}>{type}</p>
      <p className={styles.reason}>{reason}</p>
      <div className={styles.tools}>
        {credential !== undefined && (
          <GuardedButton size="compact-sm" scope="credentials:write" onClick={() => setCreating(true)}>
            Create credential
          </GuardedButton>
        )}
        {nodeId !== null && (
          <Button size="compact-sm" variant="default" onClick={open} aria-label={`Show the node: ${node}`}>
            Show the node
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={markFixed} aria-label={`Mark as fixed: ${node}`}>
          Mark as fixed
        </Button>
      </div>
      {isCreating && credential !== undefined && (
        <Suspense>
          <CredentialForm
            preset={credential}
            onClose={() => setCreating(false)}
            onSaved={(name) => {
              if (name === credential.name) markFixed();
            }}
          />
        </Suspense>
      )}
    </li>
  );
}
