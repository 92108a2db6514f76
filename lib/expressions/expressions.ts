// The room's one door: what other rooms use of expressions is exported here, and nothing else of the room is imported.
import { type PathValue, readMemberPath } from "./member-path.ts";
import type { Expression } from "./read-expression.ts";
import { type Budget, runSimple } from "./simple-program.ts";

export {
  type ConfigPlan,
  type FieldKind,
  fillConfig,
  planConfig,
  type ReadKind,
  type ReadText,
  readText,
} from "./config-plan.ts";
export { readExpression, readProgram } from "./read-expression.ts";
export { nodesReadBy, type Renames, renameReferences } from "./rename-references.ts";
export { Budget } from "./simple-program.ts";
export { isTemplate } from "./template.ts";
export type { Expression, PathValue };

/** What an expression may read. */
export interface ReadableScope {
  has(name: string): boolean;
  value(name: string, expression: Expression): unknown;
}

/** The value of an expression, or of a code node's program, that needs no sandbox; else `unsure`. */
export function readHere(expression: Expression, scope: ReadableScope, budget: Budget): PathValue {
  const { path, simple } = expression;
  if (path !== null && scope.has(path.root)) {
    const read = readMemberPath(path, scope.value(path.root, expression));
    if (read.kind !== "unsure") return read;
  }
  if (simple === null || !expression.names.every((name) => scope.has(name))) return { kind: "unsure" };
  return runSimple(simple, (name) => scope.value(name, expression), budget);
}
