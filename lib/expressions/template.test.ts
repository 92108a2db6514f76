import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExpressionSyntaxError, expressionLimits } from "./read-expression.ts";
import {
  isTemplate,
  parseConditionField,
  parseProgramField,
  parseTemplate,
  type Template,
  templateLimits,
} from "./template.ts";

/** The segments in source form: text as text, expressions in brackets. */
function shown({ segments, isSingle }: Template) {
  return { segments: segments.map((part) => (typeof part === "string" ? part : [part.source])), isSingle };
}

function problemOf(parse: () => unknown): { message: string; position: number } {
  try {
    parse();
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return { message: error.message, position: error.position };
    throw error;
  }
  throw new Error("there was no problem");
}

describe("the segments of a string", () => {
  // Proves expressions.braces
  test.each<[string, (string | [string])[], boolean]>([
    ["", [""], false],
    ["plain text", ["plain text"], false],
    ["{{ $trigger.body }}", [["$trigger.body"]], true],
    ["{{$vars.a}}", [["$vars.a"]], true],
    ["Hello {{ $vars.name }}!", ["Hello ", ["$vars.name"], "!"], false],
    ["{{ 1 }}{{ 2 }}", [["1"], ["2"]], false],
    [" {{ 1 }}", [" ", ["1"]], false],
    ["{{ {a: {b: 1}} }}", [["{a: {b: 1}}"]], true],
    ["{{{a: {b: 1}}}}", [["{a: {b: 1}}"]], true],
    ['{{ "}}" }}', [['"}}"']], true],
    ["{{ '{{' }}", [["'{{'"]], true],
    ["{{ `a${ {b: '}}'}.b }c` }}", [["`a${ {b: '}}'}.b }c`"]], true],
    ["{{ /}}/.test($vars.a) }}", [["/}}/.test($vars.a)"]], true],
    ["{{ 1 /* }} */ }}", [["1 /* }} */"]], true],
    ["{{ 1 // }}\n }}", [["1 // }}"]], true],
    ["{{ a\n  .b }}", [["a\n  .b"]], true],
    ["{{ ((a) => { return {b: a} })(1) }}", [["((a) => { return {b: a} })(1)"]], true],
    ["{{ a, b }}", [["a, b"]], true],
    ["\\{{ not this }}", ["{{ not this }}"], false],
    ["a \\{{ b {{ 1 }}", ["a {{ b ", ["1"]], false],
    ["{{ 1 }}\\{{", [["1"], "{{"], false],
    ["}} stays }", ["}} stays }"], false],
    ["{ {1} }", ["{ {1} }"], false],
    ["ünï {{ '✓' }} 🙂", ["ünï ", ["'✓'"], " 🙂"], false],
  ])("%j", (text, segments, isSingle) => {
    expect(shown(parseTemplate(text))).toEqual({ segments, isSingle });
  });

  test("text with {{ in it is a template, other text is not", () => {
    expect(["{{", "a {{ b", "\\{{"].map(isTemplate)).toEqual([true, true, true]);
    expect(["", "{ {", "}}", "{"].some(isTemplate)).toBe(false);
  });
});

