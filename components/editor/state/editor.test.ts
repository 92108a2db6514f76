import { expect, test } from "vitest";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { move } from "../commands/move.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { Editor } from "./editor.ts";

const base = draftOf({ nodes: [nodeOf("a"), nodeOf("b")] });
const open = (draft = base) =>
  new Editor({ id: "flow_1", status: "draft", draft, version: 1, updatedAt: "", copy: null }, testTypes);
const ids = ({ nodes }: FlowDraft) => nodes.map(({ id }) => id);
const add = (editor: Editor, node: FlowNode) =>
  editor.change("Add", (draft) => ({ ...draft, nodes: [...draft.nodes, node] }));
const remove = (editor: Editor, gone: string) =>
  editor.change("Delete", (draft) => ({ ...draft, nodes: draft.nodes.filter(({ id }) => id !== gone) }));
const takeIn = (editor: Editor, theirs: FlowDraft) => editor.takeIn(base, theirs, () => "mine");
const withNode = (node: FlowNode): FlowDraft => ({ ...base, nodes: [...base.nodes, node] });

test("others' changes stay when a deleted node is brought back to its place, and when it is deleted again", () => {
  const editor = open();
  remove(editor, "a");
  takeIn(editor, withNode(nodeOf("c")));
  editor.undo();
  expect(ids(editor.draft)).toEqual(["a", "b", "c"]);
  editor.redo();
  expect(ids(editor.draft)).toEqual(["b", "c"]);
});

test("undoing all that was not saved is the server's flow: nothing is left to save", () => {
  const editor = open();
  add(editor, nodeOf("c"));
  const theirs = { ...base, description: "theirs" };
  takeIn(editor, theirs);
  editor.undo();
  expect(editor.draft).toBe(theirs);
});

test("the trigger's card stays when other cards are added, moved and deleted; undo leaves its place to them again", () => {
  const editor = open(draftOf({ nodes: [nodeOf("a", { position: { x: 400, y: 200 } })] }));
  const place = triggerPlace(editor.draft);
  add(editor, nodeOf("loose", { position: { x: 200, y: 900 } }));
  expect(triggerPlace(editor.draft)).toEqual(place);
  editor.change("Move", move(new Map([["a", { x: 900, y: 0 }]])));
  remove(editor, "a");
  expect(triggerPlace(editor.draft)).toEqual(place);
  editor.undoTo(0);
  expect(canvasOf(editor.draft).trigger).toBeNull();
  editor.change("Move", move(new Map([["trigger", { x: 1, y: 2 }]])));
  expect(triggerPlace(editor.draft)).toEqual({ x: 1, y: 2 });
});

test("a node that got another id keeps it through undo and redo", () => {
  const editor = open();
  add(editor, nodeOf("log", { name: "Mine" }));
  editor.change("Write", (draft) => ({
    ...draft,
    nodes: draft.nodes.map((node) => (node.id === "log" ? { ...node, config: { message: "mine" } } : node)),
  }));
  takeIn(editor, withNode(nodeOf("log", { name: "Theirs" })));
  const named = () => editor.draft.nodes.slice(2).map(({ id, name, config }) => [id, name, config.message]);
  const both = [
    ["log-2", "Mine", "mine"],
    ["log", "Theirs", undefined],
  ];
  expect(named()).toEqual(both);
  editor.undo();
  expect(named()).toEqual([["log-2", "Mine", undefined], both[1]]);
  editor.undo();
  expect(named()).toEqual([both[1]]);
  editor.redo();
  editor.redo();
  expect(named()).toEqual(expect.arrayContaining(both));
});

test("a node whose id others have taken since comes back with another id, also in later entries", () => {
  const editor = open();
  add(editor, nodeOf("log", { name: "Mine" }));
  editor.change("Rename", (draft) => ({
    ...draft,
    nodes: draft.nodes.map((node) => (node.id === "log" ? { ...node, name: "Renamed" } : node)),
  }));
  editor.undo();
  editor.undo();
  takeIn(editor, withNode(nodeOf("log", { name: "Theirs" })));
  editor.redo();
  editor.redo();
  expect(editor.draft.nodes.map(({ id, name }) => `${id} ${name}`).toSorted()).toEqual([
    "a a",
    "b b",
    "log Theirs",
    "log-2 Renamed",
  ]);
});

test("a new id is none that a deleted node has in the history", () => {
  const editor = open();
  add(editor, nodeOf("log-2", { name: "Deleted" }));
  remove(editor, "log-2");
  add(editor, nodeOf("log", { name: "Mine" }));
  takeIn(editor, withNode(nodeOf("log", { name: "Theirs" })));
  expect(ids(editor.draft)).toContain("log-3");
  editor.undo();
  editor.undo();
  expect(ids(editor.draft).toSorted()).toEqual(["a", "b", "log", "log-2"]);
});
