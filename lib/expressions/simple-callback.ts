import type { Expression as AnyNode } from "acorn";
import { compileBody } from "./simple-body.ts";
import { binding, namesOf, withNames } from "./simple-pattern.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { SimpleRun } from "./simple-program.ts";

/** A function of an expression, called with what its method gives it. */
export type Callback = (run: SimpleRun, first: unknown, second: unknown, third?: unknown) => unknown;

/** An arrow function of an expression with at most so many parameters. It does not outlive the call it is given to. */
export function compileCallback(node: AnyNode, place: Place, parametersMax: number): Callback {
  if (node.type !== "ArrowFunctionExpression" || node.async || node.params.length > parametersMax) return refuse();
  const names = node.params.flatMap(namesOf);
  const { place: inside, locals } = withNames(names, place);
  const localOf = new Map(names.map((name, index) => [name, locals[index] ?? refuse()]));
  const [first, second, third] = node.params.map((parameter) => binding(parameter, localOf));
  const before = inside.tally.nodes;
  const body = node.body.type === "BlockStatement" ? compileBody(node.body.body, inside) : inside.compile(node.body);
  const cost = inside.tally.nodes - before + 1;
  return (run, one, two, three) => {
    run.spend(cost);
    first?.(run, one);
    second?.(run, two);
    third?.(run, three);
    return body(run);
  };
}
