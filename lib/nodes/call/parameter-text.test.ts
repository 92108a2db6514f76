// The table "Style Examples" of the OpenAPI Specification, and cases that it does not cover.
import { describe, expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import type { ParameterStyle } from "#lib/services/model/service.ts";
import { headerText, pairsOf, pathText } from "./parameter-text.ts";

const list = ["blue", "black", "brown"];
const fields = { R: 100, G: 200, B: 150 };

describe("in a path", () => {
  test.each<[ParameterStyle, unknown, string]>([
    ["simple", "blue", "blue"],
    ["simple", list, "blue,black,brown"],
    ["simple", fields, "R,100,G,200,B,150"],
    ["simple*", list, "blue,black,brown"],
    ["simple*", fields, "R=100,G=200,B=150"],
    ["label", "", "."],
    ["label", "blue", ".blue"],
    ["label", list, ".blue,black,brown"],
    ["label", fields, ".R,100,G,200,B,150"],
    ["label*", list, ".blue.black.brown"],
    ["label*", fields, ".R=100.G=200.B=150"],
    ["matrix", "", ";color"],
    ["matrix", "blue", ";color=blue"],
    ["matrix", list, ";color=blue,black,brown"],
    ["matrix", fields, ";color=R,100,G,200,B,150"],
    ["matrix*", "", ";color"],
    ["matrix*", "blue", ";color=blue"],
    ["matrix*", list, ";color=blue;color=black;color=brown"],
    ["matrix*", fields, ";R=100;G=200;B=150"],
    ["json", fields, "%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"],
    ["simple", ["a,b", "c/d", "ü"], "a%2Cb,c%2Fd,%C3%BC"],
    ["matrix", "a;b=c", ";color=a%3Bb%3Dc"],
    ["simple", [1, null, true, { a: 1 }], "1,true,%7B%22a%22%3A1%7D"],
    ["simple", [], ""],
    ["simple", "\ud800", "%EF%BF%BD"],
  ])("%s writes %j as %s", (style, value, text) => expect(pathText("color", value, style)).toBe(text));
});

describe("in a query", () => {
  test.each<[ParameterStyle, unknown, string]>([
    ["form", "", "color="],
    ["form", "blue", "color=blue"],
    ["form", list, "color=blue,black,brown"],
    ["form", fields, "color=R,100,G,200,B,150"],
    ["form*", "blue", "color=blue"],
    ["form*", list, "color=blue&color=black&color=brown"],
    ["form*", fields, "R=100&G=200&B=150"],
    ["spaceDelimited", list, "color=blue%20black%20brown"],
    ["spaceDelimited", fields, "color=R%20100%20G%20200%20B%20150"],
    ["spaceDelimited*", list, "color=blue&color=black&color=brown"],
    ["pipeDelimited", list, "color=blue%7Cblack%7Cbrown"],
    ["pipeDelimited", fields, "color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", fields, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    ["deepObject", { a: { b: [1, 2] }, c: null }, "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2"],
    ["deepObject", list, "color=blue&color=black&color=brown"],
    ["json", fields, "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"],
    ["form", ["a,b", "c&d", "e f"], "color=a%2Cb,c%26d,e%20f"],
    ["form*", { "a&b": "c=d" }, "a%26b=c%3Dd"],
    ["form", [], ""],
  ])("%s writes %j as %s", (style, value, text) => expect(pairsOf("color", value, style).join("&")).toBe(text));
});

describe("in a header", () => {
  test.each<[ParameterStyle, unknown, string]>([
    ["simple", list, "blue,black,brown"],
    ["simple", fields, "R,100,G,200,B,150"],
    ["simple*", fields, "R=100,G=200,B=150"],
    ["json", fields, '{"R":100,"G":200,"B":150}'],
    ["simple", "a b/c", "a b/c"],
  ])("%s writes %j as %s", (style, value, text) => expect(headerText("color", value, style)).toBe(text));
});

describe("refused is", () => {
  const key = "k".repeat(20_000);
  test.each<[string, unknown, ParameterStyle]>([
    ["a list of too many values", Array(1_001).fill(1), "form"],
    [
      "an object of too many fields",
      Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, 1])),
      "form*",
    ],
    ["an object with too much in it", { a: Array(1_001).fill(1) }, "deepObject"],
    ["what is too long", "x".repeat(70_000), "form"],
    ["names that grow too long", { [key]: { [key]: { [key]: { [key]: 1 } } } }, "deepObject"],
  ])("%s", (_, value, style) => {
    expect(() => pairsOf("color", value, style)).toThrow(/^parameters\.color: /);
  });

  test("values deeper than five levels are JSON at the last level", () => {
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
    expect(decodeURIComponent(pairsOf("x", deep, "deepObject").join("&"))).toBe('x[a][b][c][d][e]={"f":1}');
  });
});

test.each<[string, ParameterStyle]>([
  ["a path", "simple"],
  ["a query", "form"],
  ["a query", "deepObject"],
  ["a query", "json"],
])("a value of megabytes is refused in %s before it is written as %s", (_, style) => {
  const value = { all: Array(100).fill("x".repeat(1_000_000)) };
  const write = () => (style === "simple" ? pathText : pairsOf)("color", value, style);
  expect(write).toThrow("takes more than 65536 characters");
  const refuse = () => expect(write).toThrow();
  expect(cpuTime(refuse)).toBeLessThan(20);
});
