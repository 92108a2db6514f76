import { type ExpressionStatement, type Literal, type MemberExpression, parse } from "acorn";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readExpression } from "#lib/expressions/expressions.ts";
import { isStorableText } from "./flow.ts";
import { nodeReference } from "./node-reference.ts";

const idRead = (source: string) => {
  const statement = parse(source, { ecmaVersion: 2024 }).body[0] as ExpressionStatement;
  return ((statement.expression as MemberExpression).property as Literal).value;
};

test("an expression reads back every id that a flow may have", () => {
  const awkward = fc.constantFrom(
    "it's",
    "a\\",
    "a\\'b",
    "}}",
    "{{ x }}",
    "line\nbreak",
    "\r",
    "\u2028",
    "`${1}`",
    '"',
  );
  const ids = fc.oneof(
    fc.string({ minLength: 1, unit: "binary" }).filter(isStorableText),
    awkward,
    fc.string({ unit: awkward, minLength: 1 }),
  );
  fc.assert(
    fc.property(ids, (id) => idRead(nodeReference(id)) === id),
    { numRuns: 2_000 },
  );
});

test("its end is found in a text", () => {
  for (const id of ["}}", "it's }}", "\\"]) {
    const text = `{{ ${nodeReference(id)}.output }} and more`;
    expect(text.slice(readExpression(text, 2).end)).toBe("}} and more");
  }
});
