// A live flow on a fake server, and editors opened on it.
import { vi } from "vitest";
import { changeNode } from "#components/editor/commands/change.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { type EditorSession, openSession } from "../state/editor-session.ts";
import { fetchServerFlow } from "../state/server-flow.ts";
import { draftOf, nodeOf, testTypes } from "./draft-of.ts";
import { FakeServer } from "./fake-server.ts";

const sessions: EditorSession[] = [];

/** Nodes `a` and `b`, live in version 1; time stands still until a test moves it. */
export function startLiveFlow(): FakeServer {
  vi.stubGlobal("window", {});
  vi.useFakeTimers();
  const server = new FakeServer(draftOf({ nodes: [nodeOf("a"), nodeOf("b", { position: { x: 300, y: 0 } })] }));
  server.status = "active";
  return server;
}

export function closeSessions(): void {
  for (const { autosave } of sessions.splice(0)) autosave.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

export async function openOn(server: FakeServer): Promise<EditorSession> {
  const flow = await fetchServerFlow(server.api, "flow_1", testTypes);
  const session = openSession(server.api, {
    flow: { ...flow, id: "flow_1" },
    stored: flow.draft,
    types: testTypes,
  });
  session.autosave.start();
  sessions.push(session);
  return session;
}

export const say = (id: string, message: string) => changeNode(id, { config: { message } });
export const messageOf = ({ nodes }: FlowDraft, id: string) => nodes.find((node) => node.id === id)?.config.message;
export const stateOf = ({ editor }: EditorSession) => editor.store.getState();
export const noticesOf = (session: EditorSession) => stateOf(session).notices.map(({ text }) => text);
