import { expect, test } from "vitest";
import { memberText } from "./member-text.ts";

const values = [
  null,
  0,
  -1.5e300,
  true,
  "",
  'a "quoted" \\ text, with } and ]',
  "\u0000\ud800",
  [],
  {},
  [[{}], "]"],
  { body: { body: 1 } },
];

test.each(values)("the text of %j is found at any position", (value) => {
  for (const object of [
    { body: value },
    { body: value, last: "}" },
    { 'a"},': [value], "": {}, body: value, last: 1 },
  ]) {
    expect(memberText(JSON.stringify(object), "body")).toBe(JSON.stringify(value));
  }
  expect(memberText(JSON.stringify({ other: value, more: { body: value } }), "body")).toBeUndefined();
});

test("names are distinguished as in JSON", () => {
  const json = JSON.stringify({ bo: 1, "body ": 2, 'bo"dy': 3, "bo\u0000dy": 4 });
  expect(["bo", "body ", 'bo"dy', "bo\u0000dy", "body"].map((name) => memberText(json, name))).toEqual([
    "1",
    "2",
    "3",
    "4",
    undefined,
  ]);
  expect(memberText("{}", "body")).toBeUndefined();
});
