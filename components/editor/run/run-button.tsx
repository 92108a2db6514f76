import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconAntenna, IconChevronDown, IconForms, IconPlayerPlay } from "@tabler/icons-react";
import { useStore } from "zustand";
import styles from "../header/editor-header.module.css";
import { useEditor, useEditorState, useSession } from "../state/editor-context.ts";
import { RunDialog } from "./run-dialog.tsx";

/** Runs the flow: with an input that is asked for, or by waiting for the next call of its trigger. */
export function RunButton() {
  const editor = useEditor();
  const { runs } = useSession();
  const isAsking = useEditorState((state) => state.askingForInput);
  const isListening = useStore(runs.store, (state) => state.listening);
  const ask = () => editor.store.setState({ askingForInput: { untilNode: null } });
  return (
    <div className={styles.split}>
      {isListening ? (
        <Button variant="default" onClick={() => runs.clear()}>
          Stop listening
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay size={16} aria-hidden="true" />} onClick={ask}>
          Run
        </Button>
      )}
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <ActionIcon variant="filled" size={32} aria-label="Other ways to run">
            <IconChevronDown size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconForms size={16} />} onClick={ask}>
            Run with an input
          </Menu.Item>
          <Menu.Item leftSection={<IconAntenna size={16} />} onClick={() => void runs.listen()}>
            Listen for the next call
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isAsking && (
        <RunDialog onClose={() => editor.store.setState({ askingForInput: null })} untilNode={isAsking.untilNode} />
      )}
    </div>
  );
}
