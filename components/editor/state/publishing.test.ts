// Editing what is live: autosave goes to its working copy, until it is published or discarded.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeDetails, changeNode } from "#components/editor/commands/change.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { FakeServer } from "../testing/fake-server.ts";
import { type EditorSession, openSession } from "./editor-session.ts";
import { discard, publish } from "./publishing.ts";
import { fetchServerFlow } from "./server-flow.ts";

let server: FakeServer;
const sessions: EditorSession[] = [];

beforeEach(() => {
  vi.stubGlobal("window", {});
  vi.useFakeTimers();
  server = new FakeServer(draftOf({ nodes: [nodeOf("a"), nodeOf("b", { position: { x: 300, y: 0 } })] }));
  server.status = "active";
});

afterEach(() => {
  for (const { autosave } of sessions.splice(0)) autosave.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(): Promise<EditorSession> {
  const flow = await fetchServerFlow(server.api, "flow_1", testTypes);
  const session = openSession(server.api, {
    flow: { ...flow, id: "flow_1" },
    stored: flow.draft,
    types: testTypes,
    url: null,
  });
  session.autosave.start();
  sessions.push(session);
  return session;
}

const say = (id: string, message: string) => changeNode(id, { config: { message } });
const messageOf = ({ nodes }: FlowDraft, id: string) => nodes.find((node) => node.id === id)?.config.message;
const stateOf = ({ editor }: EditorSession) => editor.store.getState();
const noticesOf = (session: EditorSession) => stateOf(session).notices.map(({ text }) => text);
const byOthers = (id: string, message: string) =>
  server.change({ nodes: server.flow.nodes.map((node) => (node.id === id ? { ...node, config: { message } } : node)) });
const withNote = (draft: FlowDraft) =>
  withCanvas(draft, { notes: [{ id: "n", x: 0, y: 0, width: 200, height: 100, text: "n", color: "yellow" }] });

test("what is changed of a live flow goes to its working copy: callers get nothing of it", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "half-ma"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.version).toBe(1);
  expect(messageOf(server.flow, "a")).toBeUndefined();
  expect(messageOf(server.copy?.definition ?? server.flow, "a")).toBe("half-ma");
  expect(stateOf(session)).toMatchObject({ save: { kind: "saved" }, version: 1, copy: { basedOn: 1, revision: 1 } });
  expect(messageOf((await open()).editor.draft, "a")).toBe("half-ma");
});

test("a draft is saved as it always was", async () => {
  server.status = "draft";
  const { editor, autosave } = await open();
  editor.change("Write", say("a", "x"));
  expect(await autosave.flush()).toBe(true);
  expect([server.version, server.copy]).toEqual([2, null]);
});

test("what people only see of a live flow is stored at once, and is nothing to publish", async () => {
  const session = await open();
  session.editor.change("Add a note", withNote);
  session.editor.change("Describe it", changeDetails({ description: "About orders" }));
  expect(await session.autosave.flush()).toBe(true);
  expect(server.flow.description).toBe("About orders");
  expect(canvasOf(server.flow).notes).toHaveLength(1);
  expect([server.version, server.copy, stateOf(session).copy]).toEqual([1, null, null]);
});

test("both at once go their own ways, within one flush", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "x"));
  session.editor.change("Add a note", withNote);
  expect(await session.autosave.flush()).toBe(true);
  expect(canvasOf(server.flow).notes).toHaveLength(1);
  expect([messageOf(server.flow, "a"), server.version, server.revision]).toEqual([undefined, 1, 1]);
  expect(noticesOf(session)).toEqual([]);
});

test("a setting of a working copy stays there when a note is stored beside it", async () => {
  const session = await open();
  session.editor.change("Limit it", (draft) => ({ ...draft, settings: { ...draft.settings, timeoutMs: 5_000 } }));
  session.editor.change("Write", say("a", "x"));
  session.editor.change("Add a note", withNote);
  expect(await session.autosave.flush()).toBe(true);
  expect(canvasOf(server.flow).notes).toHaveLength(1);
  expect(server.flow.settings).not.toHaveProperty("timeoutMs");
  expect(server.copy?.definition.settings).toMatchObject({ timeoutMs: 5_000 });
});

