import { Switch } from "@mantine/core";
import { IconAlertTriangle, IconCloudCheck, IconCloudOff, IconLoader2 } from "@tabler/icons-react";
import { useState } from "react";
import { setStatus } from "#components/editor/actions/set-status.ts";
import { changeDetails } from "#components/editor/commands/change.ts";
import { EditorPeople } from "#components/editor/presence/editor-presence.tsx";
import { RunButton } from "#components/editor/run/run-button.tsx";
import { useEditor, useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { SaveState } from "#components/editor/state/save-state.ts";
import { StarButton } from "#components/flows/star-button.tsx";
import { FlowTabBar } from "#components/flows/tabs/flow-tab-bar.tsx";
import { Link } from "#components/page/link.tsx";
import { type FlowStatus, flowLimits } from "#lib/engine/flow.ts";
import styles from "./editor-header.module.css";
import { FlowMenu } from "./flow-menu.tsx";
import { useShownSave } from "./use-shown-save.ts";

const words: Record<SaveState["kind"], { readonly text: string; readonly icon: typeof IconCloudCheck }> = {
  saved: { text: "Saved", icon: IconCloudCheck },
  waiting: { text: "Saving", icon: IconLoader2 },
  saving: { text: "Saving", icon: IconLoader2 },
  offline: { text: "Kept in this browser", icon: IconCloudOff },
  "signed-out": { text: "Kept in this browser", icon: IconCloudOff },
  refused: { text: "Not saved", icon: IconAlertTriangle },
  forbidden: { text: "Not saved", icon: IconAlertTriangle },
  conflict: { text: "Not saved", icon: IconAlertTriangle },
  gone: { text: "Deleted elsewhere", icon: IconAlertTriangle },
};

const notKept = { text: "Not saved", icon: IconAlertTriangle };

/** Whether the edits are saved. */
function SaveMark() {
  const save = useShownSave();
  const { kind } = save;
  const { text, icon: Icon } = "kept" in save && !save.kept ? notKept : words[kind];
  return (
    <span className={styles.save} data-kind={kind} role="status" aria-label={`Changes: ${text}`}>
      <Icon size={14} aria-hidden="true" />
      <span className={styles.saveText}>{text}</span>
    </span>
  );
}

const meanings: Record<FlowStatus, string> = {
  draft: "Not live yet. Calls run what was saved last; schedules do not start it.",
  active: "Live: calls and schedules run the published version.",
  inactive: "Off: calls are refused, and schedules do not start it.",
};

const copiedDraft = "Not live yet. Calls run the published version; schedules do not start it.";

/** Whether the flow is live, and the one place to change that. */
function LiveSwitch() {
  const session = useSession();
  const status = useEditorState((state) => state.status);
  const isCopied = useEditorState((state) => state.copy !== null);
  const [isChanging, setIsChanging] = useState(false);
  const change = async (isLive: boolean) => {
    setIsChanging(true);
    await setStatus(session, isLive ? "active" : "inactive");
    setIsChanging(false);
  };
  return (
    <Switch
      label="Live"
      labelPosition="left"
      checked={status === "active"}
      // Not disabled meanwhile: that would take the focus from it.
      aria-busy={isChanging || undefined}
      wrapperProps={{ title: status === "draft" && isCopied ? copiedDraft : meanings[status] }}
      onChange={(event) => isChanging || void change(event.currentTarget.checked)}
    />
  );
}

/** The flow's name, whether it is saved and live, and the run button. */
export function EditorHeader({ isFavorite }: { readonly isFavorite: boolean }) {
  const { flowId } = useEditor();
  const name = useEditorState((state) => state.draft.name);
  const version = useEditorState((state) => state.version);
  return (
    <header className={styles.header}>
      <Link href="/flows" className={styles.parent}>
        Flows
      </Link>
      <span className={styles.slash} aria-hidden="true">
        /
      </span>
      <NameField />
      <StarButton id={flowId} name={name} isFavorite={isFavorite} />
      <span className={styles.version}>v{version}</span>
      <SaveMark />
      <Tabs />
      <div className={styles.actions}>
        <EditorPeople />
        <LiveSwitch />
        <FlowMenu />
        <RunButton />
      </div>
    </header>
  );
}

/** The flow's tabs; the editor's returns to the node that was open. */
function Tabs() {
  const { flowId } = useEditor();
  const nodes = useEditorState((state) => state.selection.nodes);
  const [openNode = null] = nodes.size === 1 ? nodes : [];
  return (
    <div className={styles.tabs}>
      <FlowTabBar flowId={flowId} openNode={openNode} />
    </div>
  );
}

/** The flow's name, edited in place. */
function NameField() {
  const editor = useEditor();
  const name = useEditorState((state) => state.draft.name);
  return (
    <>
      <h1 className="unseen">{name}</h1>
      <input
        className={styles.name}
        dir="auto"
        value={name}
        maxLength={flowLimits.nameCharactersMax}
        aria-label="Flow name"
        title={name}
        onChange={(event) => {
          const { value } = event.currentTarget;
          editor.change("Rename the flow", changeDetails({ name: value }), "flow name");
        }}
        onBlur={() => {
          if (editor.draft.name.trim() === "")
            editor.change("Rename the flow", changeDetails({ name: "Untitled" }), "flow name");
          editor.endGesture();
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </>
  );
}
