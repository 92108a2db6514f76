import { Parser } from "acorn";
import { describe, expect, test, vi } from "vitest";
import { ExpressionSyntaxError, expressionLimits, readBody, readExpression, readProgram } from "./read-expression.ts";

const pathOf = (text: string) => {
  const { path } = readProgram(text);
  return path === null ? null : [path.root, ...path.steps.map(({ key, optional }) => (optional ? { key } : key))];
};

describe("a plain member path", () => {
  test.each<[string, unknown[]]>([
    ["$trigger", ["$trigger"]],
    ["$trigger.body.items[0].id", ["$trigger", "body", "items", 0, "id"]],
    ["$nodes['a b'].output", ["$nodes", "a b", "output"]],
    ["$trigger?.body?.['x']", ["$trigger", { key: "body" }, { key: "x" }]],
    ["$trigger.body /* why */ .a", ["$trigger", "body", "a"]],
    ["($trigger.body).a", ["$trigger", "body", "a"]],
    ["$vars.__proto__", ["$vars", "__proto__"]],
  ])("%s is one", (text, path) => {
    expect(pathOf(text)).toEqual(path);
  });

  test.each([
    "body.a",
    "this.a",
    "$trigger.body[$vars.key]",
    "$trigger.body[`a`]",
    "$trigger.body.items[-1]",
    "$trigger.body[1n]",
    "$trigger.body.a()",
    "($trigger?.body).a",
    "$trigger.body, 1",
    "!$trigger.body",
    "$trigger.body.a + 1",
    "$trigger.body = 1",
    "$vars[/a/]",
    "$vars[null]",
    "$vars.#a",
  ])("%s is not, and the sandbox decides", (text) => {
    try {
      expect(readProgram(text).path).toBeNull();
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionSyntaxError);
    }
  });

  test("each step knows its position, counted from the start of its expression", () => {
    const { expression } = readExpression("text {{  $trigger.body['a'].b }}", 7);
    expect(expression.source).toBe("$trigger.body['a'].b");
    for (const { key, position } of expression.path?.steps ?? []) {
      expect(expression.source.slice(position).replace(/^'/, "")).toMatch(new RegExp(`^${key}`));
    }
  });

  test("a function body is never a path", () => {
    expect(readBody("$trigger.body").path).toBeNull();
  });
});

describe("what an expression mentions", () => {
  const mentions = (text: string) => {
    const { names, nodeIds, credentialNames } = readProgram(text);
    return { names: [...names].sort(), nodeIds, credentialNames };
  };

  test.each<[string, string[], string[] | null, string[] | null]>([
    ["1 + 1", [], [], []],
    ["$trigger.body.a + $vars.b", ["$trigger", "$vars"], [], []],
    ["$nodes['a'].output + $nodes.b.output", ["$nodes"], ["b", "a"], []],
    ["$nodes[`a`].output", ["$nodes"], null, []],
    ["$nodes[$vars.id].output", ["$nodes", "$vars"], null, []],
    ["Object.keys($nodes)", ["$nodes"], null, []],
    ["({ $nodes })", ["$nodes"], null, []],
    ["({ ...$nodes })", ["$nodes"], null, []],
    ["$credentials.shop", ["$credentials"], [], ["shop"]],
    ["$credentials.shop + $credentials['other'].key", ["$credentials"], [], ["other", "shop"]],
    ["[$credentials][0].shop", ["$credentials"], [], null],
    ["(() => { const { a } = $credentials; return a })()", ["$credentials"], [], null],
    ["[$item.name, ...$index]", ["$index", "$item"], [], []],
    ["((x) => x.$trigger)({})", ["$trigger"], [], []],
  ])("%s", (text, names, nodeIds, credentialNames) => {
    const found = mentions(text);
    expect(found.names).toEqual(names);
    expect(found.nodeIds === null ? null : [...found.nodeIds].sort()).toEqual(nodeIds === null ? null : nodeIds.sort());
    expect(found.credentialNames?.toSorted() ?? null).toEqual(credentialNames);
  });

  test("a body is searched as well", () => {
    expect(readBody("for (const id of Object.keys($vars)) { if ($nodes[id]) return 1 }")).toMatchObject({
      kind: "body",
      nodeIds: null,
    });
  });
});

describe("problems", () => {
  test.each<[string, number]>([
    ["1 +", 3],
    ["a\n  ..b", 5],
    ["'open", 0],
    ["await x", 6],
    ["import('a').then", -1],
    ["yield 1", 6],
  ])("%j is reported with its position", (text, position) => {
    try {
      readProgram(text);
      expect(position).toBe(-1);
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionSyntaxError);
      expect((error as ExpressionSyntaxError).position).toBe(position);
      expect((error as ExpressionSyntaxError).message).not.toMatch(/\(\d+:\d+\)$/);
    }
  });

  test("a body may not end early and continue", () => {
    expect(() => readBody("return 1 }, function () {")).toThrow(ExpressionSyntaxError);
    expect(() => readBody("})(); (function () { return 1")).toThrow(ExpressionSyntaxError);
  });
});

