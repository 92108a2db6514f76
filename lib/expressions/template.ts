import { type Expression, ExpressionSyntaxError, readExpression, readProgram } from "./read-expression.ts";

/** A config's string, split into text and the expressions between `{{` and `}}`. */
export interface Template {
  readonly segments: readonly (string | Expression)[];
  /** The string is one expression and nothing else: its value keeps its type. */
  readonly isSingle: boolean;
}

/** Limits of one string; far above what people write. */
export const templateLimits = { expressionsMax: 1_000 } as const;

/** True if the string contains an expression or an escaped brace. */
export function isTemplate(text: string): boolean {
  return text.includes("{{");
}

/**
 * Splits a string into text and expressions (docs/api.md, "Expressions in text"). Parsing finds where an expression ends,
 * so braces inside strings and objects do not end it; `\{{` is a literal `{{`. Throws ExpressionSyntaxError.
 */
export function parseTemplate(text: string): Template {
  const segments: (string | Expression)[] = [];
  let literal = "";
  let count = 0;
  for (let index = 0; index < text.length; ) {
    const open = text.indexOf("{{", index);
    if (open === -1) {
      literal += text.slice(index);
      break;
    }
    if (text[open - 1] === "\\") {
      literal += `${text.slice(index, open - 1)}{{`;
      index = open + 2;
      continue;
    }
    literal += text.slice(index, open);
    const { expression, end } = readBraced(text, open);
    count += 1;
    if (count > templateLimits.expressionsMax) {
      throw new ExpressionSyntaxError(`more than ${templateLimits.expressionsMax} expressions in one string`, open);
    }
    if (literal !== "") segments.push(literal);
    literal = "";
    segments.push(expression);
    index = end;
  }
  if (literal !== "" || segments.length === 0) segments.push(literal);
  return { segments, isSingle: segments.length === 1 && typeof segments[0] !== "string" };
}

/**
 * `condition` and `transform` may be written without braces: then the whole string is the program. A string that starts
 * with braces is tried as a template first: as a program, `{{ $vars.return }}` would be two nested blocks.
 */
export function parseProgramField(text: string): Template {
  if (text.trim() === "") throw new ExpressionSyntaxError("there is no expression", 0);
  if (text.trimStart().startsWith("{{")) return firstOf(text, [parseTemplate, parseProgram]);
  return firstOf(text, isTemplate(text) ? [parseProgram, parseTemplate] : [parseProgram]);
}

/**
 * A condition is a single expression: as text, `{{ $vars.count }} > 5` would always be truthy, and so would braces with
 * a space beside them. Braces around a part of it are read as parentheses.
 */
export function parseConditionField(text: string): Template {
  const template = parseProgramField(text);
  if (template.isSingle || template.segments.every((part) => typeof part === "string")) return template;
  const source = template.segments.map((part) => (typeof part === "string" ? part : `(${part.source})`)).join("");
  try {
    return parseProgram(source);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw new ExpressionSyntaxError(
      `a condition is one expression, not text with expressions in it: ${error.message}`,
      0,
    );
  }
}

function parseProgram(text: string): Template {
  return { segments: [readProgram(text)], isSingle: true };
}

/** The first reading that succeeds; if none does, the template's error if it looks like a template. */
function firstOf(text: string, readings: readonly ((text: string) => Template)[]): Template {
  let problem: unknown;
  for (const read of readings) {
    try {
      return read(text);
    } catch (error) {
      if (problem === undefined || read === parseTemplate) problem = error;
    }
  }
  throw problem;
}

function readBraced(text: string, open: number): { expression: Expression; end: number } {
  if (/^\{\{\s*\}\}/.test(text.slice(open, open + 200))) {
    throw new ExpressionSyntaxError("there is no expression between the braces", open);
  }
  const { expression, end } = readExpression(text, open + 2);
  if (!text.startsWith("}}", end)) {
    const found = end >= text.length ? "the end of the text" : JSON.stringify(text.slice(end, end + 10));
    throw new ExpressionSyntaxError(`expected "}}" after the expression, but found ${found}`, end);
  }
  return { expression, end: end + 2 };
}