test("an answer of a working copy that was lost is no conflict with oneself", async () => {
  const session = await open();
  server.faults.push("lose");
  session.editor.change("Write", say("a", "first"));
  session.editor.change("Add a note", withNote);
  await session.autosave.flush();
  session.editor.change("Write", say("a", "second"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stateOf(session).save.kind).toBe("saved");
  expect(messageOf(server.copy?.definition ?? server.flow, "a")).toBe("second");
  expect(canvasOf(server.flow).notes).toHaveLength(1);
  expect(noticesOf(session)).toEqual([]);
});

test("two pages share a working copy: their changes are joined", async () => {
  const [here, there] = [await open(), await open()];
  here.editor.change("Write", say("a", "here"));
  await here.autosave.flush();
  there.editor.change("Write", say("b", "there"));
  expect(await there.autosave.flush()).toBe(true);
  const copy = server.copy?.definition ?? server.flow;
  expect([messageOf(copy, "a"), messageOf(copy, "b")]).toEqual(["here", "there"]);
});

test("publishing makes one version of many saves, with the summary that was written", async () => {
  const session = await open();
  for (const message of ["one", "two", "three"]) {
    session.editor.change("Write", say("a", message));
    await session.autosave.flush();
  }
  session.editor.change("Write", say("a", "not sent yet"));
  expect(await publish(session, "Say it")).toBe(true);
  expect(server.version).toBe(2);
  expect(messageOf(server.flow, "a")).toBe("not sent yet");
  expect(server.summaries).toEqual(["Say it"]);
  expect(stateOf(session)).toMatchObject({ version: 2, copy: null, publishing: null, save: { kind: "saved" } });
  session.editor.change("Write", say("a", "next"));
  expect(await session.autosave.flush()).toBe(true);
  expect([server.version, server.copy?.basedOn]).toEqual([2, 2]);
});

test("an answer to publishing that was lost: the flow is looked at, and nothing is published twice", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "x"));
  await session.autosave.flush();
  server.faults.push("lose");
  expect(await publish(session, null)).toBe(true);
  expect(stateOf(session)).toMatchObject({ version: 2, copy: null });
  expect(noticesOf(session)).toEqual(["Version 2 is published."]);
  expect([server.version, server.summaries]).toEqual([2, [null]]);
});

test("a server that is away while publishing leaves the changes to be published", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "x"));
  await session.autosave.flush();
  server.faults.push("away");
  expect(await publish(session, null)).toBe(false);
  expect(stateOf(session)).toMatchObject({ version: 1, copy: { basedOn: 1 } });
  expect(noticesOf(session)[0]).toMatch(/^The changes were not published/);
});

test("a version that somebody else made meanwhile is joined first, and then published with", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "mine"));
  await session.autosave.flush();
  byOthers("b", "theirs");
  expect(await publish(session, null)).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.copy?.basedOn).toBe(2);
  expect(stateOf(session)).toMatchObject({ version: 2, save: { kind: "saved" } });
  expect(await publish(session, null)).toBe(true);
  expect(server.version).toBe(3);
  expect([messageOf(server.flow, "a"), messageOf(server.flow, "b")]).toEqual(["mine", "theirs"]);
});

test("where both changed the same, the user chooses before anything is published", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "mine"));
  await session.autosave.flush();
  byOthers("a", "theirs");
  expect(await publish(session, null)).toBe(false);
  expect(stateOf(session).save.kind).toBe("conflict");
  expect(messageOf(session.editor.draft, "a")).toBe("mine");
  await session.autosave.resolve(() => "mine");
  expect(await publish(session, null)).toBe(true);
  expect([messageOf(server.flow, "a"), server.version]).toEqual(["mine", 3]);
});

test("changes that somebody else published all of leave nothing to publish", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "same"));
  await session.autosave.flush();
  byOthers("a", "same");
  expect(await publish(session, null)).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([server.copy, stateOf(session).copy, server.version]).toEqual([null, null, 2]);
});

test("a refusal to publish opens the list of what is to be fixed", async () => {
  const session = await open();
  session.editor.change("Write", say("a", ""));
  await session.autosave.flush();
  server.faults.push(400);
  expect(await publish(session, null)).toBe(false);
  expect(stateOf(session)).toMatchObject({ side: "problems", problems: [{ nodeId: "a" }], save: { kind: "saved" } });
});

