import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { useEffect } from "react";
import { copyNodes } from "#components/editor/commands/paste.ts";
import { useSession } from "../state/editor-context.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { type Action, canRun } from "./action.ts";
import { allActions } from "./all-actions.ts";
import { removeSelected } from "./edit-actions.ts";
import { pasteText } from "./paste-text.ts";

/** All actions' shortcuts, and clipboard events. Few work in a text field, none in a dialog or another tab. */
export function useShortcuts(isOn: boolean): void {
  const session = useSession();
  const hotkeys = (actions: readonly Action[]) =>
    (isOn ? actions : []).flatMap((action) =>
      (action.shortcuts ?? []).map((shortcut): HotkeyItem => {
        const run = (event: KeyboardEvent) => {
          if (isInDialog(event.target) || isOfControl(event)) return;
          const isOff = !canRun(action, session);
          // Escape clears the selection, and then leaves the card.
          if (isOff && (shortcut === "Escape" || !canRunOnFocused(action, session))) return;
          event.preventDefault();
          void action.run(session);
        };
        return [shortcut, run, { preventDefault: false }];
      }),
    );
  useHotkeys(hotkeys(allActions.filter(({ whileTyping }) => whileTyping !== true)));
  useHotkeys(hotkeys(allActions.filter(({ whileTyping }) => whileTyping === true)), [], true);
  useEffect(() => {
    if (!isOn) return undefined;
    const copy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || window.getSelection()?.isCollapsed === false) return;
      if (isBare(session)) selectFocused(session);
      const text = copyNodes(session.editor.level, session.editor.selection.nodes, session.editor.types);
      if (text === null) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut") removeSelected(session, "Cut");
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (isTyping(event.target) || text === "") return;
      event.preventDefault();
      pasteText(session, text);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("cut", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", copy);
      document.removeEventListener("paste", paste);
    };
  }, [session, isOn]);
}

/** Whether an action can run once the focused card is selected: it stays selected only then. */
function canRunOnFocused(action: Action, session: EditorSession): boolean {
  if (!isBare(session) || !selectFocused(session)) return false;
  if (canRun(action, session)) return true;
  session.editor.select([]);
  return false;
}

const isBare = ({ editor: { selection } }: EditorSession) => selection.nodes.size + selection.edges.size === 0;

/** Selects the focused card, for instance one reached with Tab or kept after Escape. */
function selectFocused({ editor, view }: EditorSession): boolean {
  const focused = view.port?.focused() ?? null;
  if (focused === null) return false;
  editor.select([focused]);
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || isInDialog(target))
  );
}

/** Whether a focused control has the key itself: Enter presses it, arrows go along its tabs or its list. */
function isOfControl({ key, target }: KeyboardEvent): boolean {
  const keepers =
    key === "Enter"
      ? "button, a[href], summary"
      : key.startsWith("Arrow")
        ? "[role=tab], [aria-orientation=vertical]"
        : null;
  return keepers !== null && target instanceof Element && target.closest(keepers) !== null;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=menu], [role=listbox]") !== null;
}
