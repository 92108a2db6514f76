import { expect, test } from "vitest";
import { readTypedPath, valueAt } from "./expression-scope.ts";

const roots = [
  { name: "$trigger", description: "", value: { body: { items: [{ id: 7 }], "order no": 1 } } },
  { name: "$nodes", description: "", value: { "get-rate": { output: { ok: true } } } },
];

test("a path is read up to the cursor, whatever precedes it", () => {
  expect(readTypedPath("{{ $tri")).toMatchObject({ style: "root", typed: "$tri" });
  expect(readTypedPath("a + $trigger.")).toMatchObject({ root: "$trigger", keys: [], typed: "", style: "dot" });
  expect(readTypedPath("$trigger.body.it")).toMatchObject({ root: "$trigger", keys: ["body"], typed: "it" });
  expect(readTypedPath("$trigger?.body?.items[0].i")).toMatchObject({ keys: ["body", "items", "0"], typed: "i" });
  expect(readTypedPath("$nodes['get-rate'].output.")).toMatchObject({ keys: ["get-rate", "output"], typed: "" });
  expect(readTypedPath("$nodes['ge")).toMatchObject({
    root: "$nodes",
    keys: [],
    typed: "ge",
    style: "quoted",
    quote: "'",
  });
});

test("text that does not end in a path is none", () => {
  for (const text of ["", "a + b", "$trigger.body[0]", "$trigger.body + ", "price$"]) {
    expect(readTypedPath(text)?.style === "dot" || readTypedPath(text)?.style === "quoted").toBe(false);
  }
});

test("a path leads to its value in the data, and only to own properties", () => {
  expect(valueAt(roots, "$trigger", ["body", "items", "0", "id"])).toBe(7);
  expect(valueAt(roots, "$nodes", ["get-rate", "output", "ok"])).toBe(true);
  expect(valueAt(roots, "$trigger", ["constructor"])).toBeUndefined();
  expect(valueAt(roots, "$none", [])).toBeUndefined();
});
