import { Button, Menu } from "@mantine/core";
import { IconAlertTriangle, IconChevronDown, IconCloudCheck, IconCloudOff, IconLoader2 } from "@tabler/icons-react";
import Link from "next/link";
import { setStatus } from "#components/editor/actions/set-status.ts";
import { changeDetails } from "#components/editor/commands/change.ts";
import { RunButton } from "#components/editor/run/run-button.tsx";
import { useEditor, useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { SaveState } from "#components/editor/state/save-state.ts";
import { FlowStatusBadge } from "#components/status/status-marks.tsx";
import { type FlowStatus, flowLimits, flowStatuses } from "#lib/engine/flow.ts";
import styles from "./editor-header.module.css";
import { FlowMenu } from "./flow-menu.tsx";
import statusControlStyles from "./status-control.module.css";

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
  const save = useEditorState((state) => state.save);
  const { kind } = save;
  const { text, icon: Icon } = "kept" in save && !save.kept ? notKept : words[kind];
  return (
    <span className={styles.save} data-kind={kind} role="status" aria-label={`Changes: ${text}`}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  );
}

const meanings: Record<FlowStatus, string> = {
  draft: "Work in progress. Calls run the last saved version.",
  active: "Live. Its trigger starts runs.",
  inactive: "Off. Calls are refused.",
};

/** Whether the flow is live, and the only place to change that. */
function StatusControl() {
  const session = useSession();
  const status = useEditorState((state) => state.status);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          aria-label={`Status: ${status}. Change it`}
        >
          <FlowStatusBadge status={status} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {flowStatuses.map((other) => (
          <Menu.Item key={other} disabled={other === status} onClick={() => void setStatus(session, other)}>
            <FlowStatusBadge status={other} />
            <span className={statusControlStyles.meaning}>{meanings[other]}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The flow's name, whether it is saved and live, and the run button. */
export function EditorHeader() {
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
      <span className={styles.version}>v{version}</span>
      <SaveMark />
      <div className={styles.actions}>
        <StatusControl />
        <FlowMenu />
        <RunButton />
      </div>
    </header>
  );
}

/** The flow's name, edited in place. */
function NameField() {
  const editor = useEditor();
  const name = useEditorState((state) => state.draft.name);
  return (
    <>
      <h1 className={styles.hidden}>{name}</h1>
      <input
        className={styles.name}
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
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </>
  );
}
