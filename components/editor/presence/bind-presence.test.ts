import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "zustand";
import type { PresenceLink, PresenceState } from "#components/presence/presence-link.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { nodeOf } from "../testing/draft-of.ts";
import { closeSessions, messageOf, noticesOf, openOn, say, startLiveFlow } from "../testing/live-flow.ts";
import { bindPresence } from "./bind-presence.ts";

let server: ReturnType<typeof startLiveFlow>;
let session: EditorSession;
let place: { selected: string[]; within: string | null };
/** Where a followed person is; undefined if nobody is followed. */
let followed: string | null | undefined;
let unbind: () => void;
const store = createStore<PresenceState>(() => ({ people: [], others: 0, saved: null, following: null }));

beforeEach(async () => {
  server = startLiveFlow();
  server.status = "draft";
  vi.stubGlobal("window", {});
  session = await openOn(server);
  followed = undefined;
  store.setState({ saved: null });
  const link = {
    store,
    select: (ids: Iterable<string>, within: string | null) => {
      place = { selected: [...ids], within };
    },
    lead: () => (followed === place.within ? undefined : followed),
  };
  unbind = bindPresence(session, link as unknown as PresenceLink);
});
afterEach(() => {
  unbind();
  closeSessions();
});

/** The stream tells what is stored now. */
const tell = async () => {
  const { version, updatedAt } = server.state;
  store.setState({ saved: { version, updatedAt, revision: server.copy === null ? 0 : server.revision } });
  await vi.advanceTimersByTimeAsync(0);
};
const changeThere = (message: string) =>
  server.change({
    nodes: server.flow.nodes.map((node) => (node.id === "a" ? { ...node, config: { message } } : node)),
  });
const here = (id: string) => messageOf(session.editor.draft, id);

test("what is selected is announced", () => {
  session.editor.select(["b"]);
  expect(place).toEqual({ selected: ["b"], within: null });
  unbind();
  session.editor.select(["a"]);
  expect(place.selected).toEqual(["b"]);
});

const loop = (id: string, ...nodes: object[]) =>
  nodeOf(id, { type: "loop", config: { body: { nodes: JSON.parse(JSON.stringify(nodes)), edges: [] } } });

test("an open body is announced, before anything in it is selected", () => {
  session.editor.change("Add a loop", (draft) => ({ ...draft, nodes: [...draft.nodes, loop("outer")] }));
  session.editor.enter(["outer"]);
  expect(place).toEqual({ selected: [], within: "outer" });
  session.editor.enter([]);
  expect(place).toEqual({ selected: [], within: null });
});

test("following leads into nested bodies and back out, once a loop that was just added there is here", async () => {
  const within = () => session.editor.store.getState().within;
  const go = (level: string | null) => {
    followed = level;
    store.setState({ people: [] });
  };
  go("inner");
  expect(within()).toEqual([]);
  server.change({ nodes: [...server.flow.nodes, loop("outer", loop("inner"))] });
  await tell();
  expect(within()).toEqual(["outer", "inner"]);
  go("outer");
  expect(within()).toEqual(["outer"]);
  go(null);
  expect(within()).toEqual([]);
  // Not a loop: stays.
  go("a");
  expect(within()).toEqual([]);
});

test("what others save is shown at once, and said once", async () => {
  changeThere("one");
  await tell();
  expect(here("a")).toBe("one");
  changeThere("two");
  await tell();
  expect(here("a")).toBe("two");
  expect(noticesOf(session)).toEqual(["Changes that others save appear here at once."]);
});

test("what was published here is no change of somebody else", async () => {
  const { nodes } = session.editor.draft;
  server.change({ nodes: JSON.parse(JSON.stringify(nodes)) });
  await tell();
  expect(session.editor.store.getState().version).toBe(2);
  expect(noticesOf(session)).toEqual([]);
});

test("what is saved while the change before is being read is shown, too", async () => {
  const gate = Promise.withResolvers<void>();
  server.reading = gate.promise;
  changeThere("one");
  await tell();
  changeThere("two");
  await tell();
  server.reading = Promise.resolve();
  gate.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(here("a")).toBe("two");
});

test("own saves are not read back", async () => {
  await tell();
  const read = vi.spyOn(server.api, "call");
  session.editor.change("Say", say("a", "mine"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(session.editor.store.getState().save.kind).toBe("saved");
  await tell();
  expect(read.mock.calls.map(([name]) => name).filter((name) => name === "readFlow")).toEqual([]);
});

test("edits in progress are not disturbed: both are joined when they are sent", async () => {
  session.editor.change("Say", say("b", "mine"));
  changeThere("theirs");
  await tell();
  expect(here("a")).not.toBe("theirs");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([here("a"), here("b")]).toEqual(["theirs", "mine"]);
});

test("cards do not move while some are dragged, but right after", async () => {
  session.editor.store.setState({ isDragging: true });
  changeThere("theirs");
  await tell();
  expect(here("a")).not.toBe("theirs");
  session.editor.store.setState({ isDragging: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(here("a")).toBe("theirs");
});
