import { ActionIcon, Tooltip } from "@mantine/core";
import { useStore } from "zustand";
import { useSession } from "#components/editor/state/editor-context.ts";
import { isMac } from "#components/palette/palette-loader.ts";
import { type Action, canRun, keysOf } from "./action.ts";
import { actionIcons } from "./action-icons.ts";
import styles from "./action-keys.module.css";
import { actionOf } from "./all-actions.ts";

/** An action as an icon button; its name and shortcut are in the tooltip. */
export function ActionButton({ id }: { readonly id: string }) {
  const session = useSession();
  const action = actionOf(id);
  const enabled = useStore(session.editor.store, () => canRun(action, session));
  const Icon = actionIcons[id];
  const keys = keysOf(action, isMac());
  const words = keys === null ? action.label : `${action.label} · ${keys}`;
  return (
    <Tooltip label={words} position="top">
      <ActionIcon
        variant="subtle"
        size={28}
        aria-label={action.label}
        aria-disabled={!enabled || undefined}
        {...(!enabled && { "data-disabled": true })}
        onClick={() => {
          if (canRun(action, session)) void action.run(session);
        }}
      >
        {Icon && <Icon size={16} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** An action's keys in a menu; nothing if it has none. */
export function ActionKeys({ action }: { readonly action: Action }) {
  const keys = keysOf(action, isMac());
  return keys === null ? null : <kbd className={styles.keys}>{keys}</kbd>;
}
