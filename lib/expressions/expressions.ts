// The room's only entry: other rooms import nothing else from it.
import { runProgram, workMax, workOf } from "./program.ts";
import type { Expression, MemberPath } from "./read-expression.ts";

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
export { childrenOf, keyOf, type Tree } from "./tree.ts";
export type { Expression };

/** What an expression may read. */
interface ReadableScope {
  has(name: string): boolean;
  value(name: string, expression: Expression): unknown;
  /** The length of the value as JSON. */
  size(name: string, expression: Expression): number;
}

/** Which of a node's expressions were evaluated here, and which need the sandbox. */
interface ReadHere {
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

/** The result of reading a path. `unsure`: only the sandbox can tell, because a prototype is involved. */
export type PathValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "error"; readonly message: string; readonly position: number }
  | { readonly kind: "unsure" };

/**
 * Reads a plain path over JSON data without the sandbox: own properties only, so nothing but data is reachable.
 * Anything that JavaScript would find on a prototype is left to the sandbox.
 */
export function readMemberPath(path: MemberPath, root: unknown): PathValue {
  const { steps } = path;
  let value = root;
  let index = 0;
  for (const { key, optional } of steps) {
    if (value === null || value === undefined) {
      return optional ? { kind: "value", value: undefined } : missingMember(path, index, value);
    }
    if (typeof value !== "object") return unsure;
    if (Object.hasOwn(value, key)) value = (value as Record<string | number, unknown>)[key];
    else if (key in value || key === "__proto__" || key in Object.prototype) return unsure;
    else value = undefined;
    index += 1;
  }
  return { kind: "value", value };
}

const unsure: PathValue = { kind: "unsure" };

/** Says which part of the path is missing, and where. */
function missingMember({ root, steps }: MemberPath, index: number, value: null | undefined): PathValue {
  const { key = "", position = 0 } = steps[index] ?? {};
  const names = steps.slice(0, index).map((step) => (typeof step.key === "number" ? `[${step.key}]` : `.${step.key}`));
  const path = `${root}${names.join("")}`;
  const message = `cannot read property ${JSON.stringify(String(key))} of ${value} (${path} is ${value})`;
  return { kind: "error", message, position };
}
