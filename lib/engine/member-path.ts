import type { MemberPath } from "./expression.ts";

/** What reading a path came to. `unsure`: only the sandbox can tell, because a prototype is involved. */
export type PathValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "error"; readonly message: string; readonly position: number }
  | { readonly kind: "unsure" };

/**
 * Reads a plain member path over JSON data without the sandbox: own properties only, so that nothing but data is
 * ever reached. Anything that JavaScript would find on a prototype is left to the sandbox.
 */
export function readMemberPath(path: MemberPath, root: unknown): PathValue {
  let value = root;
  let name = path.root;
  for (const { key, optional, position } of path.steps) {
    if (value === null || value === undefined) {
      if (optional) return { kind: "value", value: undefined };
      const message = `cannot read property ${JSON.stringify(String(key))} of ${value} (${name} is ${value})`;
      return { kind: "error", message, position };
    }
    if (typeof value !== "object") return { kind: "unsure" };
    if (Object.hasOwn(value, key)) value = (value as Record<string | number, unknown>)[key];
    else if (key in value || key === "__proto__" || key in Object.prototype) return { kind: "unsure" };
    else value = undefined;
    name += typeof key === "number" ? `[${key}]` : `.${key}`;
  }
  return { kind: "value", value };
}
