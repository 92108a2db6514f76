import type { Expression as AnyNode } from "acorn";
import { type Place, refuse } from "./simple-place.ts";
import type { SimpleRun } from "./simple-program.ts";
import { primitive, unsure } from "./simple-values.ts";

/**
 * What is in `new Set(list)`, each once, in its order; null for any other expression. Of primitives only: whether two
 * objects are the same one is not known here.
 */
export function compileSet(node: AnyNode, place: Place): ((run: SimpleRun) => unknown[]) | null {
  if (node.type !== "NewExpression" || node.callee.type !== "Identifier" || node.callee.name !== "Set") return null;
  const [of, more] = node.arguments;
  if (of === undefined || more !== undefined || of.type === "SpreadElement") return refuse();
  const from = place.below().compile(of);
  place.tally.mayGrow = true;
  return (run) => {
    const list = from(run);
    if (!Array.isArray(list)) throw unsure;
    const found = new Set<unknown>();
    for (const item of list) {
      run.spendOnText(item, 2);
      run.spend(5);
      found.add(primitive(item));
    }
    return [...found];
  };
}
