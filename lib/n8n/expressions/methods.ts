import type { Tree } from "#lib/expressions/expressions.ts";
import { NotConverted } from "../source.ts";
import type { Rewriter } from "./rewrite.ts";
import { literalText, type Step } from "./tree.ts";

/** Methods that n8n adds to values, in plain JavaScript. */
const methods: Readonly<Record<string, (value: string, args: readonly string[]) => string | null>> = {
  first: (value, args) => (args.length === 0 ? `${value}[0]` : null),
  last: (value, args) => (args.length === 0 ? `${value}.at(-1)` : null),
  isEmpty: (value) => `${nothingIn}(${value})`,
  isNotEmpty: (value) => `!${nothingIn}(${value})`,
  toNumber: (value) => `Number(${plainNumber}(${value}))`,
  toFloat: (value) => `parseFloat(${plainNumber}(${value}))`,
  toInt: (value, args) =>
    `((one) => (typeof one === "number" ? Math.round(one) : parseInt(${plainNumber}(one), ${args[0] ?? "10"})))(${value})`,
  toBoolean: (value) => `!["", "0", "false", "no"].includes(String(${value} ?? "").toLowerCase())`,
  toJsonString: (value) => `JSON.stringify(${value})`,
  parseJson: (value) => `JSON.parse(${value})`,
  unique: (value, args) => (args.length === 0 ? distinct(value) : null),
  removeDuplicates: (value, args) => (args.length === 0 ? distinct(value) : null),
  compact: (value) =>
    `((all, isSomething) => (Array.isArray(all) ? all.filter(isSomething) : Object.fromEntries(Object.entries(all).filter(([, one]) => isSomething(one)))))(${value}, (one) => one !== "nil" && !${nothingIn}(one))`,
  sum: (value) => `${value}.reduce((sum, one) => sum + Number(one), 0)`,
  average: (value) => `((all) => all.reduce((sum, one) => sum + Number(one), 0) / (all.length || 1))(${value})`,
  max: (value, args) => (args.length === 0 ? `Math.max(...${value})` : null),
  min: (value, args) => (args.length === 0 ? `Math.min(...${value})` : null),
  pluck: (value, args) =>
    args.length === 1
      ? `((all, name) => all.filter((one) => typeof one === "object" && one !== null && Object.hasOwn(one, name)).map((one) => one[name]))(${value}, ${args[0]})`
      : null,
  urlEncode: (value, args) =>
    args.length === 0
      ? `((one) => (typeof one === "object" && one !== null ? Object.entries(one).map((pair) => pair.map(encodeURIComponent).join("=")).join("&") : encodeURIComponent(one)))(${value})`
      : null,
  urlDecode: (value, args) => (args.length === 0 ? `decodeURIComponent(${value})` : null),
  removeTags: (value) => `${value}.replace(/<[^>]*>?/g, "")`,
  round: (value, args) => `Number((${value}).toFixed(${args[0] ?? "0"}))`,
  floor: (value) => `Math.floor(${value})`,
  ceil: (value) => `Math.ceil(${value})`,
  abs: (value) => `Math.abs(${value})`,
  isEven: (value) => `(${value} % 2 === 0)`,
  isOdd: (value) => `(Math.abs(${value} % 2) === 1)`,
  keys: (value) => `((one) => (typeof one.keys === "function" ? one.keys() : Object.keys(one)))(${value})`,
  values: (value) => `((one) => (typeof one.values === "function" ? one.values() : Object.values(one)))(${value})`,
  hasField: (value, args) => (args.length === 1 ? `Object.hasOwn(${value}, ${args[0]})` : null),
};
/** In JavaScript: whether a value is nothing. */
export const nothingIn =
  '((one) => one == null || one === "" || (typeof one === "object" && Object.keys(one).length === 0))';

/** Numbers may be texts with the sign of a currency. */
const plainNumber = '((one) => (typeof one === "string" ? one.replace(/\\p{Sc}/gu, "") : one))';

/** Each of equal values once. */
const distinct = (value: string) =>
  `((seen) => ${value}.filter((one) => { const key = JSON.stringify(one); return !seen.has(key) && seen.add(key); }))(new Set())`;

/** These have no counterpart here. */
const unknown = new Set(
  (
    "chunk merge smartJoin renameKeys intersection difference union randomItem append " +
    "extractDomain extractEmail extractUrl extractUrlPath isDomain isEmail isNumeric isUrl hash quote base64Encode base64Decode " +
    "replaceSpecialChars toSentenceCase toSnakeCase toTitleCase removeMarkdown stripTags " +
    "removeField removeFieldsContaining keepFieldsContaining urlEncodeObject " +
    "beginningOf endOfMonth extract isBetween isDst isInLast isWeekend diffTo diffToNow toRelative setZone"
  ).split(" "),
);

/** Built-in objects, whose methods are never n8n's. */
const natives = new Set(["Object", "Math", "Array", "Number", "JSON", "Date", "String", "Promise"]);

/**
 * Rewrites a chain with a method that only n8n has; null if there is none. `base`: the code before the chain, or its
 * tree. Throws NotConverted.
 */
export function rewriteMethod(base: string | Tree, steps: readonly Step[], rewriter: Rewriter): string | null {
  if (rewriter.isCode) return null;
  if (typeof base !== "string" && base.type === "Identifier" && natives.has(base.name ?? "")) return null;
  for (const [index, step] of steps.entries()) {
    const call = steps[index + 1];
    if (step.kind !== "member" || step.name === null || call?.kind !== "call") continue;
    const { name } = step;
    if (unknown.has(name)) throw new NotConverted(`“.${name}()”`);
    const isDate =
      name === "toDateTime" || ((name === "toFormat" || name === "format") && literalText(call.args[0]) !== null);
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (!isDate && method === undefined) continue;
    const value = rewriter.steps(typeof base === "string" ? base : primary(rewriter.emit(base)), steps.slice(0, index));
    if (name === "toDateTime") return rewriter.date(timeIn(value, call.args), steps.slice(index + 2));
    if (isDate) return rewriter.date(value, steps.slice(index));
    const made = method?.(value, call.args.map(rewriter.emit)) ?? null;
    if (made === null) throw new NotConverted(`“.${name}()” with what it is given`);
    const rest = steps.slice(index + 2);
    return rest.length === 0 ? `(${made})` : rewriter.more(`(${made})`, rest);
  }
  return null;
}

/** The argument of a Date: n8n also takes seconds. Throws NotConverted. */
function timeIn(value: string, [unit]: readonly Tree[]): string {
  const name = unit === undefined ? "ms" : literalText(unit);
  if (name === "ms") return value;
  if (name === "s") return `(${value}) * 1000`;
  throw new NotConverted("“.toDateTime()” with what it is given");
}

function primary(js: string): string {
  return /^[\w$.]+$/.test(js) || /^(\(.*\)|\[.*\])$/s.test(js) ? js : `(${js})`;
}
