"use client";

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { EditorSession } from "./editor-session.ts";
import { type EditorState, untouched } from "./editor-state.ts";

export const EditorContext = createContext<EditorSession | null>(null);

/** The editing session; only inside an editor. */
export function useSession(): EditorSession {
  const session = useContext(EditorContext);
  if (session === null) throw new Error("This belongs inside an editor");
  return session;
}

/** The methods that change the flow. */
export function useEditor(): EditorSession["editor"] {
  return useSession().editor;
}

export function useEditorState<Part>(select: (state: EditorState) => Part): Part {
  return useStore(useEditor().store, select);
}

/** Whether a node was just added and is still untouched. */
export function useIsNew(id: string): boolean {
  const editor = useEditor();
  return useStore(editor.store, (state) => untouched(state, editor.levelOf(state)).includes(id));
}

/** A selection from what is on the canvas: the flow, or the open loop body. */
export function useLevel<Part>(select: (level: FlowDraft) => Part): Part {
  const editor = useEditor();
  return useStore(editor.store, (state) => select(editor.levelOf(state)));
}
