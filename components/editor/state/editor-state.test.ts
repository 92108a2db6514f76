import { expect, test } from "vitest";
import { draftOf } from "#components/editor/testing/draft-of.ts";
import { nodeOf } from "../testing/draft-of.ts";
import { endGesture, type History, rebase, record, redo, undo, untouched } from "./editor-state.ts";

const start: History = { draft: draftOf({ name: "a" }), within: [], past: [], future: [] };
const rename = (history: History, name: string, gesture: string | null = null) =>
  record(history, `Name it ${name}`, { ...history.draft, name }, gesture);
const names = (history: History) => [...history.past.map((entry) => entry.draft.name), history.draft.name];

test("undo goes back change by change, and redo forward again", () => {
  const changed = rename(rename(start, "b"), "c");
  const back = undo(undo(changed));
  expect(back.draft.name).toBe("a");
  expect(undo(back)).toBe(back);
  expect(names(redo(redo(back)))).toEqual(["a", "b", "c"]);
  expect(redo(changed)).toBe(changed);
});

test("the changes of one gesture are one entry; after its end they are another", () => {
  const typed = rename(rename(start, "b", "name"), "bc", "name");
  expect(names(typed)).toEqual(["a", "bc"]);
  expect(names(rename(endGesture(typed), "bcd", "name"))).toEqual(["a", "bc", "bcd"]);
});

test("a change after undoing drops what was undone", () => {
  const other = rename(undo(rename(start, "b")), "c");
  expect(names(other)).toEqual(["a", "c"]);
  expect(other.future).toEqual([]);
});

test("nothing changed is no entry", () => {
  expect(record(start, "nothing", start.draft)).toBe(start);
});

test("a change from elsewhere lies under the history: undoing does not take it back", () => {
  const moved = rebase(rename(start, "b"), (draft) => ({ ...draft, description: "theirs" }));
  expect(undo(moved).draft).toMatchObject({ name: "a", description: "theirs" });
  expect(moved.draft).toMatchObject({ name: "b", description: "theirs" });
});

test("undo and redo show the level that a change was made on", () => {
  const inBody = record({ ...start, within: ["each"] }, "Name it b", { ...start.draft, name: "b" });
  const outside = { ...inBody, within: [] };
  const back = undo(outside);
  expect([back.draft.name, back.within]).toEqual(["a", ["each"]]);
  expect(redo({ ...back, within: [] }).within).toEqual(["each"]);
  const renamed = rebase(inBody, (draft) => draft, new Map([["each", "each-2"]]));
  expect([renamed.within, undo(renamed).within]).toEqual([["each-2"], ["each-2"]]);
});

test("a new node that was just touched shows nothing of what was missing before", () => {
  const [given, touched] = [nodeOf("a"), nodeOf("a", { config: { message: "x" } })];
  const newIn = (node: typeof given, checkedAsNew: ReadonlySet<string>) =>
    untouched({ newNodes: new Map([["a", given.config]]), checkedAsNew }, { nodes: [node, nodeOf("b")] });
  expect(newIn(given, new Set())).toEqual(["a"]);
  expect(newIn(touched, new Set(["a"]))).toEqual(["a"]);
  expect(newIn(touched, new Set())).toEqual([]);
});
