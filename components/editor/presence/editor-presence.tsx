import { useCallback, useEffect } from "react";
import { PresenceBar, usePresence } from "#components/presence/presence.tsx";
import { triggerSource } from "#lib/engine/flow.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { allPlaced } from "../levels/level.ts";
import { useEditor, useSession } from "../state/editor-context.ts";

/** Announces where this editor is, follows others, and merges what they save. */
export function PresenceBinding(): null {
  const session = useSession();
  const link = usePresence();
  useEffect(() => {
    if (link === null) return undefined;
    let unbind = () => {};
    let isGone = false;
    import("./bind-presence.ts").then(
      ({ bindPresence }) => {
        if (!isGone) unbind = bindPresence(session, link);
      },
      () => {},
    );
    return () => {
      isGone = true;
      unbind();
    };
  }, [session, link]);
  return null;
}

/** Who else is in the flow. */
export function EditorPeople() {
  const editor = useEditor();
  const nameOf = useCallback(
    (id: string) => {
      const { draft, level, types } = editor;
      if (id === triggerSource) return "the trigger";
      const found = allPlaced(draft.nodes, types).find(({ node }) => node.id === id);
      if (found !== undefined) return found.node.name;
      const { notes, groups } = canvasOf(level);
      if (notes.some((note) => note.id === id)) return "a note";
      return groups.find((group) => group.id === id)?.name ?? null;
    },
    [editor],
  );
  return <PresenceBar nameOf={nameOf} />;
}
