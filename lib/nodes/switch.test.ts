import { describe, expect, test } from "vitest";
import { findConfigProblems } from "./registry.ts";
import { switchNode } from "./switch.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const run = async (value: unknown, cases: object[]) => {
  const { output, handle } = await runNodeAlone(asNode(switchNode), { value, cases });
  return { output, handle };
};

describe("the chosen case", () => {
  test("is the first that matches", async () => {
    const cases = [
      { id: "a", equals: "x" },
      { id: "b", equals: "x" },
    ];
    expect(await run("x", cases)).toEqual({ output: { value: "x", case: "a" }, handle: "a" });
  });

  test("is `default` if none matches or there are none", async () => {
    expect(await run("x", [{ id: "a", equals: "y" }])).toEqual({
      output: { value: "x", case: "default" },
      handle: "default",
    });
    expect((await run("x", [])).handle).toBe("default");
  });

  test.each([
    [1, "1", false],
    [1, 1, true],
    [null, null, true],
    [{ a: [1] }, { a: [1] }, true],
    ["", 0, false],
    [false, null, false],
  ])("%j and %j: %s", async (value, equals, fits) => {
    expect((await run(value, [{ id: "a", equals }])).handle).toBe(fits ? "a" : "default");
  });

  // Proves nodes.switch
  test("is decided by its `when` if it has one", async () => {
    const cases = [
      { id: "a", when: false, equals: "x" },
      { id: "b", when: "yes" },
    ];
    expect((await run("x", cases)).handle).toBe("b");
  });
});

describe("a config", () => {
  const problems = (cases: unknown) => findConfigProblems("switch", { value: "$vars.a", cases } as never);

  test("needs a value and a list of cases", () => {
    expect(findConfigProblems("switch", {}).map(({ path }) => path)).toEqual(["value", "cases"]);
    expect(problems("none").map(({ path }) => path)).toEqual(["cases"]);
    expect(problems([])).toEqual([]);
  });

  test.each<[unknown[], string]>([
    [[{ id: "default" }], "cases[0].id"],
    [[{ id: "error" }], "cases[0].id"],
    [[{ id: "" }], "cases[0].id"],
    [[{ id: "x".repeat(65) }], "cases[0].id"],
    [[{ id: 3 }], "cases[0].id"],
    [[{}], "cases[0].id"],
    [[{ id: "a" }, { id: "a" }], "cases"],
    [Array.from({ length: 101 }, (_, index) => ({ id: `c${index}` })), "cases"],
    [[{ id: "a", when: "$vars." }], "cases[0].when"],
  ])("%# is refused", (cases, path) => {
    expect(problems(cases).map((problem) => problem.path)).toEqual([path]);
  });

  test("100 cases are accepted", () => {
    expect(problems(Array.from({ length: 100 }, (_, index) => ({ id: `c${index}` })))).toEqual([]);
  });
});
