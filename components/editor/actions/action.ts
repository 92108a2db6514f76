import type { EditorSession } from "../state/editor-session.ts";

export const actionGroups = ["Edit", "Add", "Arrange", "Run", "View", "Flow"] as const;

/**
 * Something the user can do, described once: buttons, context menus, shortcuts and the command palette all read it.
 */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly group: (typeof actionGroups)[number];
  /** As `mod+shift+Z`; `mod` is ⌘ on a Mac, else Ctrl. Further ones do the same and are not shown. */
  readonly shortcuts?: readonly string[];
  /** Keys that the browser itself makes a clipboard event of: shown, not listened to. */
  readonly clipboardKeys?: string;
  /** Without it, the action can always be done. */
  readonly enabled?: (session: EditorSession) => boolean;
  readonly run: (session: EditorSession) => void | Promise<void>;
}

export function canRun(action: Action, session: EditorSession): boolean {
  return action.enabled?.(session) ?? true;
}

const keys: Readonly<Record<string, string>> = {
  shift: "⇧",
  alt: "⌥",
  delete: "Del",
  backspace: "⌫",
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  enter: "↵",
  escape: "Esc",
};

/** The keys of an action as people read them; null when it has none. */
export function keysOf({ shortcuts, clipboardKeys }: Action, isMac: boolean): string | null {
  const keys = shortcuts?.[0] ?? clipboardKeys;
  return keys === undefined ? null : shortcutText(keys, isMac);
}

/** A shortcut as people read it: ⌘⇧Z, or Ctrl ⇧ Z. */
function shortcutText(shortcut: string, isMac: boolean): string {
  const parts = shortcut.split("+").map((part) => {
    const key = part.toLowerCase();
    if (key === "mod") return isMac ? "⌘" : "Ctrl";
    return keys[key] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
  return parts.join(isMac ? "" : " ");
}
