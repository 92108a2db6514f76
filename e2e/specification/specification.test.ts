import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { coverageLine, specificationCoverage } from "./coverage.ts";
import { isTest } from "./named-tests.ts";
import { sections } from "./sections.ts";

test("every statement names a test that exists", () => {
  expect(specificationCoverage().unproven).toEqual([]);
});

test("a test is known by its file and all of its titles", () => {
  const [name] = ["flows-list > filters > status is exact"];
  expect(isTest(name)).toBe(true);
  for (const other of ["flows-list > filters", "flows-list > status is exact", `${name}!`, `no-file > ${name}`]) {
    expect(isTest(other)).toBe(false);
  }
  expect(isTest("e2e/specification/specification.test.ts > every statement names a test that exists")).toBe(true);
});

test("what is told counts statements, not tests", () => {
  const unproven = ["x", "y"].map((name) => ({ id: "a.b", test: name }));
  expect(coverageLine({ statements: 3, unproven })).toBe("Specification: 2 of 3 statements have a test");
});

test("every file of statements is in the list", () => {
  const machinery = new Set(["coverage.ts", "named-tests.ts", "section.ts", "sections.ts", "specification.test.ts"]);
  const files = readdirSync(import.meta.dirname).filter((file) => !machinery.has(file));
  expect(
    Object.keys(sections)
      .map((name) => `${name.replaceAll(".", "-")}.ts`)
      .sort(),
  ).toEqual(files.sort());
});
