// The part of Inngest's expression language that our functions use: comparisons, joined by `&&`.

type Scope = Readonly<Record<string, unknown>>;

/** True if the expression holds, or if there is none. */
export function holds(expression: string | undefined, scope: Scope): boolean {
  if (expression === undefined || expression === "") return true;
  return expression.split("&&").every((part) => {
    const sides = part.split("==");
    if (sides.length !== 2) throw new Error(`this executor cannot read the expression ${JSON.stringify(expression)}`);
    const [left, right] = sides.map((side) => readSide(side.trim(), scope));
    return left === right;
  });
}

function readSide(text: string, scope: Scope): unknown {
  const literal = /^'(.*)'$|^"(.*)"$/.exec(text);
  if (literal !== null) return literal[1] ?? literal[2];
  return text.split(".").reduce<unknown>((value, name) => (value as Scope | undefined)?.[name], scope);
}
