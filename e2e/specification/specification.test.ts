import { expect, test } from "vitest";
import { claimsIn, coverageLine, specificationCoverage, statementsIn } from "./coverage.ts";

test("every statement has a test that claims to prove it, and every claim names a statement", () => {
  const { statements, unproven, unknown } = specificationCoverage();
  expect({ unproven, unknown }).toEqual({ unproven: [], unknown: [] });
  expect(statements.length).toBeGreaterThan(400);
  expect(new Set(statements).size).toBe(statements.length);
});

test("statements are found by their section", () => {
  expect(statementsIn("# T\n\n## a\n- `x` Words\n- `y` `more` words\nwords\n## b-c\n- `x` Words\n")).toEqual([
    "a.x",
    "a.y",
    "b-c.x",
  ]);
});

test("a claim counts only right above a test", () => {
  const source = [
    "// Proves a.x, a.y",
    "// Proves b.z",
    'it("is so", () => {',
    "  // Proves a.lost",
    "  expect(1).toBe(1);",
    "});",
    "// Proves c.each",
    "test.each([1])('is %i', () => {});",
  ].join("\n");
  expect(claimsIn(source)).toEqual(["a.x", "a.y", "b.z", "c.each"]);
});

test("the line says how many have one", () => {
  const coverage = { statements: ["a.b", "a.c", "a.d"], unproven: ["a.b"], unknown: [] };
  expect(coverageLine(coverage)).toBe("Specification: 2 of 3 statements have a test");
});
