import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { droppedAt } from "./drop-path.ts";

const path = "$trigger.body.id";
const insertOf = (...given: Parameters<typeof droppedAt>) => droppedAt(...given).insert;
const state = (doc: string) => EditorState.create({ doc, extensions: [json()] });

test("a path dropped on text gets braces; in an expression it does not", () => {
  expect(insertOf(state("Order "), 6, path, "template")).toBe("{{ $trigger.body.id }}");
  expect(insertOf(state("{{  }}"), 3, path, "template")).toBe(path);
  expect(insertOf(state("x + "), 4, path, "expression")).toBe(path);
});

test("a path dropped on JSON becomes a string, or joins the string that is there", () => {
  expect(insertOf(state(""), 0, path, "json")).toBe('"{{ $trigger.body.id }}"');
  expect(insertOf(state('{"a": }'), 6, path, "json")).toBe('"{{ $trigger.body.id }}"');
  expect(insertOf(state('{"a": "no "}'), 10, path, "json")).toBe("{{ $trigger.body.id }}");
});

test("dropped on a path, it replaces that path", () => {
  const doc = "{{ $nodes['a b'].output.x[0] + 1 }}";
  expect(droppedAt(state(doc), 12, path, "template")).toEqual({ from: 3, to: 28, insert: path });
  expect(droppedAt(state(doc), 30, path, "template")).toEqual({ from: 30, to: 30, insert: path });
});
