import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { useEffect } from "react";
import { copyNodes } from "#components/editor/commands/paste.ts";
import { useSession } from "../state/editor-context.ts";
import { canRun } from "./action.ts";
import { allActions } from "./all-actions.ts";
import { removeSelected } from "./edit-actions.ts";
import { pasteText } from "./paste-text.ts";

/** All actions' shortcuts, and clipboard events; not while the user types, a dialog or another tab is open. */
export function useShortcuts(isOn: boolean): void {
  const session = useSession();
  useHotkeys(
    (isOn ? allActions : []).flatMap((action) =>
      (action.shortcuts ?? []).map((shortcut): HotkeyItem => {
        const run = (event: KeyboardEvent) => {
          if (isInDialog(event.target) || !canRun(action, session)) return;
          event.preventDefault();
          void action.run(session);
        };
        return [shortcut, run, { preventDefault: false }];
      }),
    ),
  );
  useEffect(() => {
    if (!isOn) return undefined;
    const copy = (event: ClipboardEvent) => {
      if (isTyping(event.target) || window.getSelection()?.isCollapsed === false) return;
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || isInDialog(target))
  );
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=menu], [role=listbox]") !== null;
}
