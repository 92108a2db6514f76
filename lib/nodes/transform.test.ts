import { expect, test } from "vitest";
import { findConfigProblems, planNodeConfig } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";
import { transform } from "./transform.ts";

// Proves nodes.transform
test.each([{ a: 1 }, [1], "text", "", 0, false, null])("the output is the value itself: %j", async (value) => {
  const { output, handle } = await runNodeAlone(asNode(transform), { transform: value });
  expect({ output, handle }).toEqual({ output: value, handle: undefined });
});

test("a string is a program; strings inside an object are templates", () => {
  const expressions = (value: unknown) => {
    const { slots } = planNodeConfig("transform", { transform: value } as never);
    return slots.map(({ path }) => path);
  };
  expect(expressions("$vars.a")).toEqual(["transform"]);
  expect(expressions({ total: "{{ $vars.a }}", note: "$vars.a" })).toEqual(["transform.total"]);
});

test("it must not be empty", () => {
  expect(findConfigProblems("transform", {})).toEqual([{ path: "transform", message: "is required" }]);
});
