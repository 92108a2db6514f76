import { expect, test } from "vitest";
import { markPosition, readNodeError } from "./node-error.ts";

test("a caret stands below the position, on its own line of the expression", () => {
  expect(markPosition("a +* b", 3)).toBe("a +* b\n   ^");
  expect(markPosition("const x = 1;\nreturn x +;\n// end", 23)).toBe("const x = 1;\nreturn x +;\n          ^\n// end");
});

test("an error keeps what it tells and has null for what it does not", () => {
  const error = readNodeError({ message: "no", code: "EXPRESSION_FAILED", field: "condition" });
  expect(error).toMatchObject({ message: "no", code: "EXPRESSION_FAILED", field: "condition", expression: null });
  expect(readNodeError(undefined)).toBeNull();
  expect(readNodeError("broken")?.message).toBe("broken");
});
