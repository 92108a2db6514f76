import type { CallExpression } from "acorn";
import { compileObject } from "./simple-literals.ts";
import { eachOwn } from "./simple-own.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate } from "./simple-program.ts";
import { plainObject, unsure } from "./simple-values.ts";

/** `Object.assign({ … }, …)`: onto an object that is written there, so that nobody else has it. */
export function compileAssign(node: CallExpression, place: Place): Evaluate {
  const [first, ...rest] = node.arguments;
  if (first?.type !== "ObjectExpression") return refuse();
  const target = compileObject(first, place.below());
  const sources = rest.map((source) => place.compile(source.type === "SpreadElement" ? refuse() : source));
  return (run) => {
    const made = target(run);
    for (const source of sources) {
      const value = source(run);
      if (value === null || value === undefined) continue;
      eachOwn(run, plainObject(value), (key, own) => {
        // Assigning it sets the prototype.
        if (key === "__proto__") throw unsure;
        made[key] = own;
      });
    }
    return run.keepObject(made);
  };
}
