import { type Expression, readHere } from "#lib/expressions/expressions.ts";
import { readProgram } from "#lib/expressions/read-expression.ts";

const orders = [
  { id: "a", total: 4.5, note: "x" },
  { id: "b", total: 10.5 },
  { id: "c", total: 20 },
];

/** The data for expressions that are evaluated both in the server and in the sandbox. */
export const scope = {
  $trigger: {
    body: { n: 3, zero: 0, text: "abc", none: null, yes: true, list: [1, "b", null], deep: { "": 7, x: {} }, orders },
  },
  $vars: {
    ...JSON.parse('{"limit": 2, "__proto__": {"a": 1}, "constructor": "own"}'),
    long: "a".repeat(30_000),
  },
};

/** These values as a run's scope. */
export function scopeOver(values: Record<string, unknown>) {
  return {
    has: (name: string) => Object.hasOwn(values, name),
    value: (name: string) => values[name],
    size: (name: string) => JSON.stringify(values[name]).length,
  };
}

/** The server's result as JSON, or that it leaves the expression to the sandbox. */
export function valueHere(text: string, values: Record<string, unknown>): unknown {
  const expression = readProgram(text);
  return expression.program === null && expression.path === null ? "not for the server" : made(expression, values);
}

function made(expression: Expression, values: Record<string, unknown>): unknown {
  const read = readHere([expression], scopeOver(values));
  if (read.missing.length > 0 || read.error !== null) return "asks the sandbox";
  return JSON.parse(JSON.stringify(read.values[0] ?? null));
}
