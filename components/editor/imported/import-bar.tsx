import { Button } from "@mantine/core";
import { useEffect } from "react";
import { canvasOf } from "#components/editor/draft/canvas-settings.ts";
import barStyles from "../header/publish-bar.module.css";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { openGaps } from "./open-gaps.ts";

/** The URL parameter that opens the report, which is shown first after an import. */
export const reportParameter = "report";

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
