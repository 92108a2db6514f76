import type { EditorSession } from "../state/editor-session.ts";

export const actionGroups = ["Edit", "Add", "Arrange", "Run", "View", "Flow"] as const;

/** Something the user can do, described once for buttons, context menus, shortcuts and the command palette. */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly group: (typeof actionGroups)[number];
  /** Like `mod+shift+Z`; `mod` is ⌘ on a Mac, else Ctrl. Only the first one is displayed. */
  readonly shortcuts?: readonly string[];
  /** Whether the shortcuts work in a field, too. */
  readonly whileTyping?: boolean;
  /** Keys handled elsewhere, since the browser turns some into clipboard events: displayed, but not listened to. */
  readonly shownKeys?: string;
  /** Without it, the action is always enabled. */
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

/** An action's keys for display; null if it has none. */
export function keysOf({ shortcuts, shownKeys }: Action, isMac: boolean): string | null {
  const keys = shortcuts?.[0] ?? shownKeys;
  return keys === undefined ? null : shortcutText(keys, isMac);
}

/** A shortcut for display: ⌘⇧Z, or Ctrl ⇧ Z. */
function shortcutText(shortcut: string, isMac: boolean): string {
  const parts = shortcut.split("+").map((part) => {
    const key = part.toLowerCase();
    if (key === "mod") return isMac ? "⌘" : "Ctrl";
    return keys[key] ?? (part.length === 1 ? part.toUpperCase() : part);
  });
  return parts.join(isMac ? "" : " ");
}
