import { LRUCache } from "lru-cache";
import { type Expression, readBody } from "#lib/expressions/expressions.ts";
import { singleton } from "#lib/platform/singleton.ts";

const charactersKept = 4 * 1024 * 1024;
const programs = () =>
  singleton(
    "code-programs",
    () => new LRUCache<string, Expression>({ maxSize: charactersKept, sizeCalculation: (_, code) => code.length + 1 }),
  );

/** The program of a code node, read once for all of its runs. Throws ExpressionSyntaxError. */
export function codeProgram(code: string): Expression {
  const known = programs().get(code);
  if (known !== undefined) return known;
  const program = readBody(code);
  programs().set(code, program);
  return program;
}
