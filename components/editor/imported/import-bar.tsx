import { Button } from "@mantine/core";
import { useEffect } from "react";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type CanvasGap, canvasOf } from "../draft/canvas-settings.ts";
import barStyles from "../header/publish-bar.module.css";
import { allPlaced } from "../levels/level.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";

/** The URL parameter that opens the report, which is shown first after an import. */
const reportParameter = "report";

/** What is left to fix in an imported flow; nothing once all is fixed. */
export function ImportBar() {
  const { editor } = useSession();
  const count = useEditorState(({ draft }) => openGaps(draft, editor.types).length);
  useEffect(() => {
    const address = new URL(window.location.href);
    if (!address.searchParams.has(reportParameter)) return;
    address.searchParams.delete(reportParameter);
    window.history.replaceState(null, "", address);
    if (canvasOf(editor.draft).imported !== null) editor.show("imported");
  }, [editor]);
  if (count === 0) return null;
  return (
    <section className={barStyles.bar} aria-label="Import from n8n">
      <span className={barStyles.text}>
        <strong>{count === 1 ? "1 thing to fix" : `${count} things to fix`}</strong>
        <span className={barStyles.note}>This flow was imported from n8n.</span>
      </span>
      <Button variant="default" onClick={() => editor.show("imported")}>
        Show the report
      </Button>
    </section>
  );
}

/** What is left to fix in an imported flow. A gap closes with the deletion of its node, and undo opens it again. */
export function openGaps(draft: FlowDraft, types: Parameters<typeof allPlaced>[1]): readonly CanvasGap[] {
  const gaps = canvasOf(draft).imported?.gaps ?? [];
  if (gaps.length === 0) return gaps;
  const known = new Set([triggerSource, ...allPlaced(draft.nodes, types).map(({ node }) => node.id)]);
  return gaps.filter(({ nodeId }) => nodeId === null || known.has(nodeId));
}
