import { useState } from "react";
import { useEditorState } from "../state/editor-context.ts";
import { type SaveState, shownSave } from "../state/save-state.ts";

/** How far saving has got, as it is shown. */
export function useShownSave(): SaveState {
  const save = useEditorState((state) => state.save);
  const [shown, setShown] = useState(save);
  const next = shownSave(shown, save);
  if (next !== shown) setShown(next);
  return next;
}
