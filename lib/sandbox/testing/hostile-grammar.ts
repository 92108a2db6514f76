// Expressions that reach for what they should not have: generated from a grammar, or mutated from known payloads.
import fc from "fast-check";

const names = fc.constantFrom(
  ...[
    "this",
    "globalThis",
    "process",
    "require",
    "module",
    "Function",
    "eval",
    "constructor",
    "Reflect",
    "Proxy",
    "Symbol",
  ],
  ...[
    "Promise",
    "WebAssembly",
    "Atomics",
    "SharedArrayBuffer",
    "Error",
    "$trigger",
    "$nodes",
    "$vars",
    "arguments",
    "JSON",
  ],
  ...[
    "Object",
    "Array",
    "RegExp",
    "Date",
    "Map",
    "WeakRef",
    "FinalizationRegistry",
    "std",
    "os",
    "scriptArgs",
    "console",
  ],
);
const members = fc.constantFrom(
  ...[
    "constructor",
    "__proto__",
    "prototype",
    "call",
    "apply",
    "bind",
    "caller",
    "callee",
    "mainModule",
    "env",
    "binding",
  ],
  ...[
    "getBuiltinModule",
    "defineProperty",
    "getOwnPropertyDescriptor",
    "setPrototypeOf",
    "prepareStackTrace",
    "stack",
    "then",
  ],
  ...[
    "toJSON",
    "toString",
    "valueOf",
    "Symbol.toPrimitive",
    "Symbol.species",
    "raw",
    "source",
    "flags",
    "__defineGetter__",
  ],
  ...[
    "length",
    "body",
    "x",
    "0",
    "fromCharCode",
    "repeat",
    "fill",
    "map",
    "reduce",
    "sort",
    "groupBy",
    "loadFile",
    "exec",
  ],
);
const literals = fc.constantFrom(
  ...[
    "0",
    "-1",
    "1e9",
    "2**53",
    "NaN",
    "1n",
    "'process'",
    "'constructor'",
    "''",
    "`x`",
    "[]",
    "{}",
    "null",
    "undefined",
  ],
  ...[
    "/(a+)+$/",
    "'return process'",
    "'a'.repeat(1e6)",
    "new Array(1e6)",
    "'\\ud800'",
    "'\\0'",
    "async()=>{}",
    "function*(){}",
  ],
);

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const some = tie("expression");
  const two = fc.tuple(some, some);
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      literals,
      names,
      fc
        .tuple(some, members)
        .map(([of, member]) =>
          /^\w+$/.test(member) && !/^\d/.test(member)
            ? `(${of}).${member}`
            : `(${of})[${member.includes(".") ? member : JSON.stringify(member)}]`,
        ),
      two.map(([of, key]) => `(${of})[${key}]`),
      two.map(([of, given]) => `(${of})(${given})`),
      two.map(([of, given]) => `new (${of})(${given})`),
      two.map(([left, right]) => `((${left}) ?? (${right}))`),
      two.map(([left, right]) => `((${left}) + (${right}))`),
      two.map(([of, given]) => `(${of})\`\${${given}}\``),
      some.map((inner) => `(() => { try { return ${inner} } catch (e) { return e.constructor } })()`),
      some.map((inner) => `(function () { return ${inner} }).call(null)`),
      some.map((inner) => `[...(${inner})]`),
      some.map((inner) => `(({ a = ${inner} }) => a)({})`),
      some.map((inner) => `({ get x() { return ${inner} }, toJSON() { return ${inner} } })`),
      some.map((inner) => `new Proxy({}, { get() { return ${inner} } }).x`),
      some.map((inner) => `(class extends (${inner}) {})`),
      some.map((inner) => `Object.assign(globalThis, { leak: ${inner}, pwned: 1 })`),
      some.map((inner) => `(Object.prototype.polluted = ${inner})`),
      some.map((inner) => `(JSON.stringify = () => ${inner})`),
      some.map((inner) => `Reflect.ownKeys(${inner}).map(String)`),
      some.map((inner) => `eval(${JSON.stringify(inner)})`),
      some.map((inner) => `Function(${JSON.stringify(`return ${inner}`)})()`),
      some.map((inner) => `(async () => ${inner})()`),
      some.map((inner) => `(() => { for (let i = 0; ; i++) { ${inner} } })()`),
    ),
  };
});

/** A payload with pieces cut out, doubled, or taken from another. */
function mutated(payloads: readonly string[]): fc.Arbitrary<string> {
  const cut = fc.tuple(fc.nat(), fc.nat(40), fc.constantFrom("drop", "double", "splice", "swap"), fc.nat());
  return fc
    .tuple(fc.constantFrom(...payloads), fc.constantFrom(...payloads), fc.array(cut, { minLength: 1, maxLength: 3 }))
    .map(([payload, other, cuts]) =>
      cuts.reduce((text, [at, length, action, from]) => {
        const start = at % (text.length + 1);
        const fragment = text.slice(start, start + length);
        const foreign = other.slice(from % (other.length + 1)).slice(0, length);
        const middle =
          { drop: "", double: fragment + fragment, splice: fragment + foreign, swap: foreign }[action] ?? "";
        return text.slice(0, start) + middle + text.slice(start + length);
      }, payload),
    );
}

export function hostileExpressions(payloads: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(expression, mutated(payloads));
}
