import { expect, test } from "vitest";
import { handlesOf, plainHandle } from "./node-types.ts";

const switchHandles = { fixed: ["default"], each: "cases" };

test("a node with only its plain handle has no others", () => {
  expect(handlesOf(plainHandle, {})).toEqual([]);
});

test("fixed handles do not depend on the config", () => {
  expect(handlesOf({ fixed: ["true", "false"] }, null)).toEqual(["true", "false"]);
});

test("each item of the named field gets a handle, before the fixed ones", () => {
  expect(handlesOf(switchHandles, { cases: [{ id: "home" }, { id: "eu" }] })).toEqual(["home", "eu", "default"]);
});

test.each([undefined, null, [], "text", {}, { cases: "none" }, { cases: null }, { cases: [null, 3, {}, { id: 3 }] }])(
  "an unfinished config has the fixed ones: %j",
  (config) => {
    expect(handlesOf(switchHandles, config)).toEqual(["default"]);
  },
);
