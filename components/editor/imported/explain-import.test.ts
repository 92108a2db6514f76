import { expect, test } from "vitest";
import { ApiError } from "#lib/contract/client.ts";
import { explainImport } from "./offer-import.ts";

const refusal = (details: Record<string, string>) =>
  explainImport(new ApiError(400, "VALIDATION_ERROR", "The text cannot be imported", details, null));

test("each problem of a text that cannot be imported has its line", () => {
  const tab = { "line 10, column 1": "Tabs are not allowed as indentation" };
  expect(refusal(tab)).toBe("Line 10: Tabs are not allowed as indentation.");
  const many = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`line ${index}, column 1 (a)`, "is wrong"]));
  expect(refusal(many)).toMatch(/^Line 0: is wrong\. .*Line 4: is wrong\. And 2 more\.$/);
});

test("other problems are explained as usual", () => {
  expect(refusal({ name: "is required" })).toBe("Name is required.");
});
