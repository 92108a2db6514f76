"use client";

import { createContext, useContext } from "react";
import { useStore } from "zustand";
import type { EditorSession } from "./editor-session.ts";
import type { EditorState } from "./editor-state.ts";

export const EditorContext = createContext<EditorSession | null>(null);

/** The editing session; only within an editor. */
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
