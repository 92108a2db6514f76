import { json } from "@codemirror/lang-json";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { writtenAt } from "./drop-path.ts";

const path = "$trigger.body.id";
const state = (doc: string) => EditorState.create({ doc, extensions: [json()] });

test("a path is put into text within braces, and into an expression as it is", () => {
  expect(writtenAt(state("Order "), 6, path, "template")).toBe("{{ $trigger.body.id }}");
  expect(writtenAt(state("{{  }}"), 3, path, "template")).toBe(path);
  expect(writtenAt(state("x + "), 4, path, "expression")).toBe(path);
});

test("a path is put into JSON as a string of its own, or into the string that is there", () => {
  expect(writtenAt(state(""), 0, path, "json")).toBe('"{{ $trigger.body.id }}"');
  expect(writtenAt(state('{"a": }'), 6, path, "json")).toBe('"{{ $trigger.body.id }}"');
  expect(writtenAt(state('{"a": "no "}'), 10, path, "json")).toBe("{{ $trigger.body.id }}");
});