describe("text that cannot be parsed", () => {
  test.each<[string, RegExp, number]>([
    ["{{ }}", /no expression between the braces/, 0],
    ["a {{}} b", /no expression between the braces/, 2],
    ["{{ 1 }", /expected "}}" after the expression, but found "}"/, 5],
    ["{{ 1", /found the end of the text/, 4],
    ["text {{ a b }}", /expected "}}".*found "b }}"/, 10],
    ["{{ a +", /unexpected token/, 6],
    ['{{ "open }}', /unterminated string/, 3],
    ["{{ 1 // }}", /found the end of the text/, 10],
    ["{{ return 1 }}", /unexpected token/, 3],
    ["{{ #! }}", /unexpected character/, 4],
    ["{{ a; b }}", /expected "}}".*found "; b }}"/, 4],
    ["\n\n{{ a +", /unexpected token/, 8],
  ])("%j", (text, message, position) => {
    expect(problemOf(() => parseTemplate(text))).toEqual({
      message: expect.stringMatching(message),
      position,
    });
  });

  test("an expression nested too deeply for the parser is a problem like any other", () => {
    expect(problemOf(() => parseTemplate(`x {{ ${"(".repeat(30_000)}1`)).message).toMatch(/nested too deeply/);
  });

  test("limits apply to the expressions in one string and to the length of each", () => {
    const { expressionsMax } = templateLimits;
    const { expressionCharactersMax } = expressionLimits;
    expect(parseTemplate("{{1}}".repeat(expressionsMax)).segments).toHaveLength(expressionsMax);
    expect(problemOf(() => parseTemplate("{{1}}".repeat(expressionsMax + 1))).message).toMatch(/more than 1000/);
    const quoted = (characters: number) => `{{"${"a".repeat(characters - 2)}"}}`;
    expect(parseTemplate(quoted(expressionCharactersMax)).isSingle).toBe(true);
    expect(problemOf(() => parseTemplate(quoted(expressionCharactersMax + 1))).message).toMatch(/at most 65536/);
  });
});

describe("a program field", () => {
  test.each<[string, (string | [string])[]]>([
    ["$trigger.body.total > 100", [["$trigger.body.total > 100"]]],
    ["{a: 1}", [["{a: 1}"]]],
    ["({ text: '{{ 1 }}' })", [["({ text: '{{ 1 }}' })"]]],
    ["{{ $trigger.body.ok }}", [["$trigger.body.ok"]]],
    [" {{ $trigger.body.ok }} ", [" ", ["$trigger.body.ok"], " "]],
    ["const a = 1;\nreturn a;", [["const a = 1;\nreturn a;"]]],
    ["if ($vars.a) { return 1 } return 2", [["if ($vars.a) { return 1 } return 2"]]],
    // The word `return` is in the text, but the braces decide.
    ["{{ $trigger.body.return }}", [["$trigger.body.return"]]],
    ['{{ $trigger.body.kind === "return" }}', [['$trigger.body.kind === "return"']]],
    ["{{ {return: 1} }}", [["{return: 1}"]]],
    ["Please return {{ 1 }}", ["Please return ", ["1"]]],
  ])("%j", (text, segments) => {
    expect(shown(parseProgramField(text)).segments).toEqual(segments);
  });

  test("a body is distinguished from an expression", () => {
    const kindOf = (text: string) =>
      parseProgramField(text).segments.map((part) => typeof part !== "string" && part.kind);
    expect(kindOf("$vars.returned")).toEqual(["expression"]);
    expect(kindOf("() => { return 1 }")).toEqual(["expression"]);
    expect(kindOf("return $vars.a")).toEqual(["body"]);
  });

  test.each<[string, RegExp]>([
    ["$trigger.body.", /unexpected token/],
    ["a b", /unexpected "b"/],
    ["const a = 1", /unexpected/],
    ["#!1\n2", /unexpected character/],
    ["", /there is no expression/],
    [" \n", /there is no expression/],
    ["return (", /unexpected token/],
    ["{{ $vars.a", /found the end of the text/],
  ])("%j is a problem", (text, message) => {
    expect(problemOf(() => parseProgramField(text)).message).toMatch(message);
  });
});

