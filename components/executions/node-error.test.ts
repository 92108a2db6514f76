import { expect, test } from "vitest";
import { markPosition, readNodeError, splitMessage } from "./node-error.tsx";

test("a caret is placed below the position, on its own line of the expression", () => {
  expect(markPosition("a +* b", 3)).toBe("a +* b\n   ^");
  expect(markPosition("const x = 1;\nreturn x +;\n// end", 23)).toBe("const x = 1;\nreturn x +;\n          ^\n// end");
});

test("an error keeps its fields and has null for missing ones", () => {
  const error = readNodeError({ message: "no", code: "EXPRESSION_FAILED", field: "condition" }, undefined);
  expect(error).toMatchObject({ message: "no", code: "EXPRESSION_FAILED", field: "condition", expression: null });
  expect(readNodeError(undefined, undefined)).toBeNull();
  expect(readNodeError("broken", undefined)?.message).toBe("broken");
});

test("a failure names its field as the form does", () => {
  const schema = { type: "object", properties: { ms: { title: "Duration" }, until: { title: "Until" } } };
  const failed = { code: "INVALID_CONFIG", field: "ms", message: "Duration is required, unless Until is given" };
  expect(readNodeError(failed, schema)).toMatchObject({
    field: "Duration",
    hint: "Fix Duration in the flow, then run again from this node.",
  });
  // As older versions stored it.
  const old = { ...failed, message: "ms: is required, unless until is given" };
  expect(readNodeError(old, schema)?.message).toBe(failed.message);
});

test("the expression that a message quotes is found by its own backticks only", () => {
  const own = "`Dear ${name}`";
  expect(splitMessage(`transform: \`${own}\` failed: no`, own)).toEqual({
    before: "transform: ",
    code: own,
    after: " failed: no",
  });
  const long = `"${"a".repeat(300)}"`;
  const shown = `${long.slice(0, 200)}…`;
  expect(splitMessage(`url: \`${shown}\` failed: no`, long)).toEqual({
    before: "url: ",
    code: shown,
    after: " failed: no",
  });
  expect(splitMessage("It took too long", "a.b")).toBeNull();
  expect(splitMessage("`c…` failed", "a.b")).toBeNull();
  expect(splitMessage("It took too long", null)).toBeNull();
});
