import type { PresenceLink, Saved } from "#components/presence/presence-link.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { existingPath, pathTo } from "../levels/level.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Stamp } from "../state/server-flow.ts";

const words = "Changes that others save appear here at once.";

/**
 * Announces the level and selection of this editor, follows a followed person to other levels, and merges others' saved
 * changes while there are no unsaved edits here: edits in progress are merged when they are sent, as usual. Returns a
 * function that stops it.
 */
export function bindPresence({ editor, autosave }: EditorSession, link: PresenceLink): () => void {
  /** Shown once per visit, because it would repeat with every save. */
  let isSaid = false;
  let isReading = false;
  /** Something was saved elsewhere while it could not be read. */
  let isPending = false;
  const look = async () => {
    const { saved } = link.store.getState();
    const { save, isDragging } = editor.store.getState();
    isPending = saved !== null && isElsewhere(saved, autosave.known);
    // Cards must not move under the pointer.
    if (!isPending || isReading || isDragging || save.kind !== "saved" || autosave.isUnsaved) return;
    isPending = false;
    isReading = true;
    const before = editor.draft;
    await autosave.refresh("").finally(() => {
      isReading = false;
    });
    // A loop that was just added there is here only now.
    goAlong();
    // What this page just published is read back, too, and is the same.
    if (!isSaid && !isDeepEqual(editor.draft, before)) {
      isSaid = true;
      editor.say(words);
    }
    // Something was saved after this read began.
    if (isPending) void look();
  };
  const selectHere = () => link.select(editor.selection.nodes, editor.store.getState().within.at(-1) ?? null);
  const goAlong = () => {
    const level = link.lead();
    if (level === undefined) return;
    const around = level === null ? [] : pathTo(editor.draft.nodes, level, editor.types);
    if (around === null) return;
    const path = level === null ? around : [...around, level];
    if (existingPath(editor.draft, path, editor.types).length === path.length) editor.enter(path);
  };
  const leaveLink = link.store.subscribe((state, before) => {
    if (state.people !== before.people || state.following !== before.following) goAlong();
    if (state.saved !== before.saved) void look();
  });
  const leaveEditor = editor.store.subscribe((state, before) => {
    if (state.selection !== before.selection || state.within !== before.within) selectHere();
    const isFree = !state.isDragging && state.save.kind === "saved";
    if (isPending && isFree && (before.isDragging || before.save.kind !== "saved")) void look();
  });
  selectHere();
  void look();
  return () => {
    leaveLink();
    leaveEditor();
  };
}

/** Whether the stored flow differs from what this page knows. */
function isElsewhere(saved: Saved, known: Stamp): boolean {
  const { version, updatedAt, copy } = known;
  return saved.version !== version || saved.updatedAt !== updatedAt || saved.revision !== (copy?.revision ?? 0);
}
