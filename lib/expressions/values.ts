// What programs do with values: JSON data in, JSON data out. Each rule is JavaScript's own as long as only primitives and
// own properties are concerned; at anything else it gives up, and the sandbox is asked.

class Unsure extends Error {
  override readonly name = "Unsure";
}

/** Thrown where only the sandbox can tell. One for all: no stack is wanted, and making one would cost more than the rest. */
export const unsure = new Unsure("only the sandbox can tell");

/** By its name: a compiled program may have been made by another bundle than the one that runs it. */
export function isUnsure(error: unknown): boolean {
  return error instanceof Error && error.name === unsure.name;
}

export function leave(): never {
  throw unsure;
}

/** What `?.` found missing: nothing further of its chain is evaluated. */
export const missing = Symbol("missing");

/**
 * How long texts and lists may be that something is made of or looked for in. In a function, which is called for each
 * item, so little that a call takes no longer for them.
 */
export interface Bounds {
  readonly text: number;
  readonly list: number;
}
export const bounds: Bounds = { text: 65_536, list: Number.POSITIVE_INFINITY };
export const boundsOfCalls: Bounds = { text: 128, list: 20 };

export type Primitive = string | number | boolean | null | undefined;

/** The value, if no prototype could have a say in what is done with it. */
export function primitive(value: unknown): Primitive {
  if (value === null || value === undefined) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw unsure;
}

/** The same, if it is no text that would take long. */
export function brief(value: unknown, { text }: Bounds): Primitive {
  if (typeof value === "string" && value.length > text) throw unsure;
  return primitive(value);
}

/** An own property of data. What JavaScript would find on a prototype is left to the sandbox, and so is every error. */
export function member(value: unknown, key: Primitive): unknown {
  if (typeof key !== "string" && typeof key !== "number") throw unsure;
  if (typeof value === "string") return key === "length" ? value.length : character(value, key);
  if (typeof value !== "object" || value === null) throw unsure;
  if (Object.hasOwn(value, key)) return (value as Record<string | number, unknown>)[key];
  if (key in value || key === "__proto__" || key in Object.prototype) throw unsure;
  return undefined;
}

/** `key in value`, of an object that is data. */
export function hasMember(key: Primitive, value: unknown): boolean {
  const object = plainObject(value);
  if (typeof key !== "string" && typeof key !== "number") throw unsure;
  if (Object.hasOwn(object, key)) return true;
  if (key in object || key === "__proto__" || key in Object.prototype) throw unsure;
  return false;
}

function character(text: string, key: string | number): string {
  const found = typeof key === "number" && Number.isInteger(key) ? text[key] : undefined;
  if (found === undefined) throw unsure;
  return found;
}

/** A result that JSON holds as it is: neither NaN nor an infinity nor minus zero. */
export function finite(result: number): number {
  if (!Number.isFinite(result) || Object.is(result, -0)) throw unsure;
  return result;
}

type Binary = (left: Primitive, right: Primitive) => Primitive;

// Typed as numbers for the compiler's sake alone: the operators take any primitive, as JavaScript's do.
const calculate =
  (operate: (left: number, right: number) => number): Binary =>
  (left, right) =>
    finite(operate(left as number, right as number));
const compare =
  (operate: (left: number, right: number) => boolean): Binary =>
  (left, right) =>
    operate(left as number, right as number);

export const binaryOperators: Readonly<Record<string, Binary>> = {
  "===": (left, right) => left === right,
  "!==": (left, right) => left !== right,
  // biome-ignore lint/suspicious/noDoubleEquals: it is what the flow's author wrote
  "==": (left, right) => left == right,
  // biome-ignore lint/suspicious/noDoubleEquals: it is what the flow's author wrote
  "!=": (left, right) => left != right,
  "<": compare((left, right) => left < right),
  "<=": compare((left, right) => left <= right),
  ">": compare((left, right) => left > right),
  ">=": compare((left, right) => left >= right),
  "+": (left, right) => {
    const sum = (left as number) + (right as number);
    return typeof sum === "number" ? finite(sum) : sum;
  },
  "-": calculate((left, right) => left - right),
  "*": calculate((left, right) => left * right),
  "/": calculate((left, right) => left / right),
  "%": calculate((left, right) => left % right),
};

export const unaryOperators: Readonly<Record<string, (value: unknown, bounds: Bounds) => Primitive>> = {
  // Whatever is an object, JSON's data or a list made here, is true and no function.
  "!": (value) => !value,
  typeof: (value) => typeof value,
  "+": (value, of) => finite(Number(brief(value, of))),
  "-": (value, of) => finite(-Number(brief(value, of))),
};

/** Pieces of a text, joined: one after the other, so that nothing long is made only to be given up. */
export function joined(pieces: readonly unknown[], separator: string, bounds: Bounds): string {
  let whole = "";
  pieces.forEach((piece, index) => {
    if (index > 0) whole += separator;
    whole += typeof piece === "string" ? piece : String(primitive(piece));
    if (whole.length > bounds.text) throw unsure;
  });
  return whole;
}

/** Sets a property as a literal does: `__proto__` from data is a name like any other. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

/** What `{}` in JSON becomes, for what looks at all of its keys. */
export function plainObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unsure;
  return value as Record<string, unknown>;
}
