import { nothingIn } from "./expressions/methods.ts";
import { asCode, type Value } from "./expressions/read-value.ts";
import type { Parameters } from "./parameters.ts";
import { NotConverted, own } from "./source.ts";

/** A comparison in normalized form. */
interface Comparison {
  readonly type: string;
  readonly operation: string;
  readonly left: Value;
  readonly right: Value;
}

interface ComparisonOptions {
  readonly ignoresCase: boolean;
  readonly isLoose: boolean;
}

/** The conditions at a path, of any version of the node, as one expression. Throws NotConverted. */
export function conditionsAt(parameters: Parameters, path: string): string {
  if (Array.isArray(parameters.at(`${path}.conditions`))) return newConditions(parameters, path);
  const comparisons = ["string", "number", "boolean", "dateTime"].flatMap((type) =>
    parameters.entries(`${path}.${type}`).map((entry) => ({
      type,
      operation: entry.text("operation", { number: "smaller", dateTime: "after" }[type] ?? "equal"),
      left: entry.value("value1"),
      right: entry.value("value2"),
    })),
  );
  const combined = parameters.text("combineOperation", parameters.text("combineConditions", "all")).toLowerCase();
  return combine(comparisons, combined === "any" || combined === "or", { ignoresCase: false, isLoose: true });
}

function newConditions(parameters: Parameters, path: string): string {
  const comparisons = parameters.entries(`${path}.conditions`).map((entry) => ({
    type: entry.text("operator.type", "string"),
    operation: entry.text("operator.operation", "equals"),
    left: entry.value("leftValue"),
    right: entry.value("rightValue"),
  }));
  const options = {
    ignoresCase: !parameters.flag(`${path}.options.caseSensitive`, true) || parameters.flag("options.ignoreCase"),
    isLoose:
      parameters.text(`${path}.options.typeValidation`, "strict") !== "strict" ||
      parameters.flag("looseTypeValidation") ||
      parameters.flag("options.looseTypeValidation"),
  };
  return combine(comparisons, parameters.text(`${path}.combinator`, "and") === "or", options);
}

function combine(comparisons: readonly Comparison[], isAny: boolean, options: ComparisonOptions): string {
  if (comparisons.length === 0) return "true";
  const all = comparisons.map((comparison) => compare(comparison, options));
  return all.length === 1 ? (all[0] ?? "true") : all.map((condition) => `(${condition})`).join(isAny ? " || " : " && ");
}

/** One comparison of an older switch. Throws NotConverted. */
export function compareValues(type: string, operation: string, left: Value, right: Value): string {
  return compare({ type, operation, left, right }, { ignoresCase: false, isLoose: true });
}

/** Older names of operations. */
const operations: Readonly<Record<string, string>> = {
  equal: "equals",
  notEqual: "notEquals",
  larger: "gt",
  largerEqual: "gte",
  smaller: "lt",
  smallerEqual: "lte",
  isEmpty: "empty",
  isNotEmpty: "notEmpty",
};

const signs: Readonly<Record<string, string>> = {
  equals: "===",
  notEquals: "!==",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  after: ">",
  afterOrEquals: ">=",
  before: "<",
  beforeOrEquals: "<=",
};

function compare(comparison: Comparison, options: ComparisonOptions): string {
  const { type, left } = comparison;
  const operation = own(operations, comparison.operation) ?? comparison.operation;
  const value = asCode(left);
  if (operation === "exists") return `${value} != null`;
  if (operation === "notExists") return `${value} == null`;
  const hasEmptyValues = type !== "number" && type !== "dateTime";
  if (operation === "empty") return hasEmptyValues ? `${nothingIn}(${value})` : `${value} == null`;
  if (operation === "notEmpty") return hasEmptyValues ? `!${nothingIn}(${value})` : `${value} != null`;
  if (type === "boolean") return compareTruth(operation, value, comparison.right);
  if (type === "string") return compareTexts(operation, value, comparison.right, options);
  if (type === "array") return compareLists(operation, value, asCode(comparison.right), options);
  const sign = own(signs, operation);
  if (sign === undefined) throw new NotConverted(`the comparison “${type}: ${operation}”`);
  if (type === "dateTime") return compareTimes(operation, sign, timeOf(value), timeOf(asCode(comparison.right)));
  if (!options.isLoose && isNumber(comparison.right)) return `${value} ${sign} ${numberOf(comparison.right)}`;
  const right = isNumber(comparison.right) ? numberOf(comparison.right) : `Number(${asCode(comparison.right)})`;
  return `Number(${value}) ${sign} ${right}`;
}

