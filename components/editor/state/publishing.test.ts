// Editing a live flow: autosave goes to its working copy until it is published or discarded.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changeDetails } from "#components/editor/commands/change.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { nodeOf } from "../testing/draft-of.ts";
import type { FakeServer } from "../testing/fake-server.ts";
import { closeSessions, messageOf, noticesOf, openOn, say, startLiveFlow, stateOf } from "../testing/live-flow.ts";
import { discard, publish, restoreVersion } from "./publishing.ts";

let server: FakeServer;
beforeEach(() => {
  server = startLiveFlow();
});
afterEach(closeSessions);

const open = () => openOn(server);
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

test("after a lost answer to publishing, the flow is read again, and nothing is published twice", async () => {
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

test("a refusal to publish opens the list of what is to be fixed", async () => {
  const session = await open();
  session.editor.change("Write", say("a", ""));
  await session.autosave.flush();
  server.faults.push(400);
  expect(await publish(session, null)).toBe(false);
  expect(stateOf(session)).toMatchObject({ side: "problems", problems: [{ nodeId: "a" }], save: { kind: "saved" } });
});

test("a check that is answered after a refusal does not hide its reasons", async () => {
  const session = await open();
  const { promise, resolve } = Promise.withResolvers<object>();
  server.checking = promise;
  session.problems.start();
  session.editor.change("Write", say("a", ""));
  await session.autosave.flush();
  server.faults.push(400);
  expect(await publish(session, null)).toBe(false);
  resolve({ problems: [], advice: [] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stateOf(session)).toMatchObject({ side: "problems", problems: [{ nodeId: "a" }] });
  session.editor.change("Write", say("a", "said"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stateOf(session).problems).toEqual([]);
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

test("the undo that is offered after discarding brings it back, also once something else was changed", async () => {
  const session = await open();
  session.editor.change("Write", say("a", "wanted"));
  await session.autosave.flush();
  await discard(session);
  session.editor.change("Write", say("b", "later"));
  const [{ action } = {}] = stateOf(session).notices.filter((notice) => notice.action !== undefined);
  action?.run();
  expect(messageOf(session.editor.draft, "a")).toBe("wanted");
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

test("a restored version is a change like any other: undo brings back what it replaced", async () => {
  server.status = "draft";
  const session = await open();
  const { editor, autosave } = session;
  editor.change("Write", say("a", "written since"));
  await autosave.flush();
  await restoreVersion(session, 1);
  expect(messageOf(editor.draft, "a")).toBeUndefined();
  expect([server.version, stateOf(session).save.kind]).toEqual([3, "saved"]);
  expect(noticesOf(session)).toEqual(["Version 1 was restored as a new version."]);
  editor.undo();
  await autosave.flush();
  expect(messageOf(server.flow, "a")).toBe("written since");
  editor.undo();
  expect(messageOf(editor.draft, "a")).toBeUndefined();
});
