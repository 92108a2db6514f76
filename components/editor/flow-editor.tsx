"use client";
import { useDocumentTitle } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Suspense, useEffect, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { saveBeforeSignOut } from "#components/auth/sign-out.tsx";
import { noteSave, type ReadFlow, readFlow } from "#components/flows/read-flow.ts";
import { type FlowTab, useFlowTab } from "#components/flows/tabs/flow-tab-bar.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { offerCommands, showKeysBy } from "#components/palette/palette-loader.ts";
import { Presence } from "#components/presence/presence.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { ShownDraft } from "#lib/contract/flows/working-copy.ts";
import { ContextMenu, type ContextMenuPlace } from "./actions/context-menu.tsx";
import { KeysDialog } from "./actions/keys-dialog.tsx";
import { offeredCommands } from "./actions/offered-commands.tsx";
import { useShortcuts } from "./actions/use-shortcuts.ts";
import { AddMenu } from "./canvas/add-menu.tsx";
import { CanvasTools } from "./canvas/canvas-tools.tsx";
import { ConnectDialog } from "./canvas/connect-dialog.tsx";
import { EditorCanvas } from "./canvas/editor-canvas.tsx";
import { Palette } from "./canvas/palette.tsx";
import { placeDraft } from "./draft/place-draft.ts";
import styles from "./editor-frame.module.css";
import { EditorHeader } from "./header/editor-header.tsx";
import { NoticeList } from "./header/notice-list.tsx";
import { PublishBar } from "./header/publish-bar.tsx";
import { RecoveredDrafts } from "./header/recovered-drafts.tsx";
import { SaveTrouble } from "./header/save-trouble.tsx";
import { ImportBar } from "./imported/import-bar.tsx";
import { LevelBar } from "./levels/level-bar.tsx";
import { MoveDialog } from "./levels/move-dialog.tsx";
import { SidePane } from "./panel/side-pane.tsx";
import { preloadWhenIdle } from "./preload.ts";
import { PresenceBinding } from "./presence/editor-presence.tsx";
import { RunDrawer } from "./run/run-drawer.tsx";
import { EditorContext, useEditorState, useSession } from "./state/editor-context.ts";
import { closeSession, openSession } from "./state/editor-session.ts";
import { followAddress } from "./state/node-address.ts";
import { saveAtOnce } from "./state/save-state.ts";
import { openServerFlow } from "./state/server-flow.ts";
import { TabPage } from "./tab-page.tsx";

const BacktestDialog = lazyPart(async () => ({
  default: (await import("#components/backtests/backtest-dialog.tsx")).BacktestDialog,
}));

interface FlowEditorProps {
  readonly flow: ReadFlow;
  /** Its unpublished changes; null for none. */
  readonly copy: ShownDraft | null;
  readonly types: readonly NodeType[];
}

/** The editor of one flow. Once opened, the page's own state is authoritative. */
export default function FlowEditor({ flow, copy, types }: FlowEditorProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [session] = useState(() => {
    const { id, status } = flow;
    const { draft: stored, ...stamp } = openServerFlow(flow, copy, types);
    const opened = { id, status, ...stamp, draft: placeDraft(stored, types) };
    return openSession(api, { flow: opened, stored, types });
  });
  useEffect(() => {
    const { autosave } = session;
    const leave = (event: BeforeUnloadEvent) => {
      if (!autosave.isUnsaved) return;
      // Kept in the browser for those who leave anyway.
      autosave.keep();
      event.preventDefault();
    };
    const comeBack = () => {
      if (document.visibilityState === "visible") void autosave.refresh();
      else autosave.keep();
    };
    const online = () => void autosave.flush();
    const leaveAddress = followAddress(session);
    const stayOpen = saveBeforeSignOut({ save: () => saveAtOnce(session), abandon: () => autosave.abandon() });
    autosave.start();
    session.problems.start();
    window.addEventListener("beforeunload", leave);
    window.addEventListener("focus", comeBack);
    document.addEventListener("visibilitychange", comeBack);
    window.addEventListener("online", online);
    return () => {
      leaveAddress();
      stayOpen();
      window.removeEventListener("beforeunload", leave);
      window.removeEventListener("focus", comeBack);
      document.removeEventListener("visibilitychange", comeBack);
      window.removeEventListener("online", online);
      // Navigating to another page of the app loses nothing.
      noteSave(flow.id, autosave.flush());
      void queries.invalidateQueries({ queryKey: readFlow(api, flow.id).queryKey });
      closeSession(session);
    };
  }, [session, api, queries, flow.id]);
  return (
    <EditorContext value={session}>
      <Presence flowId={flow.id}>
        <PresenceBinding />
        <EditorFrame isFavorite={flow.favorite === true} />
      </Presence>
    </EditorContext>
  );
}

/** Switches from another tab to the editor when something opens there: a panel beside the canvas, or a run below it. */
function useWayBack(tab: FlowTab): void {
  const { editor, runs } = useSession();
  const router = useRouter();
  useEffect(() => {
    if (tab === "editor") return undefined;
    const goBack = () => router.push(`/flows/${editor.flowId}`);
    const leavePanels = editor.store.subscribe(({ side }, before) => {
      if (side !== before.side && side !== "node") goBack();
    });
    const leaveRuns = runs.store.subscribe(({ run }, before) => {
      if (tab !== "runs" && run !== null && run.id !== before.run?.id) goBack();
    });
    return () => {
      leavePanels();
      leaveRuns();
    };
  }, [tab, editor, runs, router]);
}

/** The layout of the editor: node types, canvas, panel, and the run below. */
export function EditorFrame({ isFavorite }: { readonly isFavorite: boolean }) {
  const name = useEditorState((state) => state.draft.name);
  useDocumentTitle(`${name} · Millrace`);
  const isBacktesting = useEditorState((state) => state.isBacktesting);
  const tab = useFlowTab();
  const isEditing = tab === "editor";
  useShortcuts(isEditing);
  const [menu, setMenu] = useState<ContextMenuPlace | null>(null);
  const session = useSession();
  useEffect(() => (isEditing ? offerCommands(() => offeredCommands(session)) : undefined), [session, isEditing]);
  useEffect(() => {
    if (isEditing) return showKeysBy(() => session.editor.store.setState({ isShowingKeys: true }));
  }, [session, isEditing]);
  useWayBack(tab);
  useEffect(preloadWhenIdle, []);
  return (
    <div className={styles.editor} data-full-page>
      <EditorHeader isFavorite={isFavorite} />
      <SaveTrouble />
      <ImportBar />
      <RecoveredDrafts />
      <div className={styles.tabs}>
        <div className={styles.work} inert={!isEditing}>
          <Palette />
          <div className={styles.middle}>
            <div className={styles.canvas}>
              <EditorCanvas onContextMenu={setMenu} />
              <LevelBar />
              <CanvasTools />
              {isEditing && <NoticeList />}
            </div>
            <RunDrawer />
          </div>
          <SidePane />
        </div>
        {!isEditing && <TabPage tab={tab} />}
      </div>
      {/* At the bottom, so that the field that makes the first change stays where it is. */}
      <PublishBar />
      <AddMenu />
      <ConnectDialog />
      <MoveDialog />
      <KeysDialog />
      {isBacktesting && (
        <Suspense>
          <BacktestDialog onClose={() => session.editor.store.setState({ isBacktesting: false })} />
        </Suspense>
      )}
      {menu !== null && <ContextMenu place={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
