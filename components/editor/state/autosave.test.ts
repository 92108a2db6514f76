import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeDetails, changeNode } from "#components/editor/commands/change.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { placeDraft } from "../draft/place-draft.ts";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { closeSession, type EditorSession, openSession } from "./editor-session.ts";
import { findLeftDrafts, forgetDraftsOf } from "./kept-draft.ts";

const stored = new Map<string, string>();
let server: FakeServer;
const sessions: EditorSession[] = [];

beforeEach(() => {
  stored.clear();
  // Like the browser's storage, which lists its items as its own fields.
  const storage = new Proxy(
    {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
  vi.stubGlobal("window", { localStorage: storage });
  vi.stubGlobal("cancelAnimationFrame", () => {});
  vi.useFakeTimers();
  server = new FakeServer(draftOf({ nodes: [nodeOf("a"), nodeOf("b", { position: { x: 300, y: 0 } })] }));
});

afterEach(() => {
  for (const { autosave } of sessions.splice(0)) autosave.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(types = testTypes): EditorSession {
  const flow = { ...server.state, id: "flow_1", status: "draft" as const };
  const opened = { ...flow, draft: placeDraft(flow.draft, types) };
  const session = openSession(server.api, { flow: opened, stored: flow.draft, types });
  session.autosave.start();
  sessions.push(session);
  return session;
}

const say = (id: string, message: string) => changeNode(id, { config: { message } });
const messageOf = ({ nodes }: FlowDraft, id: string) => nodes.find((node) => node.id === id)?.config.message;
const savedKind = ({ editor }: EditorSession) => editor.store.getState().save.kind;
const note = (id: string) => ({ id, x: 0, y: 0, width: 200, height: 100, text: id, color: "yellow" as const });
const withNote = (id: string) => (draft: FlowDraft) =>
  withCanvas(draft, { notes: [...canvasOf(draft).notes, note(id)] });

test("a change is sent a moment later, and only what changed", async () => {
  const { editor } = open();
  editor.change("Name it", changeDetails({ name: "Other" }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.flow.name).toBe("Other");
  expect(server.saves).toBe(1);
});

test("notes that two pages add are both kept, though a note makes no new version", async () => {
  const [here, there] = [open(), open()];
  here.editor.change("Add a note", withNote("here"));
  await here.autosave.flush();
  there.editor.change("Add a note", withNote("there"));
  await there.autosave.flush();
  expect(
    canvasOf(server.flow)
      .notes.map(({ id }) => id)
      .toSorted(),
  ).toEqual(["here", "there"]);
});

test("nodes that two pages add under one id are both kept, each with its edges and its references", async () => {
  const [here, there] = [open(), open()];
  const add = (session: EditorSession, message: string) =>
    session.editor.change("Add", (draft) => ({
      ...draft,
      nodes: [...draft.nodes, nodeOf("log", { config: { message } }), nodeOf("next", { config: { message } })],
      edges: [...draft.edges, { id: "log→next", source: "log", target: "next" }],
    }));
  add(here, "here");
  await here.autosave.flush();
  add(there, "{{ $nodes.log.output }}");
  there.editor.select(["log"]);
  expect(await there.autosave.flush()).toBe(true);
  expect(server.flow.nodes.map(({ id }) => id).toSorted()).toEqual(["a", "b", "log", "log-2", "next", "next-2"]);
  expect(messageOf(server.flow, "log")).toBe("here");
  expect(messageOf(server.flow, "next-2")).toContain("log-2");
  expect(server.flow.edges.map(({ source, target }) => `${source} ${target}`)).toContain("log-2 next-2");
  expect([...there.editor.selection.nodes]).toEqual(["log-2"]);
});

test("loops that two pages paste keep their bodies apart", async () => {
  const [here, there] = [open(), open()];
  const add = (session: EditorSession, id: string, message: string) => {
    const body = { nodes: [{ id: "step", type: "log", config: { message } }], edges: [] };
    session.editor.change("Add", (draft) => ({
      ...draft,
      nodes: [...draft.nodes, nodeOf(id, { type: "loop", config: { items: "[]", body } })],
    }));
  };
  add(here, "one", "here");
  await here.autosave.flush();
  add(there, "two", "there");
  expect(await there.autosave.flush()).toBe(true);
  const ids = server.flow.nodes.flatMap(
    ({ config: { body } }) => JSON.stringify(body ?? "").match(/"id":"[^"]+"/g) ?? [],
  );
  expect(ids.toSorted()).toEqual(['"id":"step"', '"id":"step-2"']);
});

test("the same change made on two pages, or saved while a page was left, ends as saved, with nothing to tell", async () => {
  const [here, there] = [open(), open()];
  for (const { editor } of [here, there]) editor.change("Write", say("a", "same"));
  await here.autosave.flush();
  expect(await there.autosave.flush()).toBe(true);
  expect(savedKind(there)).toBe("saved");
  expect(there.editor.store.getState().notices).toEqual([]);
  expect(stored.size).toBe(0);
});

test("changes that can be joined are sent within one flush: a run that waits for it has them", async () => {
  const { editor, autosave } = open();
  server.change({ nodes: server.flow.nodes.map((node) => (node.id === "b" ? { ...node, name: "B" } : node)) });
  editor.change("Write", say("a", "mine"));
  expect(await autosave.flush()).toBe(true);
  expect(server.flow.nodes.map(({ name }) => name)).toEqual(["a", "B"]);
});

test("an answer that was lost is no conflict with oneself, however much was written since", async () => {
  const session = open();
  server.faults.push("lose");
  session.editor.change("Write", say("a", "first"));
  await session.autosave.flush();
  session.editor.change("Write", say("a", "second"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(savedKind(session)).toBe("saved");
  expect(messageOf(server.flow, "a")).toBe("second");
  expect(session.editor.store.getState().notices).toEqual([]);
});

test("a read from the server that is overtaken by a save does not bring back what was before it", async () => {
  const { editor, autosave } = open();
  const gate = Promise.withResolvers<void>();
  server.reading = gate.promise;
  server.change({ description: "theirs" });
  const looking = autosave.refresh();
  server.reading = Promise.resolve();
  editor.change("Write", say("a", "mine"));
  await autosave.flush();
  gate.resolve();
  await looking;
  expect(messageOf(editor.draft, "a")).toBe("mine");
  expect(editor.draft.description).toBe("theirs");
});

test("undo takes back what was done here, and nothing that others did since", async () => {
  const { editor, autosave } = open();
  editor.change("Write", say("a", "mine"));
  editor.change("Write", say("b", "mine too"));
  await autosave.flush();
  server.change({ nodes: server.flow.nodes.map((node) => (node.id === "a" ? { ...node, name: "Theirs" } : node)) });
  await autosave.refresh();
  editor.undo();
  editor.undo();
  await autosave.flush();
  expect(server.flow.nodes.map(({ name }) => name)).toEqual(["Theirs", "b"]);
  expect(messageOf(server.flow, "b")).toBeUndefined();
});

test("what an earlier visit could not send is not written over what was changed since: the user is asked", async () => {
  const earlier = open();
  server.faults.push(401);
  earlier.editor.change("Write", say("a", "kept"));
  await earlier.autosave.flush();
  earlier.autosave.stop();
  server.change({ nodes: server.flow.nodes.map((node) => ({ ...node, config: { message: "theirs" } })) });
  const later = open();
  await later.autosave.flush();
  expect(savedKind(later)).toBe("conflict");
  expect(messageOf(server.flow, "a")).toBe("theirs");
  await later.autosave.resolve(() => "mine");
  expect(server.flow.nodes.map(({ config }) => config.message)).toEqual(["kept", "theirs"]);
  expect(stored.size).toBe(0);
});

test("a page that saves forgets nothing that another one keeps", async () => {
  const key = "millrace:unsaved:flow_1:another-page";
  const { editor, autosave } = open();
  stored.set(key, JSON.stringify({ base: server.flow, version: 1, draft: server.flow }));
  editor.change("Write", say("a", "mine"));
  await autosave.flush();
  expect([...stored.keys()]).toEqual([key]);
});

test("what was undone before it could be sent does not come back with the next visit", async () => {
  const session = open();
  server.faults.push("away");
  session.editor.change("Write", say("a", "never"));
  session.autosave.keep();
  const sending = session.autosave.flush();
  session.editor.undo();
  await sending;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stored.size).toBe(0);
  expect(savedKind(session)).toBe("saved");
  expect(messageOf(open().editor.draft, "a")).toBeUndefined();
});

test("undoing a change whose answer was lost undoes it on the server too", async () => {
  const session = open();
  server.faults.push("lose");
  session.editor.change("Write", say("a", "stored unseen"));
  await session.autosave.flush();
  expect(messageOf(server.flow, "a")).toBe("stored unseen");
  session.editor.undo();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(messageOf(server.flow, "a")).toBeUndefined();
  expect(savedKind(session)).toBe("saved");
});

test("what another page keeps is not taken over: it is only found, to be offered", async () => {
  const key = "millrace:unsaved:flow_1:another-page";
  const draft = { ...server.flow, name: "Theirs" };
  stored.set(key, JSON.stringify({ base: server.flow, version: 1, updatedAt: "", draft }));
  const { editor } = open();
  expect(editor.draft.name).toBe("A flow");
  expect(await findLeftDrafts("flow_1")).toMatchObject([{ key, kept: { draft: { name: "Theirs" } } }]);
});

test("what another user of the browser left unsaved is neither offered nor forgotten", async () => {
  const [theirs, own] = ["millrace:unsaved:flow_1:a-page:user_2", "millrace:unsaved:flow_1:a-page"];
  const kept = JSON.stringify({ base: server.flow, version: 1, updatedAt: "", draft: server.flow });
  for (const key of [theirs, own]) stored.set(key, kept);
  expect((await findLeftDrafts("flow_1")).map(({ key }) => key)).toEqual([own]);
  forgetDraftsOf("");
  expect([...stored.keys()]).toEqual([theirs]);
});

test("leaving at once keeps what was written a moment ago", () => {
  const { editor, autosave } = open();
  editor.change("Write", say("a", "last words"));
  autosave.keep();
  expect(stored.size).toBe(1);
});

test("a save that is forbidden is not kept: no later visit could send it either", async () => {
  const session = open();
  session.editor.change("Write", say("a", "mine"));
  session.autosave.keep();
  server.faults.push(403);
  await session.autosave.flush();
  expect(savedKind(session)).toBe("forbidden");
  session.autosave.keep();
  expect(stored.size).toBe(0);
});

test("a refusal keeps the node and the field that it is about", async () => {
  const { editor, autosave } = open();
  server.faults.push(400);
  editor.change("Write", say("b", ""));
  await autosave.flush();
  const { save } = editor.store.getState();
  expect(save).toMatchObject({ kind: "refused", problems: [{ nodeId: "a", path: "nodes[0].config.message" }] });
});

test("a browser without room to keep changes is not said to keep them", async () => {
  const { editor, autosave } = open();
  vi.stubGlobal("window", {});
  server.faults.push("away");
  editor.change("Write", say("a", "mine"));
  await autosave.flush();
  expect(editor.store.getState().save).toEqual({ kind: "offline", kept: false });
});

test("nodes that nobody has placed stay where they are shown when the flow is changed elsewhere", async () => {
  server = new FakeServer(draftOf({ nodes: [nodeOf("a"), nodeOf("b"), nodeOf("c")] }));
  const { editor, autosave } = open();
  const shown = editor.draft.nodes.map(({ position }) => position);
  server.change({ nodes: server.flow.nodes.map((node) => (node.id === "c" ? { ...node, name: "C" } : node)) });
  editor.change("Write", say("a", "mine"));
  expect(await autosave.flush()).toBe(true);
  expect(editor.draft.nodes.map(({ position }) => position)).toEqual(shown);
  expect(editor.draft.nodes.map(({ name }) => name)).toEqual(["a", "b", "C"]);
});

test("edits left unsent are sent later, but not once the next visit has discarded them", async () => {
  for (const isBack of [false, true]) {
    server.faults.push("away", "away");
    const session = open();
    session.editor.change("Say", say("a", `left ${isBack}`));
    // As the page does when it is left.
    const flushed = session.autosave.flush();
    closeSession(session);
    await flushed;
    if (isBack) open().editor.undo();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(messageOf(server.flow, "a")).toBe("left false");
  }
});

test("a save that the server leaves hanging is given up and tried again", async () => {
  const session = open();
  server.faults.push("hang");
  session.editor.change("Say", say("a", "mine"));
  await vi.advanceTimersByTimeAsync(32_000);
  expect(session.editor.store.getState().save).toEqual({ kind: "offline", kept: true });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(savedKind(session)).toBe("saved");
  expect(messageOf(server.flow, "a")).toBe("mine");
});

test("a conflict shows what is written meanwhile, here and elsewhere, and ends when it is taken back", async () => {
  const session = open();
  const { editor, autosave } = session;
  const shown = () => {
    const { save } = editor.store.getState();
    return save.kind === "conflict" ? save.clashes.map(({ mine, theirs }) => JSON.stringify([mine, theirs])) : [];
  };
  const theirs = (message: string) =>
    server.change({
      nodes: server.flow.nodes.map((node) => (node.id === "a" ? { ...node, config: { message } } : node)),
    });
  theirs("theirs");
  editor.change("Say", say("a", "mine"));
  await autosave.flush();
  expect(shown()).toEqual([expect.stringMatching(/"mine".*"theirs"/)]);
  editor.change("Say", say("a", "mine, longer"));
  theirs("theirs, later");
  await autosave.refresh();
  expect(shown()).toEqual([expect.stringMatching(/"mine, longer".*"theirs, later"/)]);
  editor.undoTo(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(savedKind(session)).toBe("saved");
  expect(messageOf(editor.draft, "a")).toBe("theirs, later");
});

test("choosing theirs shows what they have saved since, too", async () => {
  const { editor, autosave } = open();
  server.change({ nodes: server.flow.nodes.map((node) => ({ ...node, config: { message: "theirs" } })) });
  editor.change("Say", say("a", "mine"));
  await autosave.flush();
  server.change({ name: "Renamed since" });
  await autosave.resolve(() => "theirs");
  expect(messageOf(editor.draft, "a")).toBe("theirs");
  expect(editor.draft.name).toBe("Renamed since");
});
