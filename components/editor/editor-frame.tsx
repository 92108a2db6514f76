import { useDocumentTitle } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { offerCommands } from "#components/palette/palette-door.ts";
import { ContextMenu, type ContextMenuPlace } from "./actions/context-menu.tsx";
import { offeredCommands } from "./actions/offered-commands.tsx";
import { useShortcuts } from "./actions/use-shortcuts.ts";
import { AddMenu } from "./canvas/add-menu.tsx";
import { CanvasTools } from "./canvas/canvas-tools.tsx";
import { ConnectDialog } from "./canvas/connect-dialog.tsx";
import { EditorCanvas } from "./canvas/editor-canvas.tsx";
import { Palette } from "./canvas/palette.tsx";
import styles from "./editor-frame.module.css";
import { EditorHeader } from "./header/editor-header.tsx";
import { LeftDrafts } from "./header/left-drafts.tsx";
import { NoticeList } from "./header/notice-list.tsx";
import { SaveTrouble } from "./header/save-trouble.tsx";
import { SidePane } from "./panel/side-pane.tsx";
import { RunDrawer } from "./run/run-drawer.tsx";
import { useEditorState, useSession } from "./state/editor-context.ts";

/** Where everything of the editor stands: node types, canvas, panel, and what is known of the run below. */
export function EditorFrame() {
  const name = useEditorState((state) => state.draft.name);
  useDocumentTitle(`${name} · Millrace`);
  useShortcuts();
  const [menu, setMenu] = useState<ContextMenuPlace | null>(null);
  const session = useSession();
  useEffect(() => offerCommands(() => offeredCommands(session)), [session]);
  return (
    <div className={styles.editor} data-full-page>
      <EditorHeader />
      <SaveTrouble />
      <LeftDrafts />
      <div className={styles.work}>
        <Palette />
        <div className={styles.middle}>
          <div className={styles.canvas}>
            <EditorCanvas onContextMenu={setMenu} />
            <CanvasTools />
            <NoticeList />
          </div>
          <RunDrawer />
        </div>
        <SidePane />
      </div>
      <AddMenu />
      <ConnectDialog />
      {menu !== null && <ContextMenu place={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
