// Someone else publishes while a flow has a working copy: both are merged, and nothing is lost.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FakeServer } from "../testing/fake-server.ts";
import { closeSessions, messageOf, noticesOf, openOn, say, startLiveFlow, stateOf } from "../testing/live-flow.ts";
import { discard, publish } from "./publishing.ts";

let server: FakeServer;
beforeEach(() => {
  server = startLiveFlow();
});
afterEach(closeSessions);

const open = () => openOn(server);
const byOthers = (id: string, message: string) =>
  server.change({ nodes: server.flow.nodes.map((node) => (node.id === id ? { ...node, config: { message } } : node)) });

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
  expect(noticesOf(session).join(" ")).toMatch(/were not merged with the newer version/);
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