test("discarding brings back what is published, and undo brings back what was discarded", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "never"));
  await session.autosave.flush();
  await discard(session);
  expect([server.copy, stateOf(session).copy]).toEqual([null, null]);
  expect(messageOf(session.editor.draft, "a")).toBeUndefined();
  expect(session.autosave.isUnsaved).toBe(false);
  session.editor.undo();
  expect(await session.autosave.flush()).toBe(true);
  expect(messageOf(server.copy?.definition ?? server.flow, "a")).toBe("never");
});

test("undo after discarding leaves what somebody else published meanwhile", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "mine"));
  await session.autosave.flush();
  byOthers("b", "theirs");
  await discard(session);
  expect(messageOf(session.editor.draft, "b")).toBe("theirs");
  session.editor.undo();
  expect(await session.autosave.flush()).toBe(true);
  const { definition, basedOn } = server.copy ?? { definition: server.flow };
  expect([messageOf(definition, "a"), messageOf(definition, "b"), basedOn]).toEqual(["mine", "theirs", 2]);
});

test("discarding drops the pins of nodes that are gone with it", async () => {
  const session = await open();
  session.editor.change("Add a node", (draft) => ({ ...draft, nodes: [...draft.nodes, nodeOf("c")] }));
  session.editor.change("Pin the output", (draft) => withCanvas(draft, { pins: { c: 1, a: 2 } }));
  await session.autosave.flush();
  await discard(session);
  expect(await session.autosave.flush()).toBe(true);
  expect(canvasOf(server.flow).pins).toEqual({ a: 2 });
});

test.each(["active", "inactive"] as const)(
  "undoing everything on an older version shows the newer one (%s), and overwrites nothing of it",
  async (status) => {
    const session = await open();
    session.editor.change("Write", say("a", "x"));
    await session.autosave.flush();
    server.status = status;
    byOthers("b", "theirs");
    await session.autosave.refresh();
    expect(stateOf(session)).toMatchObject({ version: 2, copy: { basedOn: 1 } });
    session.editor.undo();
    expect(await session.autosave.flush()).toBe(true);
    expect(messageOf(session.editor.draft, "b")).toBe("theirs");
    expect([server.copy, stateOf(session).version, stateOf(session).copy]).toEqual([null, 2, null]);
    session.editor.change("Write", say("a", "next"));
    expect(await session.autosave.flush()).toBe(true);
    const now = server.copy?.definition ?? server.flow;
    expect([messageOf(now, "a"), messageOf(now, "b")]).toEqual(["next", "theirs"]);
  },
);

test("choosing theirs of all that clashes leaves nothing to publish", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "mine"));
  await session.autosave.flush();
  byOthers("a", "theirs");
  await publish(session, null);
  await session.autosave.resolve(() => "theirs");
  expect([server.copy, stateOf(session).copy, stateOf(session).save.kind]).toEqual([null, null, "saved"]);
  expect(messageOf(session.editor.draft, "a")).toBe("theirs");
  expect(messageOf((await open()).editor.draft, "a")).toBe("theirs");
});

test("changes that somebody else published or discarded are gone here too, once one tries to publish them", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "mine"));
  await session.autosave.flush();
  server.copy = null;
  server.faults.push(404);
  expect(await publish(session, null)).toBe(false);
  expect(stateOf(session).copy).toBeNull();
  expect(noticesOf(session)).toContain("The changes were published or discarded elsewhere.");
});

test("a newer version that cannot be read is no end of publishing: it is said", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "mine"));
  await session.autosave.flush();
  byOthers("b", "theirs");
  server.lostVersions.add(1);
  expect(await publish(session, null)).toBe(false);
  expect(noticesOf(session).join(" ")).toMatch(/were not joined with the newer version/);
});

test("a working copy in which everything was undone hides nothing that was published since", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "x"));
  await session.autosave.flush();
  server.copy = { definition: server.flow, basedOn: 1 };
  byOthers("b", "theirs");
  const later = await open();
  expect(messageOf(later.editor.draft, "b")).toBe("theirs");
  later.editor.change("Write", say("a", "mine"));
  expect(await later.autosave.flush()).toBe(true);
  expect(server.copy).toMatchObject({ basedOn: 2 });
});

test("a flow that goes live elsewhere is saved to its working copy from then on", async () => {
  server.status = "draft";
  const { editor, autosave } = await open();
  server.status = "active";
  server.change({ description: "live now" });
  editor.change("Write", say("a", "x"));
  expect(await autosave.flush()).toBe(true);
  expect(server.version).toBe(1);
  expect(messageOf(server.copy?.definition ?? server.flow, "a")).toBe("x");
});