describe("text that would block the server is not parsed to its end", () => {
  const charactersMax = expressionLimits.expressionCharactersMax;

  test.each([
    ["a path of half a million steps", `$trigger${".b".repeat(500_000)}`],
    ["a long list", `[${"1,".repeat(charactersMax)}1]`],
    ["a long text", `'${"a".repeat(charactersMax)}'`],
    ["a text without its end", `'${"a".repeat(2 * charactersMax)}`],
    ["a long comment", `1 /*${"a".repeat(2 * charactersMax)}*/`],
  ])("%s", (_title, text) => {
    expect(() => readExpression(text, 0)).toThrow(
      new ExpressionSyntaxError(`an expression has at most ${charactersMax} characters`, 0),
    );
  });

  test("a program that is too long", () => {
    const { bodyCharactersMax } = expressionLimits;
    expect(() => readBody(`return 1;${" ".repeat(bodyCharactersMax)}`)).toThrow(`at most ${bodyCharactersMax}`);
  });

  test("an expression of maximum length is parsed, on its own and among much else", () => {
    const text = `'${"a".repeat(charactersMax - 2)}'`;
    expect(readProgram(text).source).toBe(text);
    expect(readExpression(`{{ 1 }}${"x".repeat(charactersMax * 2)}`, 2)).toMatchObject({ end: 5, atEnd: false });
  });

  test.each([
    ["(", "("],
    ["a regular expression", `/${"(".repeat(50_000)}/`],
    ["[", "[".repeat(50_000)],
    ["`${", "`${".repeat(20_000)],
  ])("what is nested deeper than the stack is a mistake of its author: %s", (_title, text) => {
    expect(() => readProgram(text)).toThrow(ExpressionSyntaxError);
  });

  test("thousands of declared names are not each compared with all others", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `let a${index};`).join("");
    const compared = vi.spyOn(Parser.prototype, "declareName");
    expect(readBody(`${names}return 1`).kind).toBe("body");
    expect(compared).toHaveBeenCalledTimes(expressionLimits.declarationsMax);
    compared.mockRestore();
    expect(() => readBody("let a; let a; return 1")).toThrow("already been declared");
  });
});

describe("a text", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

  test("may nest at most 200 brackets of any kind", () => {
    expect(readProgram(nested(200)).kind).toBe("expression");
    const tooDeep = expect.objectContaining({ message: "it is nested too deeply", position: 200 });
    expect(() => readProgram(nested(201))).toThrow(tooDeep);
    expect(() => readBody(`${"{".repeat(201)}${"}".repeat(201)}`)).toThrow(tooDeep);
    expect(() => readProgram(`${"({a:".repeat(101)}1${"})".repeat(101)}`)).toThrow("nested too deeply");
    expect(() => readProgram(`${"`${".repeat(201)}1${"}`".repeat(201)}`)).toThrow("nested too deeply");
  });

  test("is not charged for brackets that are closed again", () => {
    expect(readBody(`${"[(1)];{}".repeat(1_000)}return 1`).kind).toBe("body");
  });

  test("may have at most 100,000 tokens", () => {
    expect(readBody("/a/;".repeat(49_999)).kind).toBe("body");
    expect(() => readBody("/a/;".repeat(50_001))).toThrow("it has more than 100000 words and signs");
  });

  test("is not slower to parse after a long prefix, and positions count from its start", () => {
    const before = "text\n".repeat(200_000);
    const { expression, end } = readExpression(`${before}{{ $vars.a.b }}`, before.length + 2);
    expect(end).toBe(before.length + " $vars.a.b ".length + 2);
    expect(expression.path?.steps.map(({ position }) => position)).toEqual([6, 8]);
    expect(() => readExpression(`${before}{{ 1 + }}`, before.length + 2)).toThrow(
      expect.objectContaining({ position: before.length + 7 }),
    );
    expect(() => readExpression(`${before}{{ ${nested(201)} }}`, before.length + 2)).toThrow(
      expect.objectContaining({ position: before.length + 3 + 200 }),
    );
  });
});
