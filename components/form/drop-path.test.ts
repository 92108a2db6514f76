import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { droppedAt } from "./drop-path.ts";

const path = "$trigger.body.id";
const insertOf = (...given: Parameters<typeof droppedAt>) => droppedAt(...given).insert;
const state = (doc: string) => EditorState.create({ doc, extensions: [json()] });

test("a path is put into text within braces, and into an expression as it is", () => {
  expect(insertOf(state("Order "), 6, path, "template")).toBe("{{ $trigger.body.id }}");
  expect(insertOf(state("{{  }}"), 3, path, "template")).toBe(path);
  expect(insertOf(state("x + "), 4, path, "expression")).toBe(path);
});

test("a path is put into JSON as a string of its own, or into the string that is there", () => {
  expect(insertOf(state(""), 0, path, "json")).toBe('"{{ $trigger.body.id }}"');
  expect(insertOf(state('{"a": }'), 6, path, "json")).toBe('"{{ $trigger.body.id }}"');
  expect(insertOf(state('{"a": "no "}'), 10, path, "json")).toBe("{{ $trigger.body.id }}");
});

test("let go on a path, it takes that path's place", () => {
  const doc = "{{ $nodes['a b'].output.x[0] + 1 }}";
  expect(droppedAt(state(doc), 12, path, "template")).toEqual({ from: 3, to: 28, insert: path });
  expect(droppedAt(state(doc), 30, path, "template")).toEqual({ from: 30, to: 30, insert: path });
});
