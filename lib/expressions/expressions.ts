// The room's only entry: other rooms import nothing else from it.
import { type PathValue, readMemberPath } from "./member-path.ts";
import { runProgram, workMax, workOf } from "./program.ts";
import type { Expression } from "./read-expression.ts";

export {
  type ConfigPlan,
  type FieldKind,
  fillConfig,
  planConfig,
  type Reader,
  type ReadKind,
  type ReadText,
  readText,
} from "./config-plan.ts";
export type { FileMethod, FileRead } from "./file-reads.ts";
export { followPath, type PathRead, pathsRead } from "./paths-read.ts";
export { readBodyTree, readExpression, readProgram, readTree } from "./read-expression.ts";
export { nodesReadBy, type Renames, renameReferences } from "./rename-references.ts";
export { isTemplate } from "./template.ts";
export type { Expression };

/** What an expression may read. */
export interface ReadableScope {
  has(name: string): boolean;
  value(name: string, expression: Expression): unknown;
  /** The length of the value as JSON. */
  size(name: string, expression: Expression): number;
}

/** Which of a node's expressions were evaluated here, and which need the sandbox. */
export interface ReadHere {
  readonly values: unknown[];
  /** Indexes of the expressions for the sandbox: all but plain paths, or none. */
  readonly missing: readonly number[];
  /** The first path that reads a member of null or undefined. */
  readonly error: { readonly index: number; readonly message: string; readonly position: number } | null;
}

/**
 * Reads plain paths, and evaluates the others too if together they are little work, which is known in advance.
 * Otherwise, or if one of them turns out to need the sandbox, the sandbox gets all the others.
 */
export function readHere(expressions: readonly Expression[], scope: ReadableScope): ReadHere {
  const values: unknown[] = [];
  const missing: number[] = [];
  let work = 0;
  for (let index = 0; index < expressions.length; index += 1) {
    const expression = expressions[index] as Expression;
    const read = readPath(expression, scope);
    if (read.kind === "error") return { values, missing: [], error: { index, ...read } };
    if (read.kind === "value") values[index] = read.value ?? null;
    else {
      missing.push(index);
      work += costOf(expression, scope);
    }
  }
  const isHere = work <= workMax && missing.every((index) => evaluateInto(values, index, expressions[index], scope));
  return { values, missing: isHere ? [] : missing, error: null };
}

const unsure = { kind: "unsure" } as const;

function readPath(expression: Expression, scope: ReadableScope): PathValue {
  const { path } = expression;
  return path !== null && scope.has(path.root) ? readMemberPath(path, scope.value(path.root, expression)) : unsure;
}

function costOf(expression: Expression, scope: ReadableScope): number {
  const { program, names } = expression;
  if (program === null || !names.every((name) => scope.has(name))) return Number.POSITIVE_INFINITY;
  return workOf(
    program,
    names.reduce((sum, name) => sum + scope.size(name, expression), 0),
  );
}

function evaluateInto(values: unknown[], index: number, expression: Expression | undefined, scope: ReadableScope) {
  if (!expression?.program) return false;
  const made = runProgram(expression.program, (name) => scope.value(name, expression));
  if (made.kind === "value") values[index] = made.value ?? null;
  return made.kind === "value";
}
