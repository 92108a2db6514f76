// The operations of programs: JSON data in, JSON data out. Each follows JavaScript for primitives and own properties,
// and gives up at anything else, which is left to the sandbox.

class Unsure extends Error {
  override readonly name = "Unsure";
}

/**
 * Thrown if only the sandbox can tell. A single instance: nobody needs its stack, and creating one would cost more than
 * the evaluation.
 */
export const unsure = new Unsure("only the sandbox can tell");

/** Compares the name: another bundle may have compiled the program. */
export function isUnsure(error: unknown): boolean {
  return error instanceof Error && error.name === unsure.name;
}

export function leave(): never {
  throw unsure;
}

/** `?.` found nothing: the rest of the chain is not evaluated. */
export const missing = Symbol("missing");

/**
 * The maximum length of texts and lists to search or build from. Inside a function, which runs once per item, it is so
 * small that it does not affect the time of a call.
 */
export interface Bounds {
  readonly text: number;
  readonly list: number;
}
export const bounds: Bounds = { text: 65_536, list: Number.POSITIVE_INFINITY };
export const boundsOfCalls: Bounds = { text: 128, list: 20 };

export type Primitive = string | number | boolean | null | undefined;

/** The value, if no prototype can affect the operation. */
export function primitive(value: unknown): Primitive {
  if (value === null || value === undefined) return value;
  if (typeof value === "number" && isExponential(value)) throw unsure;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw unsure;
}

/** Whether its text has an exponent: the sandbox's engine writes some of these with other digits. */
function isExponential(value: number): boolean {
  const size = Math.abs(value);
  return size >= 1e21 || (size < 1e-6 && size !== 0);
}

/** The same, if it is not a text that would take long to process. */
export function brief(value: unknown, { text }: Bounds): Primitive {
  if (typeof value === "string" && value.length > text) throw unsure;
  return primitive(value);
}

/** An own property of data. What JavaScript would find on a prototype is left to the sandbox, as is every error. */
export function member(value: unknown, key: Primitive): unknown {
  if (typeof key !== "string" && typeof key !== "number") throw unsure;
  if (typeof value === "string") return key === "length" ? value.length : character(value, key);
  if (typeof value !== "object" || value === null) throw unsure;
  if (Object.hasOwn(value, key)) return (value as Record<string | number, unknown>)[key];
  if (key in value || key === "__proto__" || key in Object.prototype) throw unsure;
  return undefined;
}

/** `key in value`, for an object that is data. */
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

/** A result that JSON represents: neither NaN, nor infinite, nor minus zero. */
export function finite(result: number): number {
  if (!Number.isFinite(result) || Object.is(result, -0)) throw unsure;
  return result;
}

type Binary = (left: Primitive, right: Primitive) => Primitive;

// Typed as numbers for the compiler only: like JavaScript's, the operators take any primitive.
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
  // Every object, from JSON or created here, is truthy and not a function.
  "!": (value) => !value,
  typeof: (value) => typeof value,
  "+": (value, of) => finite(Number(brief(value, of))),
  "-": (value, of) => finite(-Number(brief(value, of))),
};

/** Joins pieces one after the other, so that nothing long is built only to be refused. */
export function joined(parts: readonly unknown[], separator: string, bounds: Bounds): string {
  let text = "";
  parts.forEach((part, index) => {
    if (index > 0) text += separator;
    text += typeof part === "string" ? part : String(primitive(part));
    if (text.length > bounds.text) throw unsure;
  });
  return text;
}

/** Defines a property as a literal does: `__proto__` from data is an ordinary name. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

/** The value as an object; throws `unsure` for anything else. */
export function plainObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unsure;
  return value as Record<string, unknown>;
}
