import type { MemberPath } from "./read-expression.ts";

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
