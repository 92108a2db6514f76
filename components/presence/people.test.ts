import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { initialsOf } from "#components/shell/account-menu.tsx";
import { coloursMax, coloursOf, displayName, peopleOf } from "./people.ts";

const tab = (userId: string, name: string, ...selection: string[]) => ({
  tab: name,
  userId,
  name: userId,
  selection,
  within: null,
});

test("lists everyone but this tab once, with the selections of all their tabs", () => {
  const tabs = [
    tab("ana", "a1", "x"),
    tab("me", "m1", "y"),
    tab("bo", "b1"),
    tab("ana", "a2", "z", "x"),
    tab("me", "m2"),
  ];
  const people = peopleOf({ people: tabs, you: "me" }, "m1");
  expect(people.map(({ userId, isYou, selection, focus }) => [userId, isYou, selection, focus])).toEqual([
    ["ana", false, ["x", "z"], ["z", "x"]],
    ["bo", false, [], []],
    ["me", true, [], []],
  ]);
  expect(people.map(displayName)).toEqual(["ana", "bo", "You, in another tab"]);
});

test("a tab without a selection does not hide another tab's selection", () => {
  expect(peopleOf({ people: [tab("ana", "a1", "x"), tab("ana", "a2")], you: "me" }, "m1")[0]?.focus).toEqual(["x"]);
});

test("a tab in a loop's body is where its person is, whether or not anything is selected there", () => {
  const within = { ...tab("ana", "a2"), within: "loop" };
  const placeOf = (...tabs: (typeof within | ReturnType<typeof tab>)[]) => {
    const [ana] = peopleOf({ people: tabs, you: "me" }, "m1");
    return [ana?.within, ana?.focus];
  };
  expect(placeOf(tab("ana", "a1", "x"), within)).toEqual(["loop", []]);
  expect(placeOf(within, tab("ana", "a3"))).toEqual(["loop", []]);
  expect(placeOf(within, tab("ana", "a3", "x"))).toEqual([null, ["x"]]);
});

test("nobody can hide or impersonate someone by reusing a tab's name", () => {
  const people = peopleOf({ people: [tab("bo", "m1"), tab("me", "m1")], you: "me" }, "m1");
  expect(people.map(({ userId, isYou }) => [userId, isYou])).toEqual([["bo", false]]);
});

test("everyone sees the same colours, and no two people share one while there are enough", () => {
  const ids = Array.from({ length: coloursMax }, (_, index) => `user_${index * 7}`);
  const colours = coloursOf(ids);
  expect(new Set(colours.values()).size).toBe(coloursMax);
  expect([...coloursOf([...ids].reverse())]).toEqual([...colours]);
  expect(coloursOf([...ids, "user_more"]).get("user_more")).toBeLessThan(coloursMax);
});

test.each([
  ["Ana Lind", "AL"],
  ["  ana maria  lind ", "AL"],
  ["bo", "B"],
  ["👩‍💻 dev", "👩D"],
  ["", ""],
])("the initials of %j are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("each colour is legible as text and as a line, in light and dark", () => {
  const css = readFileSync(new URL("./presence.module.css", import.meta.url), "utf8");
  const colours = (lead: string) =>
    [...css.matchAll(new RegExp(`^${lead}\\.person\\[data-colour="\\d"\\] \\{\\n  --person: (#\\w{6});`, "gm"))].map(
      ([, colour = ""]) => colour,
    );
  const [light, dark] = [colours(""), colours('\\[data-mantine-color-scheme="dark"\\] ')];
  expect([light.length, dark.length]).toEqual([coloursMax, coloursMax]);
  const unread = (all: readonly string[], surfaces: readonly string[]) =>
    all.filter((colour) => surfaces.some((surface) => contrast(colour, surface) < 4.5));
  expect(unread(light, ["#ffffff", "#f1f3f3", "#f9fafa"])).toEqual([]);
  expect(unread(dark, ["#0b0e0f", "#101415", "#171c1e"])).toEqual([]);
});

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
