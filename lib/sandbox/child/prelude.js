// Runs inside the guest, once, before any user code exists; the host keeps the functions it returns.
// Everything used later is captured here: user code may replace any intrinsic without reaching these.
const { parse, stringify } = JSON;
const { apply, ownKeys } = Reflect;
const { isArray } = Array;
const { min } = Math;
const { toString: textOfFunction } = Function.prototype;
const { isPrototypeOf: isInChainOf } = Object.prototype;
const { slice } = String.prototype;
const promisePrototype = Promise.prototype;
const text = String;
const shapeOfKey = RegExp.prototype.test.bind(/^[A-Za-z_$][\w$]*$/);
const refusal = { __proto__: null };

const messageCharsMax = 2048;
const depthMax = 500;
const logsMax = 200;
const logCharsMax = 8 * 1024;
const logsCharsMax = 64 * 1024;

let scope = [];
let logs = [];
let logsChars = 0;
let logsDropped = 0;

const cut = (value, charsMax) => (value.length > charsMax ? `${apply(slice, value, [0, charsMax])}…` : value);

const isPromise = (value) => apply(isInChainOf, promisePrototype, [value]);

/** The name of what JSON cannot hold, or undefined. */
const unstorable = (value) => {
  const type = typeof value;
  if (type === "function") return "a function";
  if (type === "symbol") return "a symbol";
  if (type === "bigint") return "a BigInt";
  if (type === "object" && value !== null && isPromise(value)) return "a promise";
  return undefined;
};

const screen = (_key, value) => {
  if (unstorable(value) !== undefined) throw refusal;
  return value;
};

const step = (path, key, isIndex) => {
  if (isIndex) return `${path}[${key}]`;
  return shapeOfKey(key) ? `${path}.${key}` : `${path}[${stringify(key)}]`;
};

/** Finds the first thing in the value that JSON cannot hold. Called only after serializing has failed. */
const locate = (given, path, ancestors, depth) => {
  let value = given;
  if (value !== null && typeof value === "object" && !isPromise(value) && typeof value.toJSON === "function") {
    value = value.toJSON("");
  }
  const what = unstorable(value);
  if (what !== undefined) return { what, path };
  if (value === null || typeof value !== "object") return undefined;
  if (ancestors.has(value)) return { what: "a cycle", path };
  if (depth === depthMax) return { what: "a value nested this deeply", path: "" };
  ancestors.add(value);
  const keys = isArray(value) ? value.length : ownKeys(value);
  const count = typeof keys === "number" ? keys : keys.length;
  for (let index = 0; index < count; index++) {
    const key = typeof keys === "number" ? index : keys[index];
    if (typeof key === "symbol") continue;
    if (typeof keys !== "number" && !Object.prototype.propertyIsEnumerable.call(value, key)) continue;
    const found = locate(value[key], step(path, key, typeof keys === "number"), ancestors, depth + 1);
    if (found !== undefined) return found;
  }
  ancestors.delete(value);
  return undefined;
};

const explain = ({ what, path }) => {
  const place = path === "" || path === "result" ? "" : ` (at ${path})`;
  if (what === "a promise") return `expressions are synchronous: a promise cannot be stored as JSON${place}`;
  return `${what} cannot be stored as JSON${place}`;
};

/**
 * A value as JSON text with a letter before it: v(alue), u(ndefined), s(erializing failed), t(hrown),
 * r(esult too large).
 * A capital letter says that something may have been logged.
 */
const answer = (value, resultCharsMax, mayHoldSymbols) => {
  if (value === undefined) return logs.length > 0 ? "U" : "u";
  let json;
  try {
    // A replacer more than doubles the time. Functions, promises and BigInts throw by themselves; only symbols would be
    // omitted silently.
    json = mayHoldSymbols ? stringify(value, screen) : stringify(value);
  } catch (error) {
    const found = locate(value, "result", new Set(), 0);
    if (found === undefined) return `T${report(error)}`;
    return `S${stringify({ name: "UnserializableError", message: cut(explain(found), messageCharsMax) })}`;
  }
  if (json === undefined) return mayHoldSymbols ? "U" : answer(value, resultCharsMax, true);
  if (json.length > resultCharsMax) return "R";
  return logs.length > 0 ? `V${json}` : `v${json}`;
};

export const report = (error) => {
  try {
    if (error === null || typeof error !== "object") {
      return stringify({ name: "Error", message: cut(text(error), messageCharsMax), stack: "" });
    }
    const { name, message, stack } = error;
    const isError = typeof message === "string";
    return stringify({
      name: typeof name === "string" ? cut(name, 100) : "Error",
      message: cut(isError ? message : (stringify(error) ?? "an object was thrown"), messageCharsMax),
      stack: typeof stack === "string" ? cut(stack, messageCharsMax) : "",
    });
  } catch {
    return stringify({ name: "Error", message: "something was thrown that cannot be described", stack: "" });
  }
};

const shown = (value) => {
  if (typeof value === "string") return value;
  if (typeof value === "function") return `[function ${value.name || "anonymous"}]`;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value === null || typeof value !== "object") return typeof value === "bigint" ? `${value}n` : text(value);
  try {
    return stringify(value, (_key, part) => (typeof part === "bigint" ? `${part}n` : part)) ?? text(value);
  } catch {
    return "[an object that cannot be shown]";
  }
};

const record = (level) =>
  function log(...values) {
    if (logs.length >= logsMax || logsChars >= logsCharsMax) {
      logsDropped += 1;
      return;
    }
    let message = "";
    for (let index = 0; index < values.length; index++) message += (index === 0 ? "" : " ") + shown(values[index]);
    message = cut(message, min(logCharsMax, logsCharsMax - logsChars));
    logsChars += message.length;
    logs[logs.length] = { level, message };
  };

const define = (target, name, value) =>
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });

const info = record("info");
define(globalThis, "console", { log: info, info, debug: info, warn: record("warning"), error: record("error") });

const refuse = {
  toJSON() {
    throw refusal;
  },
}.toJSON;
define(Function.prototype, "toJSON", refuse);
define(promisePrototype, "toJSON", refuse);

// xorshift128: the engine's own generator would start every task from the same bytes.
let [a, b, c, d] = [1, 2, 3, 4];
const nextWord = () => {
  let mixed = a ^ (a << 11);
  mixed ^= mixed >>> 8;
  [a, b, c] = [b, c, d];
  d = d ^ (d >>> 19) ^ mixed;
  return d >>> 0;
};
define(Math, "random", function random() {
  return (nextWord() * 0x200000 + (nextWord() >>> 11)) / 0x20000000000000;
});

export function begin(seedA, seedB, ...texts) {
  [a, b, c, d] = [seedA | 0, seedB | 0, (seedA ^ 0x9e3779b9) | 0, (seedB ^ 0x7f4a7c15) | 1];
  scope = [];
  for (let index = 0; index < texts.length; index++) scope[index] = parse(texts[index]);
}

export function evaluate(program, resultCharsMax, mayHoldSymbols) {
  try {
    return answer(apply(program, undefined, scope), resultCharsMax, mayHoldSymbols);
  } catch (error) {
    return `T${report(error)}`;
  }
}

export const textOf = (value) => (typeof value === "function" ? apply(textOfFunction, value, []) : "");

export function takeLogs() {
  const taken = stringify({ logs, dropped: logsDropped });
  logs = [];
  return taken;
}
