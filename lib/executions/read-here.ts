import type { Expression } from "#lib/engine/expression.ts";
import { type PathValue, readMemberPath } from "#lib/engine/member-path.ts";
import { type Budget, runSimple } from "#lib/engine/simple-program.ts";
import type { Scope } from "./scope.ts";

/** The value of an expression, or of a code node's program, that needs no sandbox; else `unsure`. */
export function readHere(expression: Expression, scope: Pick<Scope, "has" | "value">, budget: Budget): PathValue {
  const { path, simple } = expression;
  if (path !== null && scope.has(path.root)) {
    const read = readMemberPath(path, scope.value(path.root, expression));
    if (read.kind !== "unsure") return read;
  }
  if (simple === null || !expression.names.every((name) => scope.has(name))) return { kind: "unsure" };
  return runSimple(simple, (name) => scope.value(name, expression), budget);
}
