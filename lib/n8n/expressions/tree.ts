import { keyOf, type Tree } from "#lib/expressions/expressions.ts";

/** A step of a chain such as `$('A').first().json.id`: a call, or a member by name or expression. */
export type Step =
  | { readonly kind: "member"; readonly name: string | null; readonly by: Tree; readonly optional: boolean }
  | { readonly kind: "call"; readonly args: readonly Tree[]; readonly optional: boolean };

/** What a chain starts from, and its steps. */
export function chainOf(node: Tree): { readonly root: Tree; readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  let at = node;
  for (;;) {
    if (at.type === "ChainExpression" && at.expression) at = at.expression;
    else if (at.type === "MemberExpression" && at.object && at.property) {
      steps.push({ kind: "member", name: nameOf(at), by: at.property, optional: at.optional === true });
      at = at.object;
    } else if (at.type === "CallExpression" && at.callee) {
      steps.push({ kind: "call", args: at.arguments ?? [], optional: at.optional === true });
      at = at.callee;
    } else return { root: at, steps: steps.reverse() };
  }
}

function nameOf(member: Tree): string | null {
  const key = keyOf(member);
  return key === undefined ? null : String(key);
}

/** A literal text in the code; null for anything else. */
export function literalText(node: Tree | undefined): string | null {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : null;
}
