import { expect, test } from "vitest";
import { draftOf } from "#components/editor/testing/draft-of.ts";
import { joinDrafts } from "../draft/separate-added.ts";
import { nodeOf, testTypes } from "../testing/draft-of.ts";
import { endGesture, type History, type Replay, rebase, record, redo, undo, untouched } from "./editor-state.ts";

const start: History = { draft: draftOf({ name: "a" }), within: [], past: [], future: [] };
const none = new Map<string, string>();
const replay: Replay = ({ before, after }, now) => {
  return { draft: joinDrafts(before, after, now, testTypes, () => "theirs").draft, renames: none };
};
const rename = (history: History, name: string, gesture: string | null = null) =>
  record(history, `Name it ${name}`, { ...history.draft, name }, gesture);
const back = (history: History) => undo(history, replay);
const forward = (history: History) => redo(history, replay);
const names = (history: History) => [...history.past.map((entry) => entry.before.name), history.draft.name];

test("undo goes back change by change, and redo forward again", () => {
  const changed = rename(rename(start, "b"), "c");
  const first = back(back(changed));
  expect(first.draft).toBe(start.draft);
  expect(back(first)).toBe(first);
  expect(names(forward(forward(first)))).toEqual(["a", "b", "c"]);
  expect(forward(changed)).toBe(changed);
});

test("the changes of one gesture are one entry; after its end they are another", () => {
  const typed = rename(rename(start, "b", "name"), "bc", "name");
  expect(names(typed)).toEqual(["a", "bc"]);
  expect(names(rename(endGesture(typed), "bcd", "name"))).toEqual(["a", "bc", "bcd"]);
});

test("a change after undoing drops what was undone", () => {
  const other = rename(back(rename(start, "b")), "c");
  expect(names(other)).toEqual(["a", "c"]);
  expect(other.future).toEqual([]);
});

test("nothing changed is no entry", () => {
  expect(record(start, "nothing", start.draft)).toBe(start);
});

test("a change from elsewhere lies under the history: undoing does not take it back", () => {
  const changed = rename(rename(start, "b"), "c");
  const moved = rebase(changed, { ...changed.draft, description: "theirs" });
  // However long the history is, others' changes cost nothing until the entry is undone.
  expect(moved.past).toBe(changed.past);
  expect(moved.draft).toMatchObject({ name: "c", description: "theirs" });
  const first = back(back(moved));
  expect(first.draft).toMatchObject({ name: "a", description: "theirs" });
  expect(forward(first).draft).toMatchObject({ name: "b", description: "theirs" });
  expect(forward(forward(first)).draft).toMatchObject({ name: "c", description: "theirs" });
});

test("a change from elsewhere ends a gesture", () => {
  const typed = rename(start, "b", "name");
  const goingOn = rename(rebase(typed, { ...typed.draft, description: "theirs" }), "bc", "name");
  expect(back(goingOn).draft).toMatchObject({ name: "b", description: "theirs" });
  expect(back(back(goingOn)).draft).toMatchObject({ name: "a", description: "theirs" });
});

test("undo and redo show the level that a change was made on", () => {
  const inBody = record({ ...start, within: ["each"] }, "Name it b", { ...start.draft, name: "b" });
  const outside = back({ ...inBody, within: [] });
  expect([outside.draft.name, outside.within]).toEqual(["a", ["each"]]);
  expect(forward({ ...outside, within: [] }).within).toEqual(["each"]);
  const renamed = rebase(inBody, inBody.draft, new Map([["each", "each-2"]]));
  expect([renamed.within, back(renamed).within]).toEqual([["each-2"], ["each-2"]]);
});

test("a new node that was just touched shows nothing of what was missing before", () => {
  const [given, touched] = [nodeOf("a"), nodeOf("a", { config: { message: "x" } })];
  const newIn = (node: typeof given, checkedAsNew: ReadonlySet<string>) =>
    untouched({ newNodes: new Map([["a", given.config]]), checkedAsNew }, { nodes: [node, nodeOf("b")] });
  expect(newIn(given, new Set())).toEqual(["a"]);
  expect(newIn(touched, new Set(["a"]))).toEqual(["a"]);
  expect(newIn(touched, new Set())).toEqual([]);
});