/** A text or milliseconds as a time; NaN for nothing. */
const timeOf = (value: string) => `Number(new Date(${value} ?? NaN))`;

/** Nothing is never different from a time, as in n8n. */
function compareTimes(operation: string, sign: string, left: string, right: string): string {
  return operation === "notEquals" ? `Math.abs(${left} - ${right}) > 0` : `${left} ${sign} ${right}`;
}

function isNumber(value: Value): boolean {
  if (!("given" in value)) return false;
  const { given } = value;
  return typeof given === "number" || (typeof given === "string" && /^-?\d+(\.\d+)?$/.test(given));
}

const numberOf = (value: Value) => String(Number("given" in value ? value.given : Number.NaN));

function compareTruth(operation: string, value: string, right: Value): string {
  const truth = `![false, "false", 0, "0", "", null, undefined].includes(${value})`;
  if (operation === "true") return truth;
  if (operation === "false") return `!(${truth})`;
  const other = "given" in right ? String(right.given === true || right.given === "true") : `Boolean(${asCode(right)})`;
  if (operation === "equals") return `(${truth}) === ${other}`;
  if (operation === "notEquals") return `(${truth}) !== ${other}`;
  throw new NotConverted(`the comparison “boolean: ${operation}”`);
}

const textTests = { contains: "includes", startsWith: "startsWith", endsWith: "endsWith" } as const;

function compareTexts(
  operation: string,
  value: string,
  right: Value,
  { ignoresCase, isLoose }: ComparisonOptions,
): string {
  const lower = ignoresCase ? ".toLowerCase()" : "";
  const text = `String(${value} ?? "")${lower}`;
  const given = "given" in right && typeof right.given === "string" ? right.given : null;
  const other =
    given === null ? `String(${asCode(right)} ?? "")${lower}` : JSON.stringify(lower ? given.toLowerCase() : given);
  if (operation === "equals" || operation === "notEquals") {
    const isPlain = !isLoose && !ignoresCase && given !== null && given !== "";
    return `${isPlain ? value : text} ${signs[operation]} ${other}`;
  }
  const isNot = operation.startsWith("not");
  const positive = isNot ? operation.charAt(3).toLowerCase() + operation.slice(4) : operation;
  const test = own(textTests, positive);
  if (test !== undefined) return `${isNot ? "!" : ""}${text}.${test}(${other})`;
  if (positive === "regex") {
    const flags = ignoresCase ? "i" : "";
    const [, source, own] = /^\/(.*)\/([a-z]*)$/s.exec(given ?? "") ?? [];
    const pattern =
      given === null
        ? asCode(right)
        : `${JSON.stringify(source ?? given)}, ${JSON.stringify([...new Set((own ?? "") + flags)].join(""))}`;
    return `${isNot ? "!" : ""}new RegExp(${pattern}).test(String(${value} ?? ""))`;
  }
  throw new NotConverted(`the comparison “string: ${operation}”`);
}

function compareLists(operation: string, value: string, right: string, { ignoresCase }: ComparisonOptions): string {
  if (operation === "contains" || operation === "notContains") {
    const lower = '((one) => (typeof one === "string" ? one.toLowerCase() : one))';
    const includes = ignoresCase
      ? `(${value} ?? []).map(${lower}).includes(${lower}(${right}))`
      : `(${value} ?? []).includes(${right})`;
    return operation === "contains" ? includes : `!${includes}`;
  }
  const [, comparison = ""] = /^length(\w+)$/.exec(operation) ?? [];
  const sign = own(signs, comparison.charAt(0).toLowerCase() + comparison.slice(1));
  if (sign === undefined) throw new NotConverted(`the comparison “array: ${operation}”`);
  return `(${value} ?? []).length ${sign} Number(${right})`;
}