describe("a condition field", () => {
  // Proves expressions.conditions
  test.each<[string, string[]]>([
    ["{{ $trigger.body.ok }}", ["$trigger.body.ok"]],
    [" {{ $trigger.body.ok }}\n", [" ($trigger.body.ok)\n"]],
    ["{{ $vars.count }} > 5", ["($vars.count) > 5"]],
    ["{{ $vars.a, $vars.b }} || !{{ {a: 1}.a }}", ["($vars.a, $vars.b) || !({a: 1}.a)"]],
    ["$vars.count > 5", ["$vars.count > 5"]],
    ["'{{ text }}' === $vars.text", ["'{{ text }}' === $vars.text"]],
    ["return $vars.a", ["return $vars.a"]],
    ["return {{ $vars.a }}", ["return ($vars.a)"]],
  ])("%j is one expression", (text, [source]) => {
    const { segments, isSingle } = parseConditionField(text);
    expect([isSingle, segments]).toEqual([true, [expect.objectContaining({ source: source?.trim() })]]);
  });

  test.each(["Hello {{ $vars.name }}!", "{{ $vars.a }} = 5 5"])(
    "%j is not a condition, and the error says so",
    (text) => {
      expect(problemOf(() => parseConditionField(text)).message).toMatch(/a condition is one expression/);
    },
  );
});

describe("size", () => {
  const megabytes = 5_000_000;

  test.each<[string, string]>([
    ["5 MB of text", "a".repeat(megabytes)],
    ["5 MB of single braces", "{ ".repeat(megabytes / 2)],
    ["5 MB of opening braces", "{".repeat(megabytes)],
    ["5 MB of escaped braces", "\\{{".repeat(megabytes / 3)],
    ["100,000 expressions", "{{1}}".repeat(100_000)],
    ["100,000 expressions on lines of their own", "{{1}}\n".repeat(100_000)],
    ["1,000 expressions after 5 MB of line breaks", `${"\n".repeat(megabytes)}${"{{1}}\n".repeat(1_000)}`],
    ["an unclosed expression of 5 MB", `{{ ${"a+".repeat(megabytes / 2)}`],
    ["an unclosed string of 5 MB", `{{ "${"a".repeat(megabytes)}`],
    ["5 MB of blanks in an expression", `{{${" ".repeat(megabytes)}1}}`],
    ["an unclosed comment of 5 MB", `{{ /*${"*".repeat(megabytes)}`],
  ])("%s is looked through once: again for each part of it, it would take hours", { timeout: 120_000 }, (_, text) => {
    try {
      expect(parseTemplate(text).segments.length).toBeLessThanOrEqual(2_001);
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionSyntaxError);
    }
  });
});

describe("random strings", () => {
  test("text without braces is one segment, itself", () => {
    const property = fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!text.includes("{{"));
      expect(parseTemplate(text)).toEqual({ segments: [text], isSingle: false });
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("any text is a template that reproduces it, or a syntax error with a position", () => {
    const fragments = fc.constantFrom(
      "{",
      "}",
      "{{",
      "}}",
      "\\",
      "'",
      '"',
      "`",
      "${",
      "/",
      "*",
      "\n",
      "$a",
      "1",
      " ",
      "(",
    );
    const property = fc.property(fc.array(fragments, { maxLength: 14 }), (parts) => {
      const text = parts.join("");
      try {
        expect(parseTemplate(text).segments.length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionSyntaxError);
        const { position } = error as ExpressionSyntaxError;
        expect(position).toBeGreaterThanOrEqual(0);
        expect(position).toBeLessThanOrEqual(text.length);
      }
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  // Proves expressions.braces
  test("texts and expressions are found again, in order", () => {
    const expressions = fc.oneof(
      fc.json().map((json) => `(${json})`),
      fc.string().map((text) => JSON.stringify(`${text}}}`)),
      fc.constantFrom("$trigger.body.a", "{a: {b: 1}}", "`x${'}}'}`", "/}}/.test('')", "[1, {}][0]", "a ? {b} : {}"),
    );
    const texts = fc.string().map((text) => text.replaceAll("{", "(").replaceAll("\\", "/"));
    const property = fc.property(fc.array(fc.tuple(texts, expressions), { maxLength: 6 }), texts, (pairs, last) => {
      const text = pairs.map(([before, source]) => `${before}{{ ${source} }}`).join("") + last;
      const expected = [...pairs.flatMap(([before, source]) => [before, [source]]), last].filter((part) => part !== "");
      expect(shown(parseTemplate(text)).segments).toEqual(expected.length === 0 ? [""] : expected);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
